import { fileURLToPath } from 'node:url';
import type { Invited, TestSession } from './candidate.ts';
import { type CountedPart, type Part, sumParts } from './figures.ts';
import { startLoadGenerator } from './load-generator.ts';
import type { Acknowledged } from './read-back.ts';
import type { LoadQuestion } from './requests.ts';
import type { Sitting } from './timetable.ts';

export interface Target {
  port: number;
  quizId: string;
  questions: LoadQuestion[];
}

/** A closed loop: `atOnce` connections send again after each response. */
export interface Repeated {
  seconds: number;
  atOnce: number;
  /** Signs these people in one after another, starting at index `from`; else as `request` says. */
  signIn?: { people: Invited[]; from: number };
  /** A save of each candidate, or the empty route. */
  request?: 'save' | 'empty';
}

/** All sign in, start and fetch the paper at random moments; with `stay` they remain as candidates. */
export interface Entering {
  seed: string;
  seconds: number;
  people: Invited[];
  stay: boolean;
  /** All wait until then, in milliseconds since 1970, and start at that moment. */
  opensAt?: number;
}

export type Order =
  | ({ kind: 'configure' } & Target)
  | ({ kind: 'enter' } & Entering)
  | { kind: 'add'; sessions: TestSession[] }
  | { kind: 'sit'; sitting: Omit<Sitting, 'candidates'> }
  | ({ kind: 'repeat' } & Repeated)
  | { kind: 'submit'; seed: string; seconds: number }
  | { kind: 'acknowledged' }
  | { kind: 'leave' };

/** Concurrent candidates, each with their own connection, in separate processes. */
export interface LoadClients extends AsyncDisposable {
  enter(how: Entering): Promise<Part>;
  add(sessions: TestSession[]): Promise<void>;
  /** Candidates save and send heartbeats and reports, by a timetable with this seed. */
  sit(sitting: Omit<Sitting, 'candidates'>): Promise<Part>;
  repeat(how: Repeated): Promise<Part>;
  submit(how: { seed: string; seconds: number }): Promise<Part>;
  acknowledged(): Promise<Acknowledged[]>;
  leave(): Promise<void>;
}

const PROCESS = fileURLToPath(new URL('./load-process.ts', import.meta.url));

/**
 * @param processes number of processes to split the candidates among, because open files per process are
 * limited; `repeat` uses only the first
 */
export async function startLoadClients(target: Target, processes = 1): Promise<LoadClients> {
  await using started = new AsyncDisposableStack();
  const generators = Array.from({ length: processes }, () =>
    started.use(startLoadGenerator<Order>(PROCESS)),
  );
  const [first] = generators;
  if (!first) throw new RangeError('at least one process is needed');
  const all = <Answer>(orderOf: (i: number) => Order) =>
    Promise.all(generators.map((generator, i) => generator.order<Answer>(orderOf(i))));
  const part = async (orderOf: (i: number) => Order) => sumParts(await all<CountedPart>(orderOf));
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
    repeat: async (how) => sumParts([await first.order({ kind: 'repeat', ...how })]),
    submit: ({ seed, ...how }) => part((i) => ({ kind: 'submit', seed: seedOf(seed, i), ...how })),
    acknowledged: async () => (await all<Acknowledged[]>(() => ({ kind: 'acknowledged' }))).flat(),
    leave: async () => void (await all(() => ({ kind: 'leave' }))),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
