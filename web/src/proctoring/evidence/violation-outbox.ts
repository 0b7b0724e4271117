import type { ViolationAnswer } from '@invigil/core/contract/violations';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import type { StoredReport, ViolationStore } from './violation-store.ts';

/** What became of one request. `refused`: this report will never be taken. `over`: none will. */
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
  /** This report will never be taken. */
  onRefused(report: StoredReport): void;
  /** Milliseconds before the next try after the n-th failure in a row. */
  retryDelayMs(failures: number, afterMs: number | null): number;
  /** Milliseconds since 1970. */
  wallNow(): number;
  /** The browser refuses to store; reports wait in the page only. */
  onStoreFailure(cause: unknown): void;
}

/**
 * Findings on their way to the server: stored first, then sent in their order, one at a time, until
 * each has its answer. The server knows them by their ids, so sending again counts once. No total
 * of this page is ever sent.
 */
export class ViolationOutbox {
  readonly #deps: OutboxDeps;
  readonly #over = new AbortController();
  #queue: StoredReport[] = [];
  #sending = false;
  readonly #settledWaiters: (() => void)[] = [];
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The server asked to be left alone until then, by the monotonic clock. */
  #notBefore = 0;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** Reports that have no answer yet. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Sends what an earlier visit left, before anything newer. */
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

  /** The network is back, or the page: nothing is waited for, unless the server asked for it. */
  retryNow(): void {
    if (this.#timer === undefined || performance.now() < this.#notBefore) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#pump();
  }

  /**
   * Resolves once everything that waits has its answer, or a try got none: before something that
   * must not overtake the reports. At once when nothing waits.
   */
  settled(): Promise<void> {
    this.retryNow();
    if (!this.#sending) return Promise.resolve();
    return new Promise((resolve) => this.#settledWaiters.push(resolve));
  }

  /** Ends sending; what has no answer stays stored for the next visit. */
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
        // Kept: it is sent when this person has signed in here again.
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

  /** A clock that was set back makes no negative age, one set forward none that is refused. */
  #ageOf({ wallAt }: StoredReport): number {
    const age = Math.round(this.#deps.wallNow() - wallAt);
    return Math.min(VIOLATION_LIMITS.ageMaxMs, Math.max(0, age));
  }
}
