import type { KnownPerson } from '@invigil/core/contract/definition/classified';
import {
  type BoardAttempt,
  type BoardEnd,
  BoardFrame,
  type LiveAttempt,
  type LiveFrame,
  type LiveQuiz,
} from '@invigil/core/contract/review/live';
import { deadlineShown, lastingPause, remainingMs } from '@invigil/core/domain/attempt';
import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import { attentionOf, compareLive, isOffline } from '@invigil/core/domain/live-order';
import { knownOf, userNameOf } from '@invigil/core/domain/people';
import type { Reach } from '@invigil/core/domain/rights';
import { isLastChance } from '@invigil/core/domain/violations/violation-counting';
import type { PolicySettings } from '@invigil/core/domain/violations/violation-policy';
import type { CountingType } from '@invigil/core/domain/violations/violation-types';
import type { Logger } from 'pino';
import type { Notifications } from '../../../db/connection/notifications.ts';
import type { Database } from '../../../db/database.ts';
import type { ServiceClock } from '../../../runtime/clock.ts';
import { followsPhoneRules, policyFor } from '../../attempts/present.ts';
import {
  type BoardEnded,
  type BoardRow,
  type KindCounts,
  listBoard,
  listBoardEnded,
  listBoardQuizzes,
  listKindCounts,
} from './board-queries.ts';
import { claimPoll, listPollsAfter, POLL_CHANNEL, publishPoll } from './poll-queries.ts';

interface Opened {
  opened?: Pick<LiveAttempt, keyof typeof KnownPerson> | undefined;
}
/** JSON leaves these out. */
const NOTHING_KNOWN = {
  userName: undefined,
  externalId: undefined,
  groups: undefined,
  fields: undefined,
};

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
  readonly #watchers = new Map<
    (frame: string) => boolean,
    { needsWhole: boolean; seesEveryone: boolean }
  >();
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
   *
   * @param sees where the viewer may see people
   */
  subscribe(push: (frame: string) => boolean, sees: Reach): () => void {
    this.#watchers.set(push, { needsWhole: true, seesEveryone: sees === 'all' });
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
      // A database that has crashed counts the polls from one again.
      if (this.#last && this.#last.number <= number) return this.#follow();
      // The poll with this number may be running or over: reading it again does no harm.
      return this.#send(await this.#read(undefined, number - 1));
    }
    if (this.#last && this.#last.number < number - 1) await this.#follow();
    const before = this.#last?.number === number - 1 ? this.#last : undefined;
    const snapshot = await this.#read(before, number);
    const change = before && changeFrame(before, snapshot);
    const isPublished = await publishPoll(this.#db, number, change ? toJson(change) : null);
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
      const change = parseFrame(frame);
      this.#send(applyChange(before, number, change), change);
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
    return { number, at, attempts, quizzes, ended: ended.map(presentEnded) };
  }

  /** Few attempts are that near a limit of one kind; without any, there is no query. */
  async #readKinds(writing: readonly RunningRow[]): Promise<Map<string, KindCounts>> {
    const ids = writing.filter(needsKindCounts).map(({ id }) => id);
    const counts = ids.length === 0 ? [] : await listKindCounts(this.#db, ids);
    return new Map(counts.map((count) => [count.id, count]));
  }

  /**
   * @param change for viewers that had the frame before; without it everyone receives a whole one
   */
  #send(snapshot: BoardSnapshot, change?: BoardFrame): void {
    this.#last = snapshot;
    const whole = textsOf(() => wholeFrame(snapshot));
    const changed = change ? textsOf(() => change) : whole;
    for (const [push, { needsWhole, seesEveryone }] of this.#watchers) {
      const frame = (needsWhole ? whole : changed)(seesEveryone);
      this.#watchers.set(push, { needsWhole: !push(frame), seesEveryone });
    }
  }
}

/** The texts of a frame for both kinds of viewers, each made once and when it is needed. */
function textsOf(frameOf: () => BoardFrame): (seesEveryone: boolean) => string {
  let frame: BoardFrame | undefined;
  const texts = new Map<boolean, string>();
  return (seesEveryone) => {
    frame ??= frameOf();
    const text = texts.get(seesEveryone) ?? toJson(shownTo(seesEveryone, frame));
    texts.set(seesEveryone, text);
    return text;
  };
}

function shownTo(seesEveryone: boolean, { attempts, ended, ...frame }: BoardFrame): LiveFrame {
  const shown = <T extends Opened>({ opened: other, ...row }: T) =>
    other === undefined || seesEveryone ? row : { ...row, ...NOTHING_KNOWN, ...other };
  return {
    ...frame,
    attempts: attempts.map(shown),
    ...(ended ? { ended: ended.map(shown) } : {}),
  };
}

/** Parses a frame that another process published. */
function parseFrame(text: string): BoardFrame {
  return BoardFrame.parse(JSON.parse(text));
}

/** The state of the board at one poll. */
interface BoardSnapshot {
  /** The number of the poll, counted across all processes. */
  number: number;
  at: Date;
  attempts: ReadonlyMap<string, BoardAttempt>;
  quizzes: readonly LiveQuiz[];
  ended: readonly BoardEnd[];
}

const toJson = (frame: LiveFrame | BoardFrame) => JSON.stringify(frame);

/** Everything on the board, the most urgent first. */
function wholeFrame(snapshot: BoardSnapshot): BoardFrame {
  const attempts = [...snapshot.attempts.values()].sort(compareLive);
  return {
    ...summaryOf(snapshot),
    isWhole: true,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      // An unchanged attempt still has the value of an earlier poll.
      remainingMs: attempt.pause
        ? attempt.remainingMs
        : remainingMs(new Date(attempt.deadlineAt), snapshot.at),
    })),
    gone: [],
    quizzes: [...snapshot.quizzes],
    ended: [...snapshot.ended],
  };
}

function changeFrame(before: BoardSnapshot, snapshot: BoardSnapshot): BoardFrame {
  return {
    ...summaryOf(snapshot),
    isWhole: false,
    attempts: [...snapshot.attempts.values()].filter((attempt) => {
      const earlier = before.attempts.get(attempt.id);
      return earlier === undefined || hasChanged(earlier, attempt);
    }),
    gone: [...before.attempts.keys()].filter((id) => !snapshot.attempts.has(id)),
    ...(isSame(before.quizzes, snapshot.quizzes) ? {} : { quizzes: [...snapshot.quizzes] }),
    ...(isSame(before.ended, snapshot.ended) ? {} : { ended: [...snapshot.ended] }),
  };
}

/** Rebuilds the snapshot of another process from the change that it published. */
function applyChange(before: BoardSnapshot, number: number, change: BoardFrame): BoardSnapshot {
  const attempts = new Map(before.attempts);
  for (const id of change.gone) attempts.delete(id);
  for (const attempt of change.attempts) attempts.set(attempt.id, attempt);
  return {
    number,
    at: new Date(change.at),
    attempts,
    quizzes: change.quizzes ?? before.quizzes,
    ended: change.ended ?? before.ended,
  };
}

function summaryOf(snapshot: BoardSnapshot) {
  const attempts = [...snapshot.attempts.values()];
  return {
    at: snapshot.at.toISOString(),
    writing: attempts.length,
    needAttention: attempts.filter(({ attention }) => attention !== null).length,
  };
}

/** The remaining time is ignored: the page counts it down itself. */
function hasChanged(before: BoardAttempt, now: BoardAttempt): boolean {
  return !isSame({ ...before, remainingMs: 0 }, { ...now, remainingMs: 0 });
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** A row of the board with the policy as it applies to the person, parsed once per poll. */
type RunningRow = BoardRow & { policy: PolicySettings };

/**
 * Whether face or voice alone may be one away from its own limit. Then they have to be counted by
 * kind: the sum of both does not show it.
 */
function needsKindCounts({ policy, signal, countedViolations }: RunningRow): boolean {
  const { limits, combinedTypes, camera, microphone } = policy;
  if (signal === null) return false;
  // The combined limit is already near, which is at least as urgent.
  if (combinedTypes.length > 0 && isNear(countedViolations, limits.combined)) return false;
  const mayBeNear = (type: CountingType, limit: number | null) =>
    isNear(combinedTypes.some((one) => one === type) ? countedViolations : Infinity, limit);
  return (
    (camera && mayBeNear('face_not_detected', limits.face)) ||
    (microphone && mayBeNear('voice_detected', limits.voice))
  );
}

const isNear = (count: number, limit: number | null) =>
  limit !== null && count > 0 && count >= limit - 1;

function presentEnded({
  id,
  userEmail,
  quizId,
  status,
  submittedAt,
  ...row
}: BoardEnded): BoardEnd {
  return {
    ...{ id, userEmail, quizId, status, submittedAt, ...userNameOf(row) },
    ...(row.opened ? { opened: userNameOf(row.opened) } : {}),
  };
}

/**
 * An attempt in progress as the board shows it.
 *
 * @param kinds counted violations by kind, where {@link needsKindCounts}
 */
function presentLiveAttempt(
  row: RunningRow,
  kinds: KindCounts | undefined,
  now: Date,
): BoardAttempt {
  const { policy, isPhone, fullscreenExits, tabSwitches } = row;
  const { combined } = policy.limits;
  const pause = lastingPause(row, now);
  const attention = attentionOf(
    {
      isLastChance: isLastChance(
        { policy, isPhone: followsPhoneRules(row) },
        {
          combined: row.countedViolations,
          face: kinds?.face ?? 0,
          voice: kinds?.voice ?? 0,
          fullscreenExits,
          tabSwitches,
        },
      ),
      lastSignal: signalOf(row.signal),
      worstSignal: signalOf(row.worst),
      lastSeenAt: row.lastSeenAt,
      silentSince: row.silentSince,
      helpAt: row.helpAt,
      isPaused: pause !== null,
    },
    now,
  );
  return {
    id: row.id,
    userEmail: row.userEmail,
    ...knownOf(row),
    ...(row.opened ? { opened: knownOf(row.opened) } : {}),
    quizId: row.quizId,
    quizTitle: row.quizTitle,
    startedAt: row.startedAt.toISOString(),
    deadlineAt: deadlineShown(row, now).toISOString(),
    remainingMs: remainingMs(row.deadlineAt, now, row.pausedUntil),
    ...(pause && {
      pause: {
        since: pause.since.toISOString(),
        ...(pause.until ? { until: pause.until.toISOString() } : {}),
        reason: row.pauseReason,
      },
    }),
    answeredCount: row.answered,
    totalQuestions: row.totalMarks,
    violationCount: row.violationCount,
    violationLimit: combined,
    fullscreenExits,
    tabSwitches,
    lastSignal: row.signal && {
      id: row.signal.id,
      type: row.signal.type,
      at: row.signal.at,
      counted: row.signal.counted,
    },
    connection: isOffline(row.lastSeenAt, now) ? 'offline' : 'online',
    isSilent: row.silentSince !== null,
    ...(row.helpAt ? { helpAt: row.helpAt.toISOString() } : {}),
    isPhone,
    hasCamera: policy.camera && !isPhone,
    attention: attention && {
      kind: attention.kind,
      since: attention.since.toISOString(),
      signal: attention.signal && {
        type: attention.signal.type,
        counted: attention.signal.counted,
      },
    },
  };
}

const signalOf = (signal: BoardRow['worst']) => signal && { ...signal, at: new Date(signal.at) };
