import type { Metric } from './metric.ts';

/**
 * The last known counters of each process. Prometheus takes a decreasing sum for a reset, and so
 * for a burst of events; so the counts of a process that died or does not respond in time stay in
 * the sum.
 */
export class ProcessCounts<P> {
  readonly #last = new Map<P, Metric[]>();
  #ended: Metric[] = [];

  /** Stores what a process has reported. */
  set(process: P, metrics: Metric[]): void {
    this.#last.set(process, metrics.filter(isCumulative));
  }

  /** A process has ended. What it counted since its last report is lost. */
  end(process: P): void {
    this.#ended = sumOf([...this.#ended, ...this.lastOf(process)]);
    this.#last.delete(process);
  }

  /** The last reported counts of a process; none if it has not reported, or has ended. */
  lastOf(process: P): Metric[] {
    return this.#last.get(process) ?? [];
  }

  /** The counts of all processes that have ended. */
  get ended(): Metric[] {
    return this.#ended;
  }
}

function isCumulative({ type }: Metric): boolean {
  return type === 'counter' || type === 'histogram';
}

/** Each metric once, its values summed over equal labels. */
function sumOf(metrics: Metric[]): Metric[] {
  const byName = new Map<
    string,
    { metric: Metric; values: Map<string, Metric['values'][number]> }
  >();
  for (const metric of metrics) {
    const found = byName.get(metric.name) ?? { metric, values: new Map() };
    byName.set(metric.name, found);
    for (const one of metric.values) {
      const labels = Object.entries(one.labels).sort(([a], [b]) => (a < b ? -1 : 1));
      const key = JSON.stringify([one.metricName, labels]);
      const value = (found.values.get(key)?.value ?? 0) + one.value;
      found.values.set(key, { ...one, value });
    }
  }
  return [...byName.values()].map(({ metric, values }) => ({
    ...metric,
    values: [...values.values()],
  }));
}
