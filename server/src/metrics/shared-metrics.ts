import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Metric } from './metric.ts';
import { ProcessCounts } from './process-counts.ts';

/** A hanging process must not hold up a scrape; Prometheus itself waits ten seconds. */
const RESPONSE_WITHIN_MS = 4_000;

const Metrics = z.array(
  z.object({
    name: z.string(),
    help: z.string(),
    type: z.enum(['counter', 'gauge', 'histogram']),
    aggregator: z.enum(['sum', 'max', 'min', 'average', 'first', 'omit']),
    values: z.array(z.looseObject({ value: z.number().nullable() })),
  }),
);

/** The messages between the parent and its server processes. */
const Message = z.discriminatedUnion('kind', [
  /** To the parent: requests the metrics of all processes. */
  z.object({ kind: z.literal('request-all'), id: z.string() }),
  /** To each process: requests its own. */
  z.object({ kind: z.literal('request'), id: z.string() }),
  /** To the parent: those of one process. */
  z.object({ kind: z.literal('metrics'), id: z.string(), metrics: Metrics }),
  /** To the process that requested them: those of all. */
  z.object({ kind: z.literal('all-metrics'), id: z.string(), all: z.array(Metrics) }),
]);
type Message = z.infer<typeof Message>;

/** A request that not all processes have answered yet. */
interface PendingRequest {
  expected: Set<Worker>;
  received: Map<Worker, Metric[]>;
  done(): void;
}

/** Calls `receive` for each of these messages; other messages between the processes are ignored. */
function parsing(receive: (message: Message) => void): (json: unknown) => void {
  return (json) => {
    const { data } = Message.safeParse(json);
    if (data) receive(data);
  };
}

/**
 * In the parent: collects the metrics of all processes when one of them requests it. For a process
 * that ended or does not respond its last known counters are used, so that no sum ever falls.
 */
export function aggregateMetrics(): void {
  const pending = new Map<string, PendingRequest>();
  const counts = new ProcessCounts<Worker>();
  const settle = (request: PendingRequest, from: Worker) => {
    if (request.expected.delete(from) && request.expected.size === 0) request.done();
  };
  cluster.on('exit', (worker) => {
    counts.end(worker);
    for (const request of pending.values()) settle(request, worker);
  });
  cluster.on('message', (from, json) => {
    parsing((message) => {
      if (message.kind === 'metrics') {
        const metrics = message.metrics as unknown as Metric[];
        if (!from.isDead()) counts.set(from, metrics);
        const request = pending.get(message.id);
        if (!request?.expected.has(from)) return;
        request.received.set(from, metrics);
        settle(request, from);
      } else if (message.kind === 'request-all') {
        const workers = Object.values(cluster.workers ?? {}).filter((w) => w !== undefined);
        const expected = new Set(workers.filter((worker) => worker.isConnected()));
        // As of now: a process that ends during the request must not be counted twice.
        const received = new Map(workers.map((worker) => [worker, counts.lastOf(worker)]));
        const { ended } = counts;
        const done = () => {
          clearTimeout(timer);
          pending.delete(message.id);
          const all = [ended, ...received.values()];
          if (from.isConnected()) from.send({ kind: 'all-metrics', id: message.id, all });
        };
        const timer = setTimeout(done, RESPONSE_WITHIN_MS);
        pending.set(message.id, { expected, received, done });
        for (const worker of expected) worker.send({ kind: 'request', id: message.id });
      }
    })(json);
  });
}

/**
 * In one of several server processes: answers requests of the parent with the process's own
 * metrics.
 *
 * @returns a function that requests those of all from the parent
 */
export function joinMetrics(own: () => Promise<Metric[]>): () => Promise<Metric[][]> {
  const waiting = new Map<string, (all: Metric[][]) => void>();
  const receive = parsing((message) => {
    if (message.kind === 'all-metrics') {
      waiting.get(message.id)?.(message.all as unknown as Metric[][]);
      waiting.delete(message.id);
    } else if (message.kind === 'request') {
      void own().then((metrics) => process.send?.({ kind: 'metrics', id: message.id, metrics }));
    }
  });
  process.on('message', receive);
  return () =>
    new Promise((resolve) => {
      const id = randomUUID();
      waiting.set(id, resolve);
      process.send?.({ kind: 'request-all', id });
    });
}
