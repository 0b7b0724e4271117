import { fileURLToPath } from 'node:url';
import type { Invited, TestSession } from './candidate.ts';
import { sumParts } from './figures.ts';
import { startLoadGenerator } from './load-generator.ts';
import type { Order, Orders } from './load-process.ts';
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
  /** The start of each is so much later at most, and is measured from the moment of all. */
  spreadMs?: number;
  /** They wait as a page does, and learn of the moment by their event stream. */
  together?: boolean;
}

/** Concurrent candidates, each with their own connection, in separate processes. */
export type LoadClients = Awaited<ReturnType<typeof startLoadClients>>;

const PROCESS = fileURLToPath(new URL('./load-process.ts', import.meta.url));

/**
 * @param processes number of processes to split the candidates among, because open files per process are
 * limited; `repeat` uses only the first
 */
export async function startLoadClients(target: Target, processes = 1) {
  await using started = new AsyncDisposableStack();
  const generators = Array.from({ length: processes }, () =>
    started.use(startLoadGenerator<Order>(PROCESS)),
  );
  const [first] = generators;
  if (!first) throw new RangeError('at least one process is needed');
  const all = <Name extends keyof Orders>(
    name: Name,
    how: (i: number) => Parameters<Orders[Name]>[0],
  ) =>
    Promise.all(
      generators.map((generator, i) =>
        generator.order<Awaited<ReturnType<Orders[Name]>>>([name, how(i)]),
      ),
    );
  const shareOf = <T>(people: T[], i: number) => people.filter((_, n) => n % processes === i);
  /** The first process uses the seed itself, so that runs with one process are reproducible. */
  const seedOf = (seed: string, i: number) => (i === 0 ? seed : `${seed} of process ${i}`);

  await all('configure', () => target);
  const kept = started.move();
  return {
    enter: async ({ people, seed, ...how }: Entering) =>
      sumParts(
        await all('enter', (i) => ({ ...how, people: shareOf(people, i), seed: seedOf(seed, i) })),
      ),
    add: (sessions: TestSession[]) => all('add', (i) => shareOf(sessions, i)),
    /** Candidates save and send heartbeats and reports, by a timetable with this seed. */
    sit: async ({ seed, ...sitting }: Omit<Sitting, 'candidates'>) =>
      sumParts(await all('sit', (i) => ({ ...sitting, seed: seedOf(seed, i) }))),
    repeat: async (how: Repeated) => sumParts([await first.order(['repeat', how])]),
    submit: async ({ seed, seconds }: { seed: string; seconds: number }) =>
      sumParts(await all('submit', (i) => ({ seed: seedOf(seed, i), seconds }))),
    acknowledged: async () => (await all('acknowledged', () => undefined)).flat(),
    leave: () => all('leave', () => undefined),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
