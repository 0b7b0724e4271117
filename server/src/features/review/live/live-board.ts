import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import { compareLive } from '@invigil/core/domain/live-order';
import type { Logger } from 'pino';
import type { Notifications } from '../../../db/connection/notifications.ts';
import type { Database } from '../../../db/database.ts';
import type { ServiceClock } from '../../../runtime/clock.ts';
import { policyFor } from '../../attempts/present.ts';
import { applyChange, changeFrom, type Look, wholeOf, written } from './board-frames.ts';
import {
  type KindCounts,
  listBoard,
  listBoardEnded,
  listBoardQuizzes,
  listKindCounts,
} from './board-queries.ts';
import { LOOK_CHANNEL, listLooksAfter, publishLook, takeTurn } from './look-queries.ts';
import { parseFrame } from './parse-frame.ts';
import { type BoardAttempt, needsKindCounts, presentLiveAttempt } from './present-board.ts';

/** Figures of whole assessments change slowly and cost more: every so many looks. */
const FIGURES_EVERY = 5;

/**
 * The live board. While anybody looks, wherever, one process of all looks at the tables once a second
 * and tells the others, by one word, that there is something to read; they send on what it has found.
 * Who looks is settled anew each second, so that nothing stops with a process that ends.
 *
 * Each frame holds what changed since the one before; a newcomer gets a whole one.
 */
export class LiveBoard {
  readonly #db: Database;
  readonly #clock: ServiceClock;
  readonly #log: Logger;
  readonly #notifications: Notifications;
  /** True: the next frame of this watcher is a whole one. */
  readonly #watchers = new Map<(frame: string) => boolean, boolean>();
  #last: Look | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** A look of another process was told of while this one was busy. */
  #isToldOf = false;
  #lookedAt = 0;

  constructor(db: Database, clock: ServiceClock, log: Logger, notifications: Notifications) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#notifications = notifications;
    notifications.on(LOOK_CHANNEL, (number) => this.#hear(Number(number)));
  }

  /**
   * Gives frames to `push`, until the returned function is called. `push` says false when it could
   * not take a frame (a reader that is too slow); its next one is then whole again.
   */
  subscribe(push: (frame: string) => boolean): () => void {
    this.#watchers.set(push, true);
    void this.#notifications.listen();
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
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lookedAt = performance.now();
      void this.#alone(() => this.#lookOrFollow());
    }, wait);
    this.#timer.unref();
  }

  #hear(number: number): void {
    if (this.#watchers.size === 0 || number === this.#last?.number) return;
    if (this.#isLooking) this.#isToldOf = true;
    else if (this.#last) void this.#alone(() => this.#follow());
  }

  /** One thing at a time. */
  async #alone(work: () => Promise<void>): Promise<void> {
    this.#isLooking = true;
    try {
      this.#isToldOf = false;
      await work();
      while (this.#isToldOf) {
        this.#isToldOf = false;
        await this.#follow();
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'the live board cannot be read; trying again');
    } finally {
      this.#isLooking = false;
      // Nobody looks any more: whoever comes next is not told how it stood now.
      if (this.#watchers.size === 0) this.#last = undefined;
      this.#lookSoon();
    }
  }

  async #lookOrFollow(): Promise<void> {
    const { number, isOurs } = await takeTurn(this.#db);
    if (!isOurs) {
      if (this.#last) return this.#follow();
      // The look with this number may be on its way or over: it is read again, which does no harm.
      return this.#send(await this.#read(undefined, number - 1));
    }
    if (this.#last && this.#last.number < number - 1) await this.#follow();
    const before = this.#last?.number === number - 1 ? this.#last : undefined;
    const look = await this.#read(before, number);
    const change = before && written(changeFrom(before, look));
    const isTold = await publishLook(this.#db, number, change ?? null);
    // Two frames are a second apart also when a look took longer than the next one.
    this.#lookedAt = performance.now();
    if (isTold) this.#send(look, change);
  }

  /** Sends on what other processes have found since the last frame. */
  async #follow(): Promise<void> {
    const last = this.#last;
    if (!last) return;
    for (const { number, frame } of await listLooksAfter(this.#db, last.number)) {
      const before: Look = this.#last ?? last;
      if (frame === null || number !== before.number + 1) {
        // Something is missing: this process looks for itself, once.
        return this.#send(await this.#read(undefined, number));
      }
      this.#send(applyChange(before, number, parseFrame(frame)), frame);
    }
  }

  async #read(before: Look | undefined, number: number): Promise<Look> {
    const at = this.#clock.now();
    const rows = await listBoard(this.#db, new Date(at.getTime() - LIVE_LIMITS.attentionMs));
    const writing = rows.map((row) => ({ ...row, policy: policyFor(row) }));
    const kinds = await this.#readKinds(writing);
    const sorted = writing
      .map((row) => presentLiveAttempt(row, kinds.get(row.id), at))
      .sort(compareLive);
    const attempts = new Map(sorted.map((attempt) => [attempt.id, attempt]));
    const hasGone = [...(before?.attempts.keys() ?? [])].some((id) => !attempts.has(id));
    if (before && !hasGone && number % FIGURES_EVERY !== 0) {
      return { number, at, attempts, quizzes: before.quizzes, ended: before.ended };
    }
    const since = new Date(at.getTime() - LIVE_LIMITS.endedMs);
    const countedSince = new Date(at.getTime() - LIVE_LIMITS.endsCountedMs);
    const quizzes = await listBoardQuizzes(this.#db, since, countedSince);
    const ended = await listBoardEnded(this.#db, since, LIVE_LIMITS.endedMax);
    return { number, at, attempts, quizzes, ended };
  }

  /** Few are that near a limit of one kind alone; where nobody is, nothing is asked. */
  async #readKinds(writing: readonly BoardAttempt[]): Promise<Map<string, KindCounts>> {
    const ids = writing.filter(needsKindCounts).map(({ id }) => id);
    const counts = ids.length === 0 ? [] : await listKindCounts(this.#db, ids);
    return new Map(counts.map((count) => [count.id, count]));
  }

  /** @param change the frame for those who had the one before; without it everybody gets a whole one */
  #send(look: Look, change?: string): void {
    this.#last = look;
    let whole: string | undefined;
    for (const [push, needsWhole] of this.#watchers) {
      if (needsWhole || change === undefined) whole ??= written(wholeOf(look));
      const frame = needsWhole ? whole : (change ?? whole);
      this.#watchers.set(push, frame === undefined || !push(frame));
    }
  }
}
