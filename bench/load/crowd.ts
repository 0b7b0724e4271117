import { fileURLToPath } from 'node:url';
import { startLoadGenerator } from '../load-generator.ts';
import type { KindFigures } from './latencies.ts';
import type { Acknowledged } from './lost-answers.ts';
import type { LoadQuestion } from './requests.ts';
import type { Sitting } from './timetable.ts';

/** Somebody with an invitation. */
export interface Invited {
  email: string;
  code: string;
}

/** Somebody in the middle of the test. */
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

/** What the crowd's process is told. */
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

/** The candidates, each with a connection of their own, in a process that does nothing else. */
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

export async function startCrowd(meeting: {
  port: number;
  quizId: string;
  questions: LoadQuestion[];
}): Promise<Crowd> {
  const generator = startLoadGenerator<Order>(PROCESS);
  await generator.order({ kind: 'meet', ...meeting });
  return {
    enter: (how) => generator.order({ kind: 'enter', ...how }),
    seat: (seated) => generator.order({ kind: 'seat', seated }),
    sit: (sitting) => generator.order({ kind: 'sit', sitting }),
    signIn: (how) => generator.order({ kind: 'sign-in', ...how }),
    ask: (how) => generator.order({ kind: 'ask', ...how }),
    submit: (how) => generator.order({ kind: 'submit', ...how }),
    acknowledged: () => generator.order({ kind: 'acknowledged' }),
    leave: () => generator.order({ kind: 'leave' }),
    [Symbol.asyncDispose]: () => generator[Symbol.asyncDispose](),
  };
}
