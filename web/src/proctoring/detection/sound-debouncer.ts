import type { SoundEngine } from '../detectors/sensor-reports.ts';
import { type DetectedEvent, detectedEvent } from './detected-event.ts';

export interface SoundRules {
  everyMs: number;
  level: number;
  samples: number;
  speechShare: number;
  speechWindowMs: number;
  cooldownMs: number;
  /** A voice that goes on for this long after the warning counts; absent: at once. */
  warnMs?: number | undefined;
}

/** One interval of sound, as it is evaluated. */
export interface SoundInterval {
  /** Twice the decibels above the room's floor, unbounded; `null` before it is known. */
  level: number | null;
  /** Share of the interval that is speech; `null` without a model. */
  speech: number | null;
  engine: SoundEngine;
}

/** Margin over the server's cool-down, which the server measures by its own clock. */
const COOLDOWN_MARGIN_MS = 250;
/** Model results may be late: this share of the window must have one. */
const ENOUGH_RESULTS = 0.75;
/** An interval with at least this share of speech belongs to a word. */
const WORD_SHARE = 0.5;
/** Words too short to count are flagged when repeated: "it is B" takes a second. */
const SHORT_WORDS = { leastMs: 700, mostMs: 2_000, times: 3, withinMs: 120_000 };
/** Speech in the room is at least 6 decibels above its floor: 12 on the level's scale. */
const SPEECH_LEVEL = 12;

/**
 * Turns intervals of sound into detected events: speech for a share of the window, or a level exceeded for
 * more than some samples (specification 9). Time is a parameter; there is no clock.
 */
export class SoundDebouncer {
  readonly #rules: SoundRules;
  #window: (SoundInterval & { at: number })[] = [];
  #loud = 0;
  #since: number | null = null;
  #lastAt: number | null = null;
  #raisedAt = Number.NEGATIVE_INFINITY;
  #wordMs = 0;
  #shortWordsAt: number[] = [];
  /** When the candidate was warned of the current voice. */
  #warnedAt: number | null = null;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(rules: SoundRules) {
    this.#rules = rules;
  }

  /** Whether a voice is heard that counts if it goes on. */
  get isWarning(): boolean {
    return this.#warnedAt !== null;
  }

  check(interval: SoundInterval, at: number): DetectedEvent[] {
    const { everyMs, level, speechWindowMs, cooldownMs } = this.#rules;
    // Missing intervals are neither silence nor speech.
    if (this.#lastAt !== null && at - this.#lastAt > 3 * everyMs) this.restart();
    this.#lastAt = at;
    this.#since ??= at;
    this.#window = [
      ...this.#window.filter((one) => one.at > at - speechWindowMs),
      { ...interval, at },
    ];
    this.#loud = interval.level !== null && interval.level > level ? this.#loud + 1 : 0;
    if (at - this.#raisedAt < cooldownMs + COOLDOWN_MARGIN_MS) return [];
    return this.#voice(interval, at) ?? this.#shortWords(interval, at);
  }

  #voice({ engine }: SoundInterval, at: number): DetectedEvent[] | null {
    const { level, samples } = this.#rules;
    const share = this.#speechShare(at);
    const loud = this.#loud > samples;
    const isHeard = loud || share !== null;
    if (!this.#isDue(isHeard, at)) return null;
    this.restart();
    this.#raisedAt = at;
    const why = loud ? `loud: above ${level}` : `speech: ${Math.round((share ?? 0) * 100)} %`;
    return [detectedEvent('voice_detected', at, { engine, notes: why })];
  }

  /** Whether a voice counts now. It warns first, and calms down when it is not heard for a window. */
  #isDue(isHeard: boolean, at: number): boolean {
    const { warnMs = 0, speechWindowMs } = this.#rules;
    if (!isHeard) {
      if (at - this.#heardAt >= speechWindowMs) this.#warnedAt = null;
      return false;
    }
    this.#heardAt = at;
    this.#warnedAt ??= at;
    return at - this.#warnedAt >= warnMs;
  }

  /** Speech that repeatedly ends before it counts: only a flag, since a cough may sound like it. */
  #shortWords({ speech, level, engine }: SoundInterval, at: number): DetectedEvent[] {
    const { leastMs, mostMs, times, withinMs } = SHORT_WORDS;
    if (isAudible(level) && (speech ?? 0) >= WORD_SHARE) {
      this.#wordMs += this.#rules.everyMs;
      return [];
    }
    const lasted = this.#wordMs;
    this.#wordMs = 0;
    if (lasted < leastMs || lasted > mostMs + (this.#rules.warnMs ?? 0)) return [];
    this.#shortWordsAt = [...this.#shortWordsAt.filter((one) => one > at - withinMs), at];
    if (this.#shortWordsAt.length < times) return [];
    this.#shortWordsAt = [];
    return [detectedEvent('short_speech', at, { engine, notes: `${times} times in two minutes` })];
  }

  /** A new stream: earlier intervals are dropped. */
  restart(): void {
    this.#since = null;
    this.#window = [];
    this.#loud = 0;
    this.#wordMs = 0;
    this.#warnedAt = null;
  }

  /** The share of speech in a full window if it reaches the rule's, otherwise `null`. */
  #speechShare(at: number): number | null {
    const { everyMs, speechShare, speechWindowMs } = this.#rules;
    if (at - (this.#since ?? at) + everyMs < speechWindowMs) return null;
    const shares = this.#window.flatMap((one) => (one.speech === null ? [] : [one.speech]));
    if (shares.length < Math.max(1, ENOUGH_RESULTS * this.#window.length)) return null;
    const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
    if (!(share >= speechShare)) return null;
    const levels = this.#window.flatMap((one) => (one.level === null ? [] : [one.level]));
    return isAudible(levels.length === 0 ? null : Math.max(...levels)) ? share : null;
  }
}

/** Whether speech of this level was in the room; without a floor the model alone decides. */
function isAudible(level: number | null): boolean {
  return level === null || level > SPEECH_LEVEL;
}
