import { fileURLToPath } from 'node:url';
import { startLoadGenerator } from '../load-generator.ts';
import type { TestSession } from './start-candidates.ts';

/** Results of all candidates sending concurrently. */
export interface Tally {
  perSecond: number;
  /** All answered requests, including those after the end of the measurement. */
  requests: number;
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
  wallSeconds: number;
  /** Processor time of the load generator itself. */
  loadMicros: number;
}

/** Per candidate: the newest acknowledged revision of each question. */
export type Acknowledged = Record<string, number>[];

/** Commands to the load generator. */
export type Order =
  | { kind: 'connect'; port: number; sessions: TestSession[] }
  | { kind: 'save'; seconds: number; candidates: number }
  | { kind: 'ask'; seconds: number }
  | { kind: 'acknowledged' };

/** The concurrent candidates, in a separate process. */
export interface LoadClients extends AsyncDisposable {
  /** Saves answers without pauses, for `candidates` of them or all. */
  save(how: { seconds: number; candidates?: number }): Promise<Tally>;
  /** Requests the empty route in the same way. */
  ask(how: { seconds: number }): Promise<Tally>;
  acknowledged(): Promise<Acknowledged>;
}

const LOAD_GENERATOR = fileURLToPath(new URL('./load-generator.ts', import.meta.url));

export async function startLoadClients(
  port: number,
  sessions: TestSession[],
): Promise<LoadClients> {
  const generator = startLoadGenerator<Order>(LOAD_GENERATOR);
  await generator.order({ kind: 'connect', port, sessions });
  return {
    save: ({ seconds, candidates = sessions.length }) =>
      generator.order({ kind: 'save', seconds, candidates }),
    ask: ({ seconds }) => generator.order({ kind: 'ask', seconds }),
    acknowledged: () => generator.order({ kind: 'acknowledged' }),
    [Symbol.asyncDispose]: () => generator[Symbol.asyncDispose](),
  };
}
