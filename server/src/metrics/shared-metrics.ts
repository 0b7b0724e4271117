import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { within } from '../runtime/within.ts';

/** A hanging process must not hold up a scrape; Prometheus itself waits ten seconds. */
const RESPONSE_WITHIN_MS = 4_000;

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The messages between the parent and its server processes, each answered with the same id. */
type Message = { id: string } & (
  | { kind: 'read-metrics' }
  | { kind: 'metrics'; metrics: Metrics }
  | { kind: 'read-all-metrics' }
  | { kind: 'all-metrics'; text: string }
);

/**
 * Reads the metrics of all processes when one of them requests it; called in the parent. prom-client's own
 * `clusterMetrics` refuses the whole when one process hangs, and its sums fall when one ends, which
 * Prometheus takes for a reset and so for a burst of events. Here the last known counters of a process that
 * ended or does not respond stay in the sum; what it counted since its last report is lost.
 */
export function aggregateMetrics(): void {
  const last = new Map<Worker, Metrics>();
  let ended: Promise<Metrics> = Promise.resolve([]);
  const read = async (worker: Worker) => {
    // Taken before the request: a process that ends during it must not be counted twice.
    const known = last.get(worker) ?? [];
    const metrics = await request(worker).catch(() => null);
    if (metrics === null) return known;
    if (!worker.isDead()) last.set(worker, metrics.filter(isCumulative));
    return metrics;
  };
  const readAll = async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((w) => w !== undefined);
    const all = await Promise.all([ended, ...workers.map(read)]);
    return AggregatorRegistry.aggregate(all).metrics();
  };
  cluster.on('exit', (worker) => {
    const counts = last.get(worker) ?? [];
    last.delete(worker);
    ended = ended.then((sum) => AggregatorRegistry.aggregate([sum, counts]).getMetricsAsJSON());
  });
  cluster.on('message', (from, { kind, id }: Message) => {
    if (kind !== 'read-all-metrics') return;
    void readAll().then((text) => {
      if (from.isConnected()) from.send({ kind: 'all-metrics', id, text } satisfies Message);
    });
  });
}

function isCumulative({ type }: Metrics[number]): boolean {
  // prom-client's types say enum; the values are words.
  return ['counter', 'histogram'].includes(String(type));
}

/** The metrics of one process. Rejects when it ends or does not respond in time. */
function request(worker: Worker): Promise<Metrics> {
  const { promise, resolve, reject } = Promise.withResolvers<Metrics>();
  const id = randomUUID();
  const receive = (message: Message) => {
    if (message.kind === 'metrics' && message.id === id) resolve(message.metrics);
  };
  const fail = () => reject(new Error('the process has ended'));
  worker.on('message', receive);
  worker.once('exit', fail);
  if (worker.isConnected()) worker.send({ kind: 'read-metrics', id } satisfies Message);
  else fail();
  return within(RESPONSE_WITHIN_MS, promise, () => new Error('no response')).finally(() => {
    worker.off('message', receive);
    worker.off('exit', fail);
  });
}

/**
 * Answers requests of the parent with the process's own metrics; called in each of several server processes.
 *
 * @returns a function that requests those of all from the parent, as text
 */
export function joinMetrics(own: Registry): () => Promise<string> {
  const waiting = new Map<string, (text: string) => void>();
  const send = (message: Message) => process.send?.(message);
  process.on('message', (message: Message) => {
    if (message.kind === 'all-metrics') {
      waiting.get(message.id)?.(message.text);
      waiting.delete(message.id);
    } else if (message.kind === 'read-metrics') {
      const { id } = message;
      void own.getMetricsAsJSON().then((metrics) => send({ kind: 'metrics', id, metrics }));
    }
  });
  return () =>
    new Promise((resolve) => {
      const id = randomUUID();
      waiting.set(id, resolve);
      send({ kind: 'read-all-metrics', id });
    });
}
