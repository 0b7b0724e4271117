import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
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
  const child = fork(LOAD_GENERATOR);
  const order = async <Answer>(what: Order): Promise<Answer> => {
    child.send(what);
    const gone = new AbortController();
    const onExit = (code: number | null) =>
      gone.abort(new Error(`the load generator ended with ${code}`));
    child.once('exit', onExit);
    try {
      const [answer] = await once(child, 'message', { signal: gone.signal });
      return answer;
    } catch (error) {
      throw gone.signal.aborted ? gone.signal.reason : error;
    } finally {
      child.off('exit', onExit);
    }
  };
  await order({ kind: 'sit', port, seats });
  return {
    save: ({ seconds, candidates = seats.length }) => order({ kind: 'save', seconds, candidates }),
    ask: ({ seconds }) => order({ kind: 'ask', seconds }),
    acknowledged: () => order({ kind: 'acknowledged' }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
