import type { Connection } from './connection.ts';
import type { CountedPart, Counts, Kind } from './figures.ts';
import { newCounts } from './figures.ts';

/** A later response is lost: the server responds within 15 s or not at all. */
const WAIT_FOR_LAST_MS = 30_000;

/** Callbacks for a successful response, and for the end of a request in any way. */
export interface Then {
  answered?(answer: Buffer): void;
  ended?(): void;
}

/** One part of the run: its requests and their results. */
export class Asked {
  readonly #counts = new Map<Kind, Counts>();
  #open = 0;
  #whenNoneOpen: (() => void) | undefined;
  #from = performance.now();

  /** Sends a request when the connection is free; latency is measured from `at`. */
  ask(line: Connection, kind: Kind, at: number, request: () => Buffer, then: Then = {}): void {
    const counts = this.#counts.get(kind) ?? newCounts();
    this.#counts.set(kind, counts);
    this.#open += 1;
    const ended = () => {
      counts.at.push(at - this.#from);
      counts.ms.push(performance.now() - at);
      then.ended?.();
      this.#open -= 1;
      if (this.#open === 0) this.#whenNoneOpen?.();
    };
    line.send({
      request,
      answered: (status, answer) => {
        if (status < 300) counts.ok += 1;
        else {
          counts[status < 500 ? 'refused' : 'failed'] += 1;
          counts.firstTrouble ??= `${status} ${bodyOf(answer).slice(0, 400)}`;
        }
        if (status < 300) then.answered?.(answer);
        ended();
      },
      // The time of a lost request is a lower bound.
      lost: (why) => {
        counts.unanswered += 1;
        counts.firstTrouble ??= why;
        ended();
      },
    });
  }

  /** A closed loop: each of them sends again after its response, until the time is up. */
  async repeat<T>(
    people: readonly T[],
    seconds: number,
    send: (person: T, at: number, then: Then) => void,
  ): Promise<{ latestMs: number }> {
    const until = performance.now() + seconds * 1_000;
    const sendRepeatedly = (person: T) =>
      new Promise<void>((resolve) => {
        const again = () => {
          const now = performance.now();
          if (now >= until) resolve();
          else send(person, now, { ended: again });
        };
        again();
      });
    await Promise.all(people.map(sendRepeatedly));
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
    if (this.#open > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#whenNoneOpen = resolve;
      const timer = setTimeout(resolve, WAIT_FOR_LAST_MS);
      await promise;
      clearTimeout(timer);
    }
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

/** The body of a response, as text. */
export function bodyOf(answer: Buffer): string {
  return answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4);
}
