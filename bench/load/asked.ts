import type { Connection } from './connection.ts';
import { Open } from './follow-timetable.ts';
import { countLost, countResponse, type KindCounts, newCounts } from './latencies.ts';
import type { CountedPart, Kind } from './load-clients.ts';

/** Callbacks for a successful response, and for the end of a request in any way. */
export interface Then {
  answered?(answer: Buffer): void;
  ended?(): void;
}

/** One part of the run: its requests and their results. */
export class Asked {
  readonly #counts = new Map<Kind, KindCounts>();
  readonly #open = new Open();
  #from = performance.now();

  /** Sends a request when the connection is free; latency is measured from `at`. */
  ask(line: Connection, kind: Kind, at: number, request: () => Buffer, then: Then = {}): void {
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

  /** A closed loop: each connection sends again after its response, until the time is up. */
  async repeat(
    lines: readonly Connection[],
    seconds: number,
    kind: Kind,
    next: () => () => Buffer,
  ): Promise<{ latestMs: number }> {
    const until = performance.now() + seconds * 1_000;
    const sendRepeatedly = (line: Connection) =>
      new Promise<void>((resolve) => {
        const again = () => {
          const now = performance.now();
          if (now >= until) resolve();
          else this.ask(line, kind, now, next(), { ended: again });
        };
        again();
      });
    await Promise.all(lines.map(sendRepeatedly));
    // Nothing is scheduled in a closed loop.
    return { latestMs: 0 };
  }

  /**
   * Does the work, waits for the last responses, and returns the results.
   *
   * @param work returns how late the generator was at worst
   * @param lines requests still pending on them at the end are given up
   */
  async during(
    plannedSeconds: number,
    lines: () => Iterable<Connection>,
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
