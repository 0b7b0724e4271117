import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';

/*
 * A model of an attempt, written without the product's own rules: the property test compares the two
 * after every step.
 */

/** product 4.1 and 4.4, in milliseconds. */
export const GRACE = ATTEMPT_LIMITS.graceMs;
const END_NOW_DELAY = 10_000;
const REPRIEVE = 60_000;
const FEEDBACK_WINDOW = 600_000;
/** product 6, preset Strict: combined, face alone, voice alone, fullscreen; then a second. */
const LIMITS = { combined: 3, face: 3, voice: 5, fullscreen: 5 };
const COOL_DOWN = 10_000;
const DISMISS_DELAY = 1_000;

/** Events that the page of a sequence detects; the last two never count. */
export type Detected =
  | 'face_not_detected'
  | 'voice_detected'
  | 'fullscreen_exit'
  | 'multiple_faces'
  | 'clipboard';

export interface PaperQuestion {
  id: string;
  options: string[];
}

export interface Value {
  option: string;
  flag: boolean;
}

/** A change as it is sent: without a revision only in a submit. */
export interface Change extends Value {
  question: string;
  revision: number | null;
}

export interface Stored extends Value {
  revision: number;
  /** A repetition changes nothing, not even this (I7). */
  savedAt: number;
}

export interface End {
  type: 'manual' | 'auto' | 'database' | 'dismissed';
  submittedAt: number;
}

/** One attempt; each step changes it according to the invariants. Times are milliseconds. */
export class AttemptModel {
  readonly id: string;
  readonly number: number;
  readonly startedAt: number;
  readonly paper: readonly PaperQuestion[];
  readonly keys: ReadonlyMap<string, string>;
  readonly answers: Map<string, Stored>;
  /** Late answers, by question: the newest of each. */
  readonly late = new Map<string, Value & { revision: number | null }>();
  deadlineAt: number;
  closeAt: number;
  closeReason: 'auto' | 'database' | 'dismissed' = 'auto';
  ended: End | null = null;
  /** `retake`: another one of the person counts, or runs. */
  replaced: 'another' | 'reinstate' | 'retake' | null = null;
  replacedAt = 0;
  /** Milliseconds that a reinstatement adds. */
  added = 0;
  feedback: string | null = null;
  extensions = 0;
  /** The latest time in which the clock stands still; the due times have moved by all of it. */
  pausedFrom = Number.NEGATIVE_INFINITY;
  pausedUntil = Number.NEGATIVE_INFINITY;
  pausedMs = 0;
  isBreak = false;
  breaks: { left: number; ms: number };
  /** The reply to the first submit. */
  submitted: string | null = null;
  /** When each counted violation happened. */
  readonly face: number[] = [];
  readonly voice: number[] = [];
  readonly exits: number[] = [];
  /** Calls of the counter. */
  calls = 0;
  /** The candidate asks for help; an end puts the hand down. */
  handUp = false;
  /** The last report and its reply. */
  lastReport: { id: string; type: Detected; answer: string } | null = null;
  /** The last save that was acknowledged. */
  lastSave: Change[] | null = null;
  #lowestRemaining = Number.POSITIVE_INFINITY;

  constructor(begun: {
    id: string;
    number: number;
    startedAt: number;
    deadlineAt: number;
    paper: readonly PaperQuestion[];
    keys: ReadonlyMap<string, string>;
    answers: ReadonlyMap<string, Stored>;
    breaks: { left: number; ms: number };
  }) {
    this.breaks = { ...begun.breaks };
    this.id = begun.id;
    this.number = begun.number;
    this.startedAt = begun.startedAt;
    this.deadlineAt = begun.deadlineAt;
    this.closeAt = begun.deadlineAt + GRACE;
    this.paper = begun.paper;
    this.keys = begun.keys;
    // Copied at the start of a reinstated attempt.
    const taken = [...begun.answers].map(
      ([q, a]) => [q, { ...a, savedAt: begun.startedAt }] as const,
    );
    this.answers = new Map(taken);
  }

  /** Whether saves are accepted (I5). */
  isOpen(now: number): boolean {
    return this.ended === null && now <= this.closeAt;
  }

  /** Applies the revision rule to the rows received; returns the expected reply (I7, I8, I9). */
  save(changes: readonly Change[], now: number): 'saved' | 'conflict' | 'late' {
    if (!this.isOpen(now)) {
      this.#storeLate(changes);
      return 'late';
    }
    if (changes.some((c) => this.#clashes(c))) return 'conflict';
    for (const c of changes.filter((change) => this.#wins(change))) {
      this.answers.set(c.question, { ...bare(c), revision: c.revision ?? 1, savedAt: now });
    }
    return 'saved';
  }

  submit(changes: readonly Change[], claimsAuto: boolean, now: number): 'ended' | 'conflict' {
    const outcome = this.save(changes, now);
    if (outcome === 'conflict') return 'conflict';
    if (outcome === 'saved') {
      const submittedAt = Math.min(now, this.deadlineAt + GRACE);
      // A submit does not avoid a dismissal (I15).
      if (this.closeReason === 'dismissed') this.ended = { type: 'dismissed', submittedAt };
      else if (claimsAuto && now >= this.deadlineAt) {
        this.ended = { type: 'auto', submittedAt: this.deadlineAt };
      } else this.ended = { type: 'manual', submittedAt };
    }
    this.endIfDue(now);
    return 'ended';
  }

  /** Ends the attempt by the clock, once it is evaluated (I12, I13). */
  endIfDue(now: number): void {
    if (this.ended !== null || now <= this.closeAt) return;
    this.ended = {
      type: this.closeReason,
      submittedAt:
        this.closeReason === 'auto'
          ? this.deadlineAt
          : Math.min(this.closeAt, this.deadlineAt + GRACE),
    };
  }

  /**
   * An extension moves the deadline and never shortens the time (I2); within the grace period it counts
   * from now. An attempt that is about to end for another reason gets none.
   */
  extend(minutes: number, now: number): void {
    this.extensions += 1;
    this.deadlineAt = Math.max(this.deadlineAt, now) + minutes * 60_000;
    this.closeAt = Math.max(this.closeAt, this.deadlineAt + GRACE);
    this.#lowestRemaining = Number.POSITIVE_INFINITY;
  }

  /** The clock stands still until a moment; until now: it goes on. Returns whether that is possible. */
  pause(until: number, now: number, isBreak = false): boolean {
    const wasPaused = now < this.pausedUntil;
    if (!wasPaused && (this.closeReason !== 'auto' || now >= this.deadlineAt)) return false;
    if (this.isBreak && wasPaused) this.breaks.ms += this.pausedUntil - now;
    const ms = until - (wasPaused ? this.pausedUntil : now);
    this.deadlineAt += ms;
    if (this.closeReason === 'auto') this.closeAt += ms;
    this.pausedMs += ms;
    if (!wasPaused) this.pausedFrom = now;
    this.pausedUntil = until;
    this.isBreak = isBreak;
    return true;
  }

  isPaused(now: number): boolean {
    return now < this.pausedUntil;
  }

  /** Milliseconds between start and end in which the clock ran. */
  get spent(): number {
    const end = this.ended?.submittedAt ?? 0;
    return end - this.startedAt - this.pausedMs + Math.max(0, this.pausedUntil - end);
  }

  endNow(now: number): void {
    if (now + END_NOW_DELAY >= this.closeAt) return;
    this.closeAt = now + END_NOW_DELAY;
    if (this.closeReason !== 'dismissed') this.closeReason = 'database';
  }

  /** Something is reported when it happens; returns whether it counts (I14, I15). */
  detect(type: Detected, now: number): boolean {
    if (this.isPaused(now)) return false;
    const kept = { face_not_detected: this.face, voice_detected: this.voice }[type as string];
    if (type === 'fullscreen_exit') this.exits.push(now);
    else if (!kept || now - (kept.at(-1) ?? Number.NEGATIVE_INFINITY) < COOL_DOWN) return false;
    else kept.push(now);
    // A count that has not changed cannot have just reached its limit.
    const over =
      type === 'fullscreen_exit'
        ? this.exits.length >= LIMITS.fullscreen
        : this.counted >= LIMITS.combined ||
          (type === 'face_not_detected'
            ? this.face.length >= LIMITS.face
            : this.voice.length >= LIMITS.voice);
    if (over && this.closeReason !== 'dismissed') {
      this.closeAt = Math.min(this.closeAt, now + DISMISS_DELAY);
      this.closeReason = 'dismissed';
    }
    return true;
  }

  get counted(): number {
    return this.face.length + this.voice.length;
  }

  /** The larger of both, never the sum (I14). */
  get shownViolations(): number {
    return Math.max(this.counted, this.calls);
  }

  /** The service was away from `aliveUntil` to `readyAt`. */
  outage(aliveUntil: number, readyAt: number): void {
    if (this.ended !== null || this.closeAt <= aliveUntil) return;
    const isWithin = (at: number) => at > aliveUntil && at <= readyAt;
    if (!isWithin(this.closeAt) && !isWithin(this.deadlineAt)) return;
    this.closeAt = Math.max(this.closeAt, readyAt + REPRIEVE);
  }

  takesFeedback(now: number): boolean {
    return this.ended !== null && now - this.ended.submittedAt <= FEEDBACK_WINDOW;
  }

  /** A reply contained the time left: what it must be, and whether it is allowed (I20). */
  remaining(now: number): { is: number; atMost: number } {
    const is = Math.max(0, this.deadlineAt - Math.max(now, this.pausedUntil));
    const atMost = this.#lowestRemaining;
    this.#lowestRemaining = Math.min(is, atMost);
    return { is, atMost };
  }

  /** Recomputed from paper and answers (I11). */
  get score(): number {
    return this.paper.filter((q) => this.answers.get(q.id)?.option === this.keys.get(q.id)).length;
  }

  /** An administrator has set it aside. */
  get isSetAside(): boolean {
    return this.replaced === 'another' || this.replaced === 'reinstate';
  }

  /** The time left at the end, for a reinstated attempt. */
  get left(): number {
    const { ended, deadlineAt, pausedUntil } = this;
    const left = ended ? deadlineAt - Math.max(ended.submittedAt, pausedUntil) : 0;
    return Math.max(0, left) + this.added;
  }

  /** Late answers that would have changed something, the newest of each question (I21). */
  #storeLate(changes: readonly Change[]): void {
    for (const c of changes.filter((change) => this.#wins(change))) {
      const kept = this.late.get(c.question);
      if (!kept || (c.revision ?? 0) > (kept.revision ?? 0)) {
        this.late.set(c.question, { ...bare(c), revision: c.revision });
      }
    }
  }

  #wins(c: Change): boolean {
    const stored = this.answers.get(c.question);
    if (c.revision === null) return !stored && (c.option !== '' || c.flag);
    return c.revision > (stored?.revision ?? 0);
  }

  #clashes(c: Change): boolean {
    const stored = this.answers.get(c.question);
    return (
      stored !== undefined &&
      stored.revision === c.revision &&
      (stored.option !== c.option || stored.flag !== c.flag)
    );
  }
}

function bare({ option, flag }: Value): Value {
  return { option, flag };
}
