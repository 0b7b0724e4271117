import { LiveFrame } from '@invigil/core/contract/review/live';
import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import { compareLive } from '@invigil/core/domain/live-order';
import type { Logger } from 'pino';
import type { Notifications } from '../../../db/connection/notifications.ts';
import type { Database } from '../../../db/database.ts';
import type { ServiceClock } from '../../../runtime/clock.ts';
import { policyFor } from '../../attempts/present.ts';
import {
  applyChange,
  type BoardSnapshot,
  changeFrame,
  toJson,
  wholeFrame,
} from './board-frames.ts';
import {
  type KindCounts,
  listBoard,
  listBoardEnded,
  listBoardQuizzes,
  listKindCounts,
} from './board-queries.ts';
import { claimPoll, listPollsAfter, POLL_CHANNEL, publishPoll } from './poll-queries.ts';
import { type BoardAttempt, needsKindCounts, presentLiveAttempt } from './present-board.ts';

/** Counts of whole assessments change slowly and cost more: read every so many polls. */
const COUNTS_EVERY = 5;

/**
 * The live board. While it has a viewer in any process, one of the processes polls the tables once
 * a second, publishes what changed and notifies the others, which forward it to their own viewers.
 * The poll is claimed again each second, so it continues when a process ends.
 *
 * Each frame holds what changed since the one before; a new viewer first receives a whole one.
 */
export class LiveBoard {
  readonly #db: Database;
  readonly #clock: ServiceClock;
  readonly #log: Logger;
  readonly #notifications: Notifications;
  /** True: the next frame of this watcher is a whole one. */
  readonly #watchers = new Map<(frame: string) => boolean, boolean>();
  #last: BoardSnapshot | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  /** Another process published a poll while this one was busy. */
  #hasPending = false;
  #polledAt = 0;

  constructor(db: Database, clock: ServiceClock, log: Logger, notifications: Notifications) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#notifications = notifications;
    notifications.on(POLL_CHANNEL, (number) => this.#receive(Number(number)));
  }

  /**
   * Passes frames to `push` until the returned function is called. `push` returns false when it
   * could not take a frame (the reader is too slow); its next frame is then a whole one.
   */
  subscribe(push: (frame: string) => boolean): () => void {
    this.#watchers.set(push, true);
    void this.#notifications.listen();
    this.#schedulePoll();
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

  /** Never two polls within a second, however many viewers there are. */
  #schedulePoll(): void {
    if (this.#timer || this.#isPolling || this.#watchers.size === 0) return;
    const wait = Math.max(0, this.#polledAt + LIVE_LIMITS.frameEveryMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#polledAt = performance.now();
      void this.#runExclusive(() => this.#pollOrFollow());
    }, wait);
    this.#timer.unref();
  }

  #receive(number: number): void {
    if (this.#watchers.size === 0 || number === this.#last?.number) return;
    if (this.#isPolling) this.#hasPending = true;
    else if (this.#last) void this.#runExclusive(() => this.#follow());
  }

  /** Runs one task at a time, then whatever was published during it. */
  async #runExclusive(work: () => Promise<void>): Promise<void> {
    this.#isPolling = true;
    try {
      this.#hasPending = false;
      await work();
      while (this.#hasPending) {
        this.#hasPending = false;
        await this.#follow();
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'the live board cannot be read; trying again');
    } finally {
      this.#isPolling = false;
      // The last viewer left during this: the next one must not receive an old state.
      if (this.#watchers.size === 0) this.#last = undefined;
      this.#schedulePoll();
    }
  }

  async #pollOrFollow(): Promise<void> {
    const { number, isOurs } = await claimPoll(this.#db);
    if (!isOurs) {
      if (this.#last) return this.#follow();
      // The poll with this number may be running or over: reading it again does no harm.
      return this.#send(await this.#read(undefined, number - 1));
    }
    if (this.#last && this.#last.number < number - 1) await this.#follow();
    const before = this.#last?.number === number - 1 ? this.#last : undefined;
    const snapshot = await this.#read(before, number);
    const change = before && toJson(changeFrame(before, snapshot));
    const isPublished = await publishPoll(this.#db, number, change ?? null);
    // Counted from the end: frames stay a second apart even when one poll is slower than the next.
    this.#polledAt = performance.now();
    if (isPublished) this.#send(snapshot, change);
  }

  /** Forwards what other processes have published since the last frame. */
  async #follow(): Promise<void> {
    const last = this.#last;
    if (!last) return;
    for (const { number, frame } of await listPollsAfter(this.#db, last.number)) {
      const before: BoardSnapshot = this.#last ?? last;
      if (frame === null || number !== before.number + 1) {
        // A change is missing: this process reads the tables itself, once.
        return this.#send(await this.#read(undefined, number));
      }
      this.#send(applyChange(before, number, parseFrame(frame)), frame);
    }
  }

  async #read(before: BoardSnapshot | undefined, number: number): Promise<BoardSnapshot> {
    const at = this.#clock.now();
    const rows = await listBoard(this.#db, new Date(at.getTime() - LIVE_LIMITS.attentionMs));
    const writing = rows.map((row) => ({ ...row, policy: policyFor(row) }));
    const kinds = await this.#readKinds(writing);
    const sorted = writing
      .map((row) => presentLiveAttempt(row, kinds.get(row.id), at))
      .sort(compareLive);
    const attempts = new Map(sorted.map((attempt) => [attempt.id, attempt]));
    const hasGone = [...(before?.attempts.keys() ?? [])].some((id) => !attempts.has(id));
    if (before && !hasGone && number % COUNTS_EVERY !== 0) {
      return { number, at, attempts, quizzes: before.quizzes, ended: before.ended };
    }
    const since = new Date(at.getTime() - LIVE_LIMITS.endedMs);
    const countedSince = new Date(at.getTime() - LIVE_LIMITS.endsCountedMs);
    const quizzes = await listBoardQuizzes(this.#db, since, countedSince);
    const ended = await listBoardEnded(this.#db, since, LIVE_LIMITS.endedMax);
    return { number, at, attempts, quizzes, ended };
  }

  /** Few attempts are that near a limit of one kind; without any, there is no query. */
  async #readKinds(writing: readonly BoardAttempt[]): Promise<Map<string, KindCounts>> {
    const ids = writing.filter(needsKindCounts).map(({ id }) => id);
    const counts = ids.length === 0 ? [] : await listKindCounts(this.#db, ids);
    return new Map(counts.map((count) => [count.id, count]));
  }

  /**
   * @param change for viewers that had the frame before; without it everyone receives a whole one
   */
  #send(snapshot: BoardSnapshot, change?: string): void {
    this.#last = snapshot;
    let whole: string | undefined;
    for (const [push, needsWhole] of this.#watchers) {
      if (needsWhole || change === undefined) whole ??= toJson(wholeFrame(snapshot));
      const frame = needsWhole ? whole : (change ?? whole);
      this.#watchers.set(push, frame === undefined || !push(frame));
    }
  }
}

/** Parses a frame that another process published. */
function parseFrame(text: string): LiveFrame {
  return LiveFrame.parse(JSON.parse(text));
}
