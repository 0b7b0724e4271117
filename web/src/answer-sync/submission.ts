import type { AnswerSync } from './answer-sync.ts';
import type { Accepted, EndRequest, Stop, SubmitTransport, TimeLeft } from './answer-transport.ts';
import { retryDelayMs } from './back-off.ts';
import { RetryPause } from './retry-pause.ts';
import { timedRequestUntil } from './timed-request.ts';

type SessionStop = Exclude<Stop, { kind: 'closed' }>;

/** Outcome of the submit; `aborted` by the page, `time-left` if it was too early. */
export type SubmissionEnd = Accepted | TimeLeft | SessionStop | { kind: 'aborted' };

/**
 * Submits the attempt and retries until the server acknowledges it: a submit is idempotent (I10). It
 * carries the unsaved changes; a row the server refuses is first settled by the normal answer path,
 * so it never blocks the submit.
 */
export class Submission {
  readonly #sync: AnswerSync;
  readonly #transport: SubmitTransport;
  readonly #random: () => number;
  readonly #pause = new RetryPause();

  constructor(sync: AnswerSync, transport: SubmitTransport, random: () => number = Math.random) {
    this.#sync = sync;
    this.#transport = transport;
    this.#random = random;
  }

  /** The connection or the page is back. */
  retryNow(): void {
    this.#pause.endNow();
  }

  /**
   * @param onFailure after each try without an answer, with the number of tries so far
   */
  async run(
    asked: EndRequest,
    signal: AbortSignal,
    onFailure: (tries: number) => void,
  ): Promise<SubmissionEnd> {
    for (let tries = 1; !signal.aborted; tries += 1) {
      await this.#sync.pause();
      const outcome = await this.#submitOnce(asked, signal);
      // The caller that aborted knows why: do not report the aborted try.
      if (signal.aborted && outcome.kind !== 'accepted') break;
      switch (outcome.kind) {
        case 'time-left':
          return outcome;
        case 'accepted':
          await this.#sync.finish();
          return outcome;
        case 'replaced':
        case 'foreign':
        case 'signed-out':
          this.#sync.stop(outcome);
          return outcome;
        case 'refused':
        case 'closed':
          // A closed attempt accepts a repeated submit, so `closed` can only concern a row.
          if (this.#sync.unsent.length > 0) {
            this.#sync.resumeSending();
            await this.#sync.drained();
          } else await this.#pause.wait(retryDelayMs(tries - 1, this.#random(), null), signal);
          if (!signal.aborted) onFailure(tries);
          break;
        case 'try-again':
          onFailure(tries);
          await this.#pause.wait(retryDelayMs(tries - 1, this.#random(), outcome.afterMs), signal);
      }
    }
    return { kind: 'aborted' };
  }

  async #submitOnce({ auto, deadlineAt }: EndRequest, signal: AbortSignal) {
    const unsent = this.#sync.unsent;
    return timedRequestUntil(
      (requestSignal) =>
        this.#transport.submit(unsent, { signal: requestSignal, auto, deadlineAt }),
      signal,
    );
  }
}
