import type { CountedPart, Kind } from './crowd.ts';
import { Open } from './follow-timetable.ts';
import { countLost, countResponse, type KindCounts, newCounts } from './latencies.ts';
import type { Sitter } from './sitter.ts';

/** What to do with an answer that came as asked for, and when it is known how a request ended. */
export interface Then {
  answered?(answer: Buffer): void;
  ended?(): void;
}

/** One part of the run: every request that was made in it, and how it went. */
export class Asked {
  readonly #counts = new Map<Kind, KindCounts>();
  readonly #open = new Open();
  #from = performance.now();

  /** Sends a request when the line is free; its time is measured from `at`. */
  ask(line: Sitter, kind: Kind, at: number, request: () => Buffer, then: Then = {}): void {
    const counts = this.#counts.get(kind) ?? newCounts();
    this.#counts.set(kind, counts);
    this.#open.add();
    line.send({
      request,
      answered: (status, answer) => {
        const text = () => `${status} ${bodyOf(answer)}`;
        countResponse(counts, status, performance.now() - at, text, at - this.#from);
        if (status < 300) then.answered?.(answer);
        then.ended?.();
        this.#open.done();
      },
      lost: (why) => {
        countLost(counts, why, performance.now() - at, at - this.#from);
        then.ended?.();
        this.#open.done();
      },
    });
  }

  /** A closed loop: each line sends again when its answer has come, until the time is up. */
  async repeat(
    lines: readonly Sitter[],
    seconds: number,
    kind: Kind,
    next: () => () => Buffer,
  ): Promise<{ latestMs: number }> {
    const until = performance.now() + seconds * 1_000;
    const sendAgainAndAgain = (line: Sitter) =>
      new Promise<void>((resolve) => {
        const again = () => {
          const now = performance.now();
          if (now >= until) resolve();
          else this.ask(line, kind, now, next(), { ended: again });
        };
        again();
      });
    await Promise.all(lines.map(sendAgainAndAgain));
    // Nothing was scheduled, so nothing was late.
    return { latestMs: 0 };
  }

  /**
   * Does the work, waits for the last answers, and tells how it went.
   *
   * @param work tells how late it was itself, at worst
   * @param lines whatever is still under way on them in the end is given up
   */
  async during(
    plannedSeconds: number,
    lines: () => Iterable<Sitter>,
    work: () => Promise<{ latestMs: number }>,
  ): Promise<CountedPart> {
    const before = process.cpuUsage();
    const from = performance.now();
    this.#from = from;
    const { latestMs } = await work();
    await this.#open.none();
    const wallSeconds = (performance.now() - from) / 1_000;
    const { user, system } = process.cpuUsage(before);
    for (const line of lines()) if (line.isBusy) line.close();
    return {
      kinds: this.#counts,
      wallSeconds,
      plannedSeconds,
      loadMicros: user + system,
      latestMs,
    };
  }
}

function bodyOf(answer: Buffer): string {
  return answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4).slice(0, 400);
}
