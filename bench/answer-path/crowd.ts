import { fileURLToPath } from 'node:url';
import { startLoadGenerator } from '../load-generator.ts';
import type { Seat } from './seat-candidates.ts';

/** How it went with everybody sending at once. */
export interface Tally {
  perSecond: number;
  /** All that were answered, those after the time as well. */
  requests: number;
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
  wallSeconds: number;
  /** Processor time of the load generator itself. */
  loadMicros: number;
}

/** By candidate: the newest revision of each question that the server has acknowledged. */
export type Acknowledged = Record<string, number>[];

/** What the load generator is told. */
export type Order =
  | { kind: 'sit'; port: number; seats: Seat[] }
  | { kind: 'save'; seconds: number; candidates: number }
  | { kind: 'ask'; seconds: number }
  | { kind: 'acknowledged' };

/** The candidates, in a process of their own that does nothing else. */
export interface Crowd extends AsyncDisposable {
  /** Saves answers without a pause; `candidates` of them, or all. */
  save(how: { seconds: number; candidates?: number }): Promise<Tally>;
  /** Asks for the empty route, in the same way. */
  ask(how: { seconds: number }): Promise<Tally>;
  acknowledged(): Promise<Acknowledged>;
}

const LOAD_GENERATOR = fileURLToPath(new URL('./load-generator.ts', import.meta.url));

export async function startCrowd(port: number, seats: Seat[]): Promise<Crowd> {
  const generator = startLoadGenerator<Order>(LOAD_GENERATOR);
  await generator.order({ kind: 'sit', port, seats });
  return {
    save: ({ seconds, candidates = seats.length }) =>
      generator.order({ kind: 'save', seconds, candidates }),
    ask: ({ seconds }) => generator.order({ kind: 'ask', seconds }),
    acknowledged: () => generator.order({ kind: 'acknowledged' }),
    [Symbol.asyncDispose]: () => generator[Symbol.asyncDispose](),
  };
}
