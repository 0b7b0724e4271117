/** What a virtual candidate asks for. A deed that is tried again keeps its revision or id. */
export type Deed =
  | { kind: 'sign-in' }
  | { kind: 'start' }
  | { kind: 'heartbeat'; attempt: string }
  | { kind: 'save'; attempt: string; question: string; revision: number; option: string }
  | { kind: 'report'; attempt: string; violation: string }
  | { kind: 'submit'; attempt: string }
  /** Asks for an attempt that is somebody else's. */
  | { kind: 'trespass'; attempt: string; way: Trespass };

/** The calls of a candidate that name an attempt. */
export type Trespass = 'getParticipant' | 'heartbeat' | 'saveAnswers' | 'submitParticipant';

/** What an answer said, as far as a promise hangs on it. */
export interface Told {
  attempt?: string;
  /** How the attempt stands: `in_progress` or ended. */
  status?: string;
  /** The save came too late for a newer revision and changed nothing. */
  stale?: boolean;
  counted?: boolean;
  /** The whole body, where the same words are promised. */
  text?: string;
}

export interface Invoke {
  type: 'invoke';
  op: number;
  at: number;
  person: string;
  deed: Deed;
}

/**
 * How it went. `fail` is a refusal: the server says that it was not done. `unknown` is everything
 * that leaves this open: no answer in time, a broken line, a 5xx. It may have been done.
 */
export type Outcome = { op: number; at: number; status: number | null } & (
  | { type: 'ok'; told: Told }
  | { type: 'fail'; why: string }
  | { type: 'unknown'; why: string; retryAfter: string | null }
);

export type Entry = Invoke | Outcome;

/** An outcome without its number and time. */
export type Result = Outcome extends infer One
  ? One extends Outcome
    ? Omit<One, 'op' | 'at'>
    : never
  : never;

/** Append-only: what was observed is never changed. Times are milliseconds since 1970, monotonic. */
export class History {
  readonly #entries: Entry[] = [];
  #lastOp = 0;

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Notes the deed before it is sent and its outcome when it is known. */
  async observe(person: string, deed: Deed, send: () => Promise<Result>): Promise<Result> {
    this.#lastOp += 1;
    const op = this.#lastOp;
    this.#entries.push({ type: 'invoke', op, at: monotonicNow(), person, deed });
    const result = await send();
    this.#entries.push({ ...result, op, at: monotonicNow() } as Outcome);
    return result;
  }
}

/** One deed with its outcome, and where both stand in the history. */
export interface Operation<D extends Deed = Deed> {
  invoke: Invoke & { deed: D };
  /** Absent where the history ends before it. */
  outcome?: Outcome;
  invokedIndex: number;
  answeredIndex: number;
}

/** The operations of one kind, in the order of their beginnings. */
export function operationsOf<K extends Deed['kind']>(
  history: readonly Entry[],
  kind: K,
): Operation<Extract<Deed, { kind: K }>>[] {
  const found = new Map<number, Operation<Extract<Deed, { kind: K }>>>();
  for (const [index, entry] of history.entries()) {
    if (entry.type !== 'invoke') {
      const operation = found.get(entry.op);
      if (operation) found.set(entry.op, { ...operation, outcome: entry, answeredIndex: index });
    } else if (entry.deed.kind === kind) {
      const invoke = entry as Invoke & { deed: Extract<Deed, { kind: K }> };
      found.set(entry.op, {
        invoke,
        invokedIndex: index,
        answeredIndex: Number.POSITIVE_INFINITY,
      });
    }
  }
  return [...found.values()];
}

/** Milliseconds since 1970 that never jump while this process runs. */
export function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
}
