import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { RetryQueue, type TryAgain } from '../net/retry.ts';
import { isSessionStop, type Stop } from '../net/stop.ts';
import type { AnswerChange, AnswerNotice, AnswerSheet } from './answer-sheet.ts';
import {
  type AnswerTransport,
  type LoadOutcome,
  type RefusedRow,
  type SaveNews,
  type SaveOutcome,
  wireRow,
} from './answer-transport.ts';

export interface SenderDeps {
  sheet: AnswerSheet;
  transport: AnswerTransport;
  /** Deletes a change that no longer has to be sent. */
  forget(questionId: string, revision: number): void;
  onNews(news: SaveNews): void;
  onNotices(notices: AnswerNotice[]): void;
  /** The sender's state or the sheet may have changed. */
  onChange(): void;
}

/** The next request: some changes, or a fetch of the stored answers. */
type Request = AnswerChange[] | 'stored';

const NOT_SAVED: TryAgain = { kind: 'try-again', afterMs: null };

/**
 * Sends the changes of the sheet: one request in flight, while later clicks coalesce in the sheet. A row
 * that the server refuses is parked and never blocks the others; when nothing else is pending, the
 * server's value is fetched for it and shown.
 */
export class AnswerSender {
  /** Sends, pauses and retries. */
  readonly queue: RetryQueue<Request, SaveOutcome | LoadOutcome>;
  readonly #deps: SenderDeps;
  /** Revision per question that is durable, or as durable as this browser can make it. */
  readonly #sendable = new Map<string, number>();
  readonly #parked = new Map<string, { revision: number; row: RefusedRow }>();
  #limit: { bytes: number; rows: number } = {
    bytes: REQUEST_LIMITS.saveAnswersClientBytes,
    rows: Number.POSITIVE_INFINITY,
  };
  #stop: Stop | { kind: 'ended' } | null = null;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    const { transport } = deps;
    this.queue = new RetryQueue({
      next: () => this.#next(),
      send: (request, signal): Promise<SaveOutcome | LoadOutcome> =>
        request === 'stored'
          ? transport.load({ signal })
          : transport.save(request, { signal, keepalive: false }),
      settle: (request, outcome) => this.#settle(request, outcome),
      onChange: () => deps.onChange(),
    });
  }

  get stopped(): Stop | { kind: 'ended' } | null {
    return this.#stop;
  }

  /** Allows a change to be sent: it is stored on this device (or cannot be). */
  release(change: AnswerChange): void {
    const earlier = this.#sendable.get(change.questionId) ?? 0;
    if (change.revision > earlier) this.#sendable.set(change.questionId, change.revision);
    this.queue.start();
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

  /** Stops for good. Pending changes remain in the store. */
  end(why: Stop | { kind: 'ended' } = { kind: 'ended' }): void {
    if (this.#stop !== null) return;
    this.#stop = why;
    this.queue.stop();
    this.#deps.onChange();
  }

  #waiting({ durableOnly }: { durableOnly: boolean }): AnswerChange[] {
    return this.#deps.sheet.unsent.filter(({ questionId, revision }) => {
      if (this.#parked.get(questionId)?.revision === revision) return false;
      return !durableOnly || (this.#sendable.get(questionId) ?? 0) >= revision;
    });
  }

  #next(): Request | null {
    const batch = firstBatch(this.#waiting({ durableOnly: true }), this.#limit);
    if (batch.length > 0) return batch;
    return this.#parked.size > 0 ? 'stored' : null;
  }

  #settle(request: Request, outcome: SaveOutcome | LoadOutcome): TryAgain | null {
    if (outcome.kind === 'try-again') return outcome;
    if (outcome.kind === 'closed' || isSessionStop(outcome)) this.end(outcome);
    else if (outcome.kind === 'loaded') this.#settleParked(outcome.answers);
    else if (request !== 'stored') return this.#settleSave(request, outcome);
    return null;
  }

  #settleSave(batch: AnswerChange[], outcome: Exclude<SaveOutcome, TryAgain | Stop>) {
    switch (outcome.kind) {
      case 'saved':
        // An acknowledgement without any of the rows would be retried at once, forever.
        return this.#acknowledged(batch, outcome) ? null : NOT_SAVED;
      case 'refused':
        this.#refused(batch, outcome.rows, outcome.message);
        return null;
      case 'too-large':
        if (batch.length === 1) this.#refused(batch, [], 'This answer is too large to be saved');
        else this.#limit = { ...this.#limit, bytes: halfBytes(batch) };
        return null;
    }
  }

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
  #settleParked(answers: readonly AnswerChange[]): void {
    const { sheet, forget, onNotices } = this.#deps;
    const byQuestion = new Map(answers.map((answer) => [answer.questionId, answer]));
    const notices: AnswerNotice[] = [];
    for (const [questionId, { revision, row }] of this.#parked) {
      const stored = byQuestion.get(questionId);
      const value = stored ?? { answer: '', isFlagged: false, revision: 0 };
      sheet.takeStored(questionId, value, revision);
      forget(questionId, revision);
      notices.push({ questionId, reason: row.reason, message: row.message });
    }
    this.#parked.clear();
    onNotices(notices);
  }
}

const encoder = new TextEncoder();
const ENVELOPE_BYTES = encoder.encode('{"answers":[]}').length;

/** Bytes of a request that carries these changes. */
function requestBytes(changes: readonly AnswerChange[]): number {
  return changes.reduce((sum, change) => sum + rowBytes(change) + 1, ENVELOPE_BYTES - 1);
}

/** A limit that fits half of these changes. */
function halfBytes(changes: readonly AnswerChange[]): number {
  return ENVELOPE_BYTES + Math.ceil((requestBytes(changes) - ENVELOPE_BYTES) / 2);
}

/** The longest prefix of `changes` that fits both limits; at least one row if there is any. */
function firstBatch(
  changes: readonly AnswerChange[],
  limit: { bytes: number; rows: number },
): AnswerChange[] {
  const batch: AnswerChange[] = [];
  let bytes = ENVELOPE_BYTES - 1;
  for (const change of changes) {
    bytes += rowBytes(change) + 1;
    if (batch.length > 0 && (bytes > limit.bytes || batch.length >= limit.rows)) break;
    batch.push(change);
  }
  return batch;
}

function rowBytes(change: AnswerChange): number {
  return encoder.encode(JSON.stringify(wireRow(change))).length;
}
