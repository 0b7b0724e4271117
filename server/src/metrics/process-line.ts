import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Figure } from './figure.ts';
import { KeptCounts } from './kept-counts.ts';

/** A process that hangs must not hold up whoever asks; Prometheus itself waits ten seconds. */
const ANSWER_WITHIN_MS = 4_000;

const Figures = z.array(
  z.object({
    name: z.string(),
    help: z.string(),
    type: z.enum(['counter', 'gauge', 'histogram']),
    aggregator: z.enum(['sum', 'max', 'min', 'average', 'first', 'omit']),
    values: z.array(z.looseObject({ value: z.number().nullable() })),
  }),
);

/** What is said between a parent and the processes that serve for it. */
const Word = z.discriminatedUnion('kind', [
  /** To the parent: what do all say? */
  z.object({ kind: z.literal('ask-all'), id: z.string() }),
  /** To each process: what do you say? */
  z.object({ kind: z.literal('ask'), id: z.string() }),
  /** To the parent. */
  z.object({ kind: z.literal('figures'), id: z.string(), figures: Figures }),
  /** To who asked; without a process that did not answer. */
  z.object({ kind: z.literal('all-figures'), id: z.string(), all: z.array(Figures) }),
]);
type Word = z.infer<typeof Word>;

/** One that the processes have been asked and not all have answered yet. */
interface Question {
  expected: Set<Worker>;
  told: Map<Worker, Figure[]>;
  done(): void;
}

/** Calls `hear` for each of our words; other messages of the line are left alone. */
function hearing(hear: (word: Word) => void): (message: unknown) => void {
  return (message) => {
    const { data } = Word.safeParse(message);
    if (data) hear(data);
  };
}

/**
 * In the parent: asks all processes when one of them is asked, and gives it what came back. Of one that
 * ended or did not answer the counts stay that it told last, so that no sum ever falls.
 */
export function passFiguresOn(): void {
  const asked = new Map<string, Question>();
  const counts = new KeptCounts<Worker>();
  const settle = (question: Question, from: Worker) => {
    if (question.expected.delete(from) && question.expected.size === 0) question.done();
  };
  cluster.on('exit', (worker) => {
    counts.leave(worker);
    for (const question of asked.values()) settle(question, worker);
  });
  cluster.on('message', (from, message) => {
    hearing((word) => {
      if (word.kind === 'figures') {
        const figures = word.figures as unknown as Figure[];
        if (!from.isDead()) counts.note(from, figures);
        const question = asked.get(word.id);
        if (!question?.expected.has(from)) return;
        question.told.set(from, figures);
        settle(question, from);
      } else if (word.kind === 'ask-all') {
        const workers = Object.values(cluster.workers ?? {}).filter((w) => w !== undefined);
        const expected = new Set(workers.filter((worker) => worker.isConnected()));
        // As of now: one that ends meanwhile must not be counted twice.
        const told = new Map(workers.map((worker) => [worker, counts.lastOf(worker)]));
        const { ofGone } = counts;
        const done = () => {
          clearTimeout(timer);
          asked.delete(word.id);
          const all = [ofGone, ...told.values()];
          if (from.isConnected()) from.send({ kind: 'all-figures', id: word.id, all });
        };
        const timer = setTimeout(done, ANSWER_WITHIN_MS);
        asked.set(word.id, { expected, told, done });
        for (const worker of expected) worker.send({ kind: 'ask', id: word.id });
      }
    })(message);
  });
}

/**
 * In a process that serves beside others: answers the parent with its own figures.
 *
 * @returns asks the parent for those of all
 */
export function joinFigures(own: () => Promise<Figure[]>): () => Promise<Figure[][]> {
  const waiting = new Map<string, (all: Figure[][]) => void>();
  const hear = hearing((word) => {
    if (word.kind === 'all-figures') {
      waiting.get(word.id)?.(word.all as unknown as Figure[][]);
      waiting.delete(word.id);
    } else if (word.kind === 'ask') {
      void own().then((figures) => process.send?.({ kind: 'figures', id: word.id, figures }));
    }
  });
  process.on('message', hear);
  return () =>
    new Promise((resolve) => {
      const id = randomUUID();
      waiting.set(id, resolve);
      process.send?.({ kind: 'ask-all', id });
    });
}
