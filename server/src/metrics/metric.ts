import type { Buckets } from './save-metrics.ts';

/** A metric in the JSON format of prom-client, which processes exchange. */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes are combined. */
  aggregator: 'sum' | 'max' | 'min';
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[];
}

type Labelled = Record<string, number>;

/** A counter by the value of one label. */
export function counter(name: string, help: string, label: string, counts: Labelled): Metric {
  return { name, help, type: 'counter', aggregator: 'sum', values: labelled(label, counts) };
}

/** A gauge. `sum`: each process has its own value; `max`: all report the same one. */
export function gauge(
  name: string,
  help: string,
  value: number,
  aggregator: Metric['aggregator'] = 'sum',
): Metric {
  return { name, help, type: 'gauge', aggregator, values: [{ value, labels: {} }] };
}

/** A gauge by the value of one label. */
export function gauges(name: string, help: string, label: string, values: Labelled): Metric {
  return { name, help, type: 'gauge', aggregator: 'max', values: labelled(label, values) };
}

/** A histogram. Prometheus buckets are cumulative. */
export function histogram(name: string, help: string, { bounds, counts, sum }: Buckets): Metric {
  let n = 0;
  const values: Metric['values'] = counts.map((count, i) => {
    n += count;
    return { value: n, labels: { le: bounds[i] ?? '+Inf' }, metricName: `${name}_bucket` };
  });
  values.push({ value: sum, labels: {}, metricName: `${name}_sum` });
  values.push({ value: n, labels: {}, metricName: `${name}_count` });
  return { name, help, type: 'histogram', aggregator: 'sum', values };
}

function labelled(label: string, values: Labelled): Metric['values'] {
  return Object.entries(values).map(([name, value]) => ({ value, labels: { [label]: name } }));
}
