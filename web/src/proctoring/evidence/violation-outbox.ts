import type { ViolationAnswer } from '@invigil/core/contract/attempts/violations';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import type { StoredReport, ViolationStore } from './violation-store.ts';

/** Outcome of one request. `refused`: this report is never accepted. `over`: no report is. */
export type SendOutcome =
  | { kind: 'answered'; answer: ViolationAnswer }
  | { kind: 'refused' }
  | { kind: 'over' }
  | { kind: 'signed-out' }
  | { kind: 'try-again'; afterMs: number | null };

export interface OutboxDeps {
  store: ViolationStore;
  /** One request; never rejects. */
  send(report: StoredReport, ageMs: number, signal: AbortSignal): Promise<SendOutcome>;
  onAnswer(report: StoredReport, answer: ViolationAnswer): void;
  /** The server refused this report for good. */
  onRefused(report: StoredReport): void;
  /** Milliseconds before the next try after the n-th failure in a row. */
  retryDelayMs(failures: number, afterMs: number | null): number;
  /** Milliseconds since 1970. */
  wallNow(): number;
  /** The browser cannot store; reports are queued in memory only. */
  onStoreFailure(cause: unknown): void;
}

/**
 * Outbox of detected events: stored first, then sent in order, one at a time, until each is answered. The id
 * is the idempotency key, so a resend counts once. The page never sends totals.
 */
export class ViolationOutbox {
  readonly #deps: OutboxDeps;
  readonly #over = new AbortController();
  #queue: StoredReport[] = [];
  #sending = false;
  readonly #settledWaiters: (() => void)[] = [];
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** End of the server's Retry-After, by the monotonic clock. */
  #notBefore = 0;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** Number of unacknowledged reports. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Sends the reports of an earlier visit, before newer ones. */
  async resume(participantId: string): Promise<void> {
    const left = await this.#deps.store.load(participantId).catch((cause) => {
      this.#deps.onStoreFailure(cause);
      return [];
    });
    const held = new Set(this.#queue.map(({ id }) => id));
    this.#queue = [...left.filter(({ id }) => !held.has(id)), ...this.#queue];
    void this.#pump();
  }

  add(report: StoredReport): void {
    if (this.#over.signal.aborted) return;
    this.#queue.push(report);
    this.#deps.store.put(report).catch((cause) => this.#deps.onStoreFailure(cause));
    void this.#pump();
  }

  /** Skips the back-off when the network or the page is back, but not the server's Retry-After. */
  retryNow(): void {
    if (this.#timer === undefined || performance.now() < this.#notBefore) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#pump();
  }

  /**
   * Resolves once every pending report is answered or a try has failed, immediately if none is
   * pending. For requests that must not overtake the reports.
   */
  settled(): Promise<void> {
    this.retryNow();
    if (!this.#sending) return Promise.resolve();
    return new Promise((resolve) => this.#settledWaiters.push(resolve));
  }

  /** Stops sending; unanswered reports remain stored for the next visit. */
  stop(): void {
    this.#over.abort();
    clearTimeout(this.#timer);
    this.#deps.store.close();
  }

  async #pump(): Promise<void> {
    const { signal } = this.#over;
    if (this.#sending || this.#timer !== undefined) return;
    this.#sending = true;
    try {
      for (;;) {
        const [first] = this.#queue;
        if (first === undefined || signal.aborted) return;
        const outcome = await this.#deps.send(first, this.#ageOf(first), signal);
        if (signal.aborted) return;
        if (outcome.kind === 'try-again') return this.#later(outcome.afterMs);
        // Remains stored: it is sent after the candidate signs in here again.
        if (outcome.kind === 'signed-out') return this.stop();
        this.#failures = 0;
        const dropped = outcome.kind === 'over' ? [...this.#queue] : [first];
        this.#done(dropped);
        if (outcome.kind !== 'answered') for (const report of dropped) this.#deps.onRefused(report);
        if (outcome.kind === 'over') return this.stop();
        if (outcome.kind === 'answered') this.#deps.onAnswer(first, outcome.answer);
      }
    } finally {
      this.#sending = false;
      for (const resolve of this.#settledWaiters.splice(0)) resolve();
    }
  }

  #done(reports: StoredReport[]): void {
    const done = new Set(reports.map(({ id }) => id));
    this.#queue = this.#queue.filter(({ id }) => !done.has(id));
    for (const id of done) {
      this.#deps.store.remove(id).catch((cause) => this.#deps.onStoreFailure(cause));
    }
  }

  #later(afterMs: number | null): void {
    const delay = this.#deps.retryDelayMs(this.#failures, afterMs);
    this.#failures += 1;
    this.#notBefore = afterMs === null ? 0 : performance.now() + afterMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#pump();
    }, delay);
  }

  /** Clamped: the device clock may have been set back or forward. */
  #ageOf({ wallAt }: StoredReport): number {
    const age = Math.round(this.#deps.wallNow() - wallAt);
    return Math.min(VIOLATION_LIMITS.ageMaxMs, Math.max(0, age));
  }
}
