import type { LiveAttempt, LiveEnded, LiveFrame, LiveQuiz } from '@invigil/core/contract/live';
import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import { compareLive } from '@invigil/core/domain/live-order';
import type { Logger } from 'pino';
import type { ServiceClock } from '../../clock.ts';
import type { Database } from '../../db/database.ts';
import { listBoard, listBoardEnded, listBoardQuizzes } from './board-queries.ts';
import { presentLiveAttempt } from './present-board.ts';

/** Figures of whole assessments change slowly and cost more: every so many looks. */
const FIGURES_EVERY = 5;

/** How the board stood when it was looked at last. */
interface Look {
  at: Date;
  attempts: ReadonlyMap<string, LiveAttempt>;
  quizzes: readonly LiveQuiz[];
  ended: readonly LiveEnded[];
}

/**
 * The live board of this process: while anybody looks, one look a second at the database for all of
 * them. Each frame holds what changed since the one before; a newcomer gets a whole one.
 */
export class LiveBoard {
  readonly #db: Database;
  readonly #clock: ServiceClock;
  readonly #log: Logger;
  /** True: the next frame of this watcher is a whole one. */
  readonly #watchers = new Map<(frame: string) => boolean, boolean>();
  #last: Look | undefined;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #lookedAt = 0;

  constructor(db: Database, clock: ServiceClock, log: Logger) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Gives frames to `push`, until the returned function is called. `push` says false when it could
   * not take a frame (a reader that is too slow); its next one is then whole again.
   */
  subscribe(push: (frame: string) => boolean): () => void {
    this.#watchers.set(push, true);
    this.#lookSoon();
    return () => {
      this.#watchers.delete(push);
      if (this.#watchers.size === 0) this.stop();
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = undefined;
  }

  /** Never two looks within a second, however many come. */
  #lookSoon(): void {
    if (this.#timer || this.#isLooking || this.#watchers.size === 0) return;
    const wait = Math.max(0, this.#lookedAt + LIVE_LIMITS.frameEveryMs - performance.now());
    this.#timer = setTimeout(() => void this.#look(), wait);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    this.#isLooking = true;
    this.#lookedAt = performance.now();
    try {
      const before = this.#last;
      const look = await this.#read(before);
      this.#last = look;
      this.#send(before, look);
    } catch (error) {
      this.#log.warn({ err: error }, 'the live board cannot be read; trying again');
    } finally {
      this.#isLooking = false;
      this.#lookSoon();
    }
  }

  async #read(before: Look | undefined): Promise<Look> {
    const at = this.#clock.now();
    const rows = await listBoard(this.#db);
    const attempts = rows.map((row) => presentLiveAttempt(row, at)).sort(compareLive);
    const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]));
    this.#looks += 1;
    const hasGone = [...(before?.attempts.keys() ?? [])].some((id) => !byId.has(id));
    if (before && !hasGone && this.#looks % FIGURES_EVERY !== 0) {
      return { at, attempts: byId, quizzes: before.quizzes, ended: before.ended };
    }
    const since = new Date(at.getTime() - LIVE_LIMITS.endedMs);
    const quizzes = await listBoardQuizzes(this.#db, since);
    const ended = await listBoardEnded(this.#db, since, LIVE_LIMITS.endedMax);
    return { at, attempts: byId, quizzes, ended };
  }

  #send(before: Look | undefined, look: Look): void {
    let whole: string | undefined;
    const change = before ? written(changeFrom(before, look)) : undefined;
    for (const [push, needsWhole] of this.#watchers) {
      if (needsWhole || change === undefined) whole ??= written(wholeOf(look));
      const frame = needsWhole ? whole : (change ?? whole);
      this.#watchers.set(push, frame === undefined || !push(frame));
    }
  }
}

const written = (frame: LiveFrame) => JSON.stringify(frame);

function wholeOf(look: Look): LiveFrame {
  return {
    ...figuresOf(look),
    isWhole: true,
    attempts: [...look.attempts.values()],
    gone: [],
    quizzes: [...look.quizzes],
    ended: [...look.ended],
  };
}

function changeFrom(before: Look, look: Look): LiveFrame {
  return {
    ...figuresOf(look),
    isWhole: false,
    attempts: [...look.attempts.values()].filter((attempt) => {
      const earlier = before.attempts.get(attempt.id);
      return earlier === undefined || hasChanged(earlier, attempt);
    }),
    gone: [...before.attempts.keys()].filter((id) => !look.attempts.has(id)),
    ...(isSame(before.quizzes, look.quizzes) ? {} : { quizzes: [...look.quizzes] }),
    ...(isSame(before.ended, look.ended) ? {} : { ended: [...look.ended] }),
  };
}

function figuresOf(look: Look) {
  const attempts = [...look.attempts.values()];
  return {
    at: look.at.toISOString(),
    writing: attempts.length,
    needAttention: attempts.filter(({ attention }) => attention !== null).length,
  };
}

/** The time that is left runs down by itself; the page knows. */
function hasChanged(before: LiveAttempt, now: LiveAttempt): boolean {
  return !isSame({ ...before, remainingMs: 0 }, { ...now, remainingMs: 0 });
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);
