import { fileURLToPath } from 'node:url';
import { startLoadGenerator } from '../load-generator.ts';
import { figuresOf, type KindCounts, type KindFigures, sumCounts } from './latencies.ts';
import type { Acknowledged } from './lost-answers.ts';
import type { LoadQuestion } from './requests.ts';
import type { Sitting } from './timetable.ts';

/** Someone with an invitation. */
export interface Invited {
  email: string;
  code: string;
}

/** The session of a candidate in progress. */
export interface TestSession {
  cookie: string;
  participantId: string;
}

export type Kind =
  | 'sign-in'
  | 'start'
  | 'paper'
  | 'save'
  | 'heartbeat'
  | 'report'
  | 'submit'
  | 'empty';

/** Results of a part of the run. */
export interface Part {
  kinds: Partial<Record<Kind, KindFigures>>;
  /** From the start of the timetable to the last response. */
  wallSeconds: number;
  /** Length of the timetable. */
  plannedSeconds: number;
  /** Processor time of the load generator. */
  loadMicros: number;
  /** How late the load generator itself was at worst, on a busy machine. */
  latestMs: number;
}

/** A part as counted by one process. */
export type CountedPart = Omit<Part, 'kinds'> & { kinds: Map<Kind, KindCounts> };

/** Commands to a process. */
export type Order =
  | { kind: 'configure'; port: number; quizId: string; questions: LoadQuestion[] }
  | { kind: 'enter'; seed: string; seconds: number; people: Invited[]; stay: boolean }
  | { kind: 'add'; sessions: TestSession[] }
  | { kind: 'sit'; sitting: Omit<Sitting, 'candidates'> }
  | { kind: 'sign-in'; seconds: number; atOnce: number; people: Invited[]; from: number }
  | { kind: 'ask'; seconds: number; atOnce: number }
  | { kind: 'submit'; seed: string; seconds: number }
  | { kind: 'acknowledged' }
  | { kind: 'leave' };

/** Concurrent candidates, each with their own connection, in separate processes. */
export interface LoadClients extends AsyncDisposable {
  /** All sign in, start and fetch the paper at random moments; with `stay` they remain as candidates. */
  enter(how: { seed: string; seconds: number; people: Invited[]; stay: boolean }): Promise<Part>;
  /** Adds candidates who have already started. */
  add(sessions: TestSession[]): Promise<void>;
  /** Candidates save and send heartbeats and reports, by a timetable with this seed. */
  sit(sitting: Omit<Sitting, 'candidates'>): Promise<Part>;
  /** `atOnce` connections sign people in one after another, starting at index `from`. */
  signIn(how: { seconds: number; atOnce: number; people: Invited[]; from: number }): Promise<Part>;
  /** `atOnce` connections request the empty route. */
  ask(how: { seconds: number; atOnce: number }): Promise<Part>;
  /** All candidates submit at random moments. */
  submit(how: { seed: string; seconds: number }): Promise<Part>;
  acknowledged(): Promise<Acknowledged[]>;
  /** Closes all connections. */
  leave(): Promise<void>;
}

const PROCESS = fileURLToPath(new URL('./load-process.ts', import.meta.url));

/**
 * @param processes number of processes to split the candidates among, because open files per process are
 * limited; `signIn` and `ask` use only the first
 */
export async function startLoadClients(
  target: { port: number; quizId: string; questions: LoadQuestion[] },
  processes = 1,
): Promise<LoadClients> {
  await using started = new AsyncDisposableStack();
  const generators = Array.from({ length: processes }, () =>
    started.use(startLoadGenerator<Order>(PROCESS)),
  );
  const [first] = generators;
  if (!first) throw new RangeError('at least one process is needed');
  const all = <Answer>(orderOf: (i: number) => Order) =>
    Promise.all(generators.map((generator, i) => generator.order<Answer>(orderOf(i))));
  const part = async (orderOf: (i: number) => Order) => sumParts(await all(orderOf));
  const shareOf = <T>(people: T[], i: number) => people.filter((_, n) => n % processes === i);
  /** The first process uses the seed itself, so that runs with one process are reproducible. */
  const seedOf = (seed: string, i: number) => (i === 0 ? seed : `${seed} of process ${i}`);

  await all(() => ({ kind: 'configure', ...target }));
  const kept = started.move();
  return {
    enter: ({ people, seed, ...how }) =>
      part((i) => ({
        kind: 'enter',
        people: shareOf(people, i),
        seed: seedOf(seed, i),
        ...how,
      })),
    add: async (sessions) =>
      void (await all((i) => ({ kind: 'add', sessions: shareOf(sessions, i) }))),
    sit: ({ seed, ...sitting }) =>
      part((i) => ({ kind: 'sit', sitting: { ...sitting, seed: seedOf(seed, i) } })),
    signIn: async (how) => sumParts([await first.order({ kind: 'sign-in', ...how })]),
    ask: async (how) => sumParts([await first.order({ kind: 'ask', ...how })]),
    submit: ({ seed, ...how }) => part((i) => ({ kind: 'submit', seed: seedOf(seed, i), ...how })),
    acknowledged: async () => (await all<Acknowledged[]>(() => ({ kind: 'acknowledged' }))).flat(),
    leave: async () => void (await all(() => ({ kind: 'leave' }))),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Sums the counts of all processes. */
export function sumParts(parts: CountedPart[]): Part {
  const kinds = new Set(parts.flatMap((part) => [...part.kinds.keys()]));
  const countsOf = (kind: Kind) => parts.flatMap((part) => part.kinds.get(kind) ?? []);
  return {
    kinds: Object.fromEntries(
      [...kinds].map((kind) => [kind, figuresOf(sumCounts(countsOf(kind)))]),
    ),
    wallSeconds: Math.max(...parts.map(({ wallSeconds }) => wallSeconds)),
    plannedSeconds: Math.max(...parts.map(({ plannedSeconds }) => plannedSeconds)),
    loadMicros: parts.reduce((sum, { loadMicros }) => sum + loadMicros, 0),
    latestMs: Math.max(...parts.map(({ latestMs }) => latestMs)),
  };
}
