import type { Buckets } from './save-figures.ts';

/** A figure as prom-client writes it down, ready to go to another process as JSON. */
export interface Figure {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** What becomes of it where several processes tell it. */
  aggregator: 'sum' | 'max' | 'min';
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[];
}

type Labelled = Record<string, number>;

/** A number that only grows, by the value of one label. */
export function tally(name: string, help: string, label: string, counts: Labelled): Figure {
  return { name, help, type: 'counter', aggregator: 'sum', values: labelled(label, counts) };
}

/** A number as it stands now. `sum`: each process has its own; `max`: all tell the same one. */
export function gauge(
  name: string,
  help: string,
  value: number,
  aggregator: Figure['aggregator'] = 'sum',
): Figure {
  return { name, help, type: 'gauge', aggregator, values: [{ value, labels: {} }] };
}

/** The same by the value of one label. */
export function gauges(name: string, help: string, label: string, values: Labelled): Figure {
  return { name, help, type: 'gauge', aggregator: 'max', values: labelled(label, values) };
}

/** A histogram: Prometheus wants each bucket to hold the ones below it. */
export function histogram(name: string, help: string, { bounds, counts, sum }: Buckets): Figure {
  let n = 0;
  const values: Figure['values'] = counts.map((count, i) => {
    n += count;
    return { value: n, labels: { le: bounds[i] ?? '+Inf' }, metricName: `${name}_bucket` };
  });
  values.push({ value: sum, labels: {}, metricName: `${name}_sum` });
  values.push({ value: n, labels: {}, metricName: `${name}_count` });
  return { name, help, type: 'histogram', aggregator: 'sum', values };
}

function labelled(label: string, values: Labelled): Figure['values'] {
  return Object.entries(values).map(([name, value]) => ({ value, labels: { [label]: name } }));
}
