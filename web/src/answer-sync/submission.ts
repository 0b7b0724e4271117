import { RetryPause, retryDelayMs, timedRequest } from '../net/retry.ts';
import type { SessionStop } from '../net/stop.ts';
import type { AnswerSync } from './answer-sync.ts';
import type { Accepted, SubmitTransport, TimeLeft } from './answer-transport.ts';
import type { EndRequest } from './change-store.ts';

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
  readonly #pause = new RetryPause();

  constructor(sync: AnswerSync, transport: SubmitTransport) {
    this.#sync = sync;
    this.#transport = transport;
  }

  /** The connection or the page is back. */
  retryNow(): void {
    this.#pause.endNow();
  }

  /**
   * @param onFailure after each try without an answer, with the number of tries so far
   */
  async run(
    asked: Pick<EndRequest, 'auto' | 'deadlineAt'>,
    signal: AbortSignal,
    onFailure: (tries: number) => void,
  ): Promise<SubmissionEnd> {
    for (let tries = 1; !signal.aborted; tries += 1) {
      await this.#sync.pause();
      const { auto, deadlineAt } = asked;
      const outcome = await timedRequest(
        (request) =>
          this.#transport.submit(this.#sync.unsent, { signal: request, auto, deadlineAt }),
        signal,
      );
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
          } else await this.#pause.wait(retryDelayMs(tries - 1), signal);
          if (!signal.aborted) onFailure(tries);
          break;
        case 'try-again':
          onFailure(tries);
          await this.#pause.wait(retryDelayMs(tries - 1, outcome.afterMs), signal);
      }
    }
    return { kind: 'aborted' };
  }
}
