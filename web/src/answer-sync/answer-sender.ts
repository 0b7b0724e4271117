import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import type { AnswerChange, AnswerNotice, AnswerSheet } from './answer-sheet.ts';
import type {
  AnswerTransport,
  LoadOutcome,
  RefusedRow,
  SaveNews,
  SaveOutcome,
  Stop,
  TryAgain,
} from './answer-transport.ts';
import { retryDelayMs } from './back-off.ts';
import { firstBatch, halfBytes } from './request-batch.ts';
import { timedRequest } from './timed-request.ts';

/**
 * How much of a Retry-After applies after the connection is back, milliseconds. Our server asks for two
 * seconds; a longer one comes from a proxy, which may be gone.
 */
const MAX_RETRY_AFTER_ONLINE_MS = 5_000;

export interface SenderDeps {
  sheet: AnswerSheet;
  transport: AnswerTransport;
  /** Deletes a change that no longer has to be sent. */
  forget(questionId: string, revision: number): void;
  onNews(news: SaveNews): void;
  onNotices(notices: AnswerNotice[]): void;
  /** The sender's state or the sheet may have changed. */
  onChange(): void;
  /** in [0, 1); spreads the retries */
  random(): number;
}

/**
 * Sends the changes of the sheet: one request in flight, while later clicks coalesce in the sheet. A row
 * that the server refuses is parked and never blocks the others; when nothing else is pending, the
 * server's value is fetched for it and shown.
 */
export class AnswerSender {
  readonly #deps: SenderDeps;
  /** Revision per question that is durable, or as durable as this browser can make it. */
  readonly #sendable = new Map<string, number>();
  readonly #parked = new Map<string, { revision: number; row: RefusedRow }>();
  #limit: { bytes: number; rows: number } = {
    bytes: REQUEST_LIMITS.saveAnswersClientBytes,
    rows: Number.POSITIVE_INFINITY,
  };
  #inFlight: AbortController | null = null;
  readonly #idleWaiters: (() => void)[] = [];
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** End of the server's Retry-After, which `retryNow` respects too. Milliseconds, monotonic. */
  #notBefore = 0;
  #failures = 0;
  #paused = false;
  #stop: Stop | { kind: 'ended' } | null = null;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Failures in a row; above 0 the screen shows that changes are pending. */
  get failures(): number {
    return this.#failures;
  }

  get stopped(): Stop | { kind: 'ended' } | null {
    return this.#stop;
  }

  /** Allows a change to be sent: it is stored on this device (or cannot be). */
  release(change: AnswerChange): void {
    const earlier = this.#sendable.get(change.questionId) ?? 0;
    if (change.revision > earlier) this.#sendable.set(change.questionId, change.revision);
    this.#pump();
  }

  /** Skips the back-off when the network or the page is back. */
  retryNow(): void {
    if (this.#retryTimer === undefined || performance.now() < this.#notBefore) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    this.#pump();
  }

  /**
   * The page closes: sends everything pending in one keepalive request, including the changes of the
   * request in flight, which ends with the page. Saves are idempotent (I7).
   */
  flushForGood(): void {
    const batch = firstBatch(this.#waiting({ durableOnly: false }), this.#limit);
    if (this.#stop !== null || batch.length === 0) return;
    const { signal } = new AbortController();
    void this.#deps.transport.save(batch, { signal, keepalive: true }).then((outcome) => {
      // The answer is optional: if the page stays open, the normal path handles failures.
      if (outcome.kind === 'saved') this.#acknowledged(batch, outcome);
    });
  }

  /** Starts no new request during a submit; the one in flight may finish. */
  pause(): void {
    this.#paused = true;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  resume(): void {
    this.#paused = false;
    this.#pump();
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    if (this.#inFlight === null) return Promise.resolve();
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Stops for good. Pending changes remain in the store. */
  end(why: Stop | { kind: 'ended' } = { kind: 'ended' }): void {
    if (this.#stop !== null) return;
    this.#stop = why;
    this.pause();
    this.#inFlight?.abort();
    this.#deps.onChange();
  }

  #waiting({ durableOnly }: { durableOnly: boolean }): AnswerChange[] {
    return this.#deps.sheet.unsent.filter(({ questionId, revision }) => {
      if (this.#parked.get(questionId)?.revision === revision) return false;
      return !durableOnly || (this.#sendable.get(questionId) ?? 0) >= revision;
    });
  }

  #pump(): void {
    if (this.#stop !== null || this.#paused) return;
    if (this.#inFlight !== null || this.#retryTimer !== undefined) return;
    const batch = firstBatch(this.#waiting({ durableOnly: true }), this.#limit);
    if (batch.length > 0) void this.#send(batch);
    else if (this.#parked.size > 0) void this.#fetchStored();
  }

  async #send(batch: AnswerChange[]): Promise<void> {
    const outcome = await this.#request<SaveOutcome>((signal) =>
      this.#deps.transport.save(batch, { signal, keepalive: false }),
    );
    if (this.#stop !== null) return;
    this.#settle(batch, outcome);
    this.#deps.onChange();
    this.#pump();
  }

  #settle(batch: AnswerChange[], outcome: SaveOutcome): void {
    switch (outcome.kind) {
      case 'saved':
        // An acknowledgement without any of the rows would be retried at once, forever.
        if (!this.#acknowledged(batch, outcome)) this.#later({ kind: 'try-again', afterMs: null });
        return;
      case 'refused':
        this.#refused(batch, outcome.rows, outcome.message);
        return;
      case 'too-large':
        if (batch.length === 1) this.#refused(batch, [], 'This answer is too large to be saved');
        else this.#limit = { ...this.#limit, bytes: halfBytes(batch) };
        return;
      case 'try-again':
        this.#later(outcome);
        return;
      default:
        this.end(outcome);
    }
  }

  /** Returns whether any row of the batch is no longer pending. */
  #acknowledged(batch: readonly AnswerChange[], reply: SaveOutcome & { kind: 'saved' }): boolean {
    const { sheet, forget, onNews, onNotices, onChange } = this.#deps;
    const sent = new Map(batch.map((change) => [change.questionId, change]));
    let progress = false;
    for (const { questionId, revision } of reply.saved) {
      progress = sent.has(questionId) || progress;
      sheet.acknowledge(questionId, revision);
      forget(questionId, revision);
      const parked = this.#parked.get(questionId);
      if (parked !== undefined && parked.revision <= revision) this.#parked.delete(questionId);
    }
    const notices: AnswerNotice[] = [];
    for (const { questionId, ...stored } of reply.stale) {
      const change = sent.get(questionId);
      if (change === undefined) continue;
      progress = true;
      const changed = sheet.takeStored(questionId, stored, change.revision);
      forget(questionId, change.revision);
      if (changed) notices.push({ questionId, reason: 'older', message: null });
    }
    if (progress) this.#failures = 0;
    if (notices.length > 0) onNotices(notices);
    onNews(reply.news);
    onChange();
    return progress;
  }

  #refused(batch: AnswerChange[], rows: readonly RefusedRow[], message: string): void {
    const named = rows.flatMap((row) => {
      const change = batch[row.index];
      return change === undefined ? [] : [{ change, row }];
    });
    const [only] = batch;
    if (named.length === 0 && batch.length === 1 && only !== undefined) {
      named.push({ change: only, row: { index: 0, reason: 'refused', message } });
    }
    for (const { change, row } of named) {
      this.#parked.set(change.questionId, { revision: change.revision, row });
    }
    // The server did not name the row: halve the batch until the refused row is alone.
    this.#limit.rows = named.length > 0 ? Number.POSITIVE_INFINITY : Math.ceil(batch.length / 2);
  }

  /** Replaces the parked rows by the server's values, after which they are no longer pending. */
  async #fetchStored(): Promise<void> {
    const parked = [...this.#parked];
    const outcome = await this.#request<LoadOutcome>((signal) =>
      this.#deps.transport.load({ signal }),
    );
    if (this.#stop !== null) return;
    if (outcome.kind === 'loaded') this.#settleParked(parked, outcome.answers);
    else if (outcome.kind === 'try-again') this.#later(outcome);
    else this.end(outcome);
    this.#deps.onChange();
    this.#pump();
  }

  #settleParked(
    parked: [string, { revision: number; row: RefusedRow }][],
    answers: readonly AnswerChange[],
  ): void {
    const { sheet, forget, onNotices } = this.#deps;
    this.#failures = 0;
    const byQuestion = new Map(answers.map((answer) => [answer.questionId, answer]));
    const notices: AnswerNotice[] = [];
    for (const [questionId, { revision, row }] of parked) {
      const stored = byQuestion.get(questionId);
      const value = stored ?? { selectedOption: '', isFlagged: false, revision: 0 };
      sheet.takeStored(questionId, value, revision);
      forget(questionId, revision);
      this.#parked.delete(questionId);
      notices.push({ questionId, reason: row.reason, message: row.message });
    }
    onNotices(notices);
  }

  #later({ afterMs }: TryAgain): void {
    const delay = retryDelayMs(this.#failures, this.#deps.random(), afterMs);
    this.#failures += 1;
    this.#notBefore = performance.now() + Math.min(afterMs ?? 0, MAX_RETRY_AFTER_ONLINE_MS);
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      this.#pump();
    }, delay);
  }

  async #request<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T | TryAgain> {
    const request = new AbortController();
    this.#inFlight = request;
    try {
      return await timedRequest(call, request);
    } finally {
      this.#inFlight = null;
      for (const resolve of this.#idleWaiters.splice(0)) resolve();
    }
  }
}
