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

/** Someone in the middle of the test. */
export interface Seated {
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

/** How a part of the run went. */
export interface Part {
  kinds: Partial<Record<Kind, KindFigures>>;
  /** From the first moment of the timetable to the last answer. */
  wallSeconds: number;
  /** How long the timetable itself lasts. */
  plannedSeconds: number;
  /** Processor time of the load generator. */
  loadMicros: number;
  /** How late the load generator itself was, at worst: a busy machine holds it up as well. */
  latestMs: number;
}

/** A part as one process of the crowd counts it. */
export type CountedPart = Omit<Part, 'kinds'> & { kinds: Map<Kind, KindCounts> };

/** What a process of the crowd is told. */
export type Order =
  | { kind: 'meet'; port: number; quizId: string; questions: LoadQuestion[] }
  | { kind: 'enter'; seed: string; seconds: number; people: Invited[]; stay: boolean }
  | { kind: 'seat'; seated: Seated[] }
  | { kind: 'sit'; sitting: Omit<Sitting, 'candidates'> }
  | { kind: 'sign-in'; seconds: number; atOnce: number; people: Invited[]; from: number }
  | { kind: 'ask'; seconds: number; atOnce: number }
  | { kind: 'submit'; seed: string; seconds: number }
  | { kind: 'acknowledged' }
  | { kind: 'leave' };

/** The candidates, each with a connection of their own, in processes that do nothing else. */
export interface Crowd extends AsyncDisposable {
  /** Everybody signs in, starts and fetches the paper, at random moments; who stays sits from then on. */
  enter(how: { seed: string; seconds: number; people: Invited[]; stay: boolean }): Promise<Part>;
  /** These sit already. */
  seat(seated: Seated[]): Promise<void>;
  /** Those who sit save, send heartbeats and reports, by a timetable of this seed. */
  sit(sitting: Omit<Sitting, 'candidates'>): Promise<Part>;
  /** So many connections sign one person in after the other, beginning `from` that number. */
  signIn(how: { seconds: number; atOnce: number; people: Invited[]; from: number }): Promise<Part>;
  /** So many connections ask for the empty route. */
  ask(how: { seconds: number; atOnce: number }): Promise<Part>;
  /** Everybody who sits submits, at random moments. */
  submit(how: { seed: string; seconds: number }): Promise<Part>;
  acknowledged(): Promise<Acknowledged[]>;
  /** All connections end. */
  leave(): Promise<void>;
}

const PROCESS = fileURLToPath(new URL('./crowd-process.ts', import.meta.url));

/**
 * @param processes the candidates are split among so many, because a process may open only so many
 *   files; signing in again and again, and asking, is done by the first
 */
export async function startCrowd(
  meeting: { port: number; quizId: string; questions: LoadQuestion[] },
  processes = 1,
): Promise<Crowd> {
  await using started = new AsyncDisposableStack();
  const generators = Array.from({ length: processes }, () =>
    started.use(startLoadGenerator<Order>(PROCESS)),
  );
  const [first] = generators;
  if (!first) throw new RangeError('a crowd needs a process');
  const all = <Answer>(orderOf: (i: number) => Order) =>
    Promise.all(generators.map((generator, i) => generator.order<Answer>(orderOf(i))));
  const part = async (orderOf: (i: number) => Order) => sumParts(await all(orderOf));
  const shareOf = <T>(people: T[], i: number) => people.filter((_, n) => n % processes === i);
  /** The first keeps its seed, so that a crowd of one process plays as it always did. */
  const seedOf = (seed: string, i: number) => (i === 0 ? seed : `${seed} of process ${i}`);

  await all(() => ({ kind: 'meet', ...meeting }));
  const kept = started.move();
  return {
    enter: ({ people, seed, ...how }) =>
      part((i) => ({
        kind: 'enter',
        people: shareOf(people, i),
        seed: seedOf(seed, i),
        ...how,
      })),
    seat: async (seated) => void (await all((i) => ({ kind: 'seat', seated: shareOf(seated, i) }))),
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

/** What all processes counted, as one part. */
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
