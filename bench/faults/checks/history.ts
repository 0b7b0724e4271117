/** A request of a virtual candidate. A retried action keeps its revision or id. */
export type Action =
  | { kind: 'sign-in' }
  | { kind: 'start' }
  | { kind: 'heartbeat'; attempt: string }
  | { kind: 'save'; attempt: string; question: string; revision: number; option: string }
  | { kind: 'report'; attempt: string; violation: string }
  | { kind: 'submit'; attempt: string }
  /** Requests someone else's attempt. */
  | { kind: 'trespass'; attempt: string; way: Trespass };

/** The calls of a candidate that name an attempt. */
export type Trespass = 'getParticipant' | 'heartbeat' | 'saveAnswers' | 'submitParticipant';

/** The fields of a response that promises depend on. */
export interface Reply {
  attempt?: string;
  /** Status of the attempt: `in_progress` or ended. */
  status?: string;
  /** The save came too late for a newer revision and changed nothing. */
  stale?: boolean;
  counted?: boolean;
  /** The whole body, where it must be the same on every retry. */
  text?: string;
}

export interface Invoke {
  type: 'invoke';
  op: number;
  at: number;
  person: string;
  action: Action;
}

/**
 * The outcome. `fail`: the server refused, nothing was done. `unknown`: no response in time, a broken
 * connection or a 5xx; it may have been done.
 */
export type Outcome = { op: number; at: number; status: number | null } & (
  | { type: 'ok'; reply: Reply }
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

/** Append-only log of observations. Times are milliseconds since 1970, monotonic. */
export class History {
  readonly #entries: Entry[] = [];
  #lastOp = 0;

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Records the action before it is sent and its outcome when it is known. */
  async observe(person: string, action: Action, send: () => Promise<Result>): Promise<Result> {
    this.#lastOp += 1;
    const op = this.#lastOp;
    this.#entries.push({ type: 'invoke', op, at: monotonicNow(), person, action });
    const result = await send();
    this.#entries.push({ ...result, op, at: monotonicNow() } as Outcome);
    return result;
  }
}

type Kind = Action['kind'];

/** One action with its outcome, and the indexes of both in the history. */
export interface Operation<K extends Kind = Kind> {
  invoke: Invoke & { action: Extract<Action, { kind: K }> };
  /** Absent where the history ends before it. */
  outcome?: Outcome;
  invokedIndex: number;
  answeredIndex: number;
}

/** The operations of one kind, in the order of their start. */
export function operationsOf<K extends Kind>(history: readonly Entry[], kind: K): Operation<K>[] {
  const found = new Map<number, Operation<K>>();
  for (const [index, entry] of history.entries()) {
    if (entry.type !== 'invoke') {
      const operation = found.get(entry.op);
      if (operation) found.set(entry.op, { ...operation, outcome: entry, answeredIndex: index });
    } else if (entry.action.kind === kind) {
      const invoke = entry as Operation<K>['invoke'];
      found.set(entry.op, {
        ...{ invoke, invokedIndex: index, answeredIndex: Number.POSITIVE_INFINITY },
      });
    }
  }
  return [...found.values()];
}

type Acknowledged<K extends Kind> = Operation<K> & { outcome: Extract<Outcome, { type: 'ok' }> };

/** Operations of one kind that were acknowledged. */
export function acknowledged<K extends Kind>(
  history: readonly Entry[],
  kind: K,
): Acknowledged<K>[] {
  return operationsOf(history, kind).filter(
    (operation): operation is Acknowledged<K> => operation.outcome?.type === 'ok',
  );
}

/** The first of each key. */
export function firstOf<T>(operations: readonly T[], keyOf: (one: T) => string): Map<string, T> {
  return new Map(operations.toReversed().map((one) => [keyOf(one), one]));
}

/** Milliseconds since 1970 that never jump while this process runs. */
export function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
}
