import type { AnswerSync } from './answer-sync.ts';
import type { Accepted, AskedEnd, Stop, SubmitTransport, TimeLeft } from './answer-transport.ts';
import { retryDelayMs } from './back-off.ts';
import { RetryPause } from './retry-pause.ts';
import { timedRequestUntil } from './timed-request.ts';

type SessionStop = Exclude<Stop, { kind: 'closed' }>;

/** How the end came out; `aborted` when the page let go of it, `time-left` when it came too early. */
export type SubmissionEnd = Accepted | TimeLeft | SessionStop | { kind: 'aborted' };

/**
 * Sends the end of the attempt until the server has acknowledged it: a submit may be repeated any
 * number of times and answers the same (I10). What is unsaved goes along; a row the server refuses
 * there is settled by the normal answer path first, so it never blocks the end.
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
    asked: AskedEnd,
    signal: AbortSignal,
    onFailure: (tries: number) => void,
  ): Promise<SubmissionEnd> {
    for (let tries = 1; !signal.aborted; tries += 1) {
      await this.#sync.pause();
      const outcome = await this.#submitOnce(asked, signal);
      // Anyone who let go has said why: a try that was cut off must not be shown over it.
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
          // A submit of a closed attempt is answered, so `closed` can only be news about a row.
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

  async #submitOnce({ auto, deadlineAt }: AskedEnd, signal: AbortSignal) {
    const unsent = this.#sync.unsent;
    return timedRequestUntil(
      (requestSignal) =>
        this.#transport.submit(unsent, { signal: requestSignal, auto, deadlineAt }),
      signal,
    );
  }
}
