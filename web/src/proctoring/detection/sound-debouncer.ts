import type { SoundEngine } from '../detectors/sensor-reports.ts';
import { type Finding, finding } from './finding.ts';

export interface SoundRules {
  /** Milliseconds of one interval. */
  everyMs: number;
  level: number;
  samples: number;
  speechShare: number;
  speechWindowMs: number;
  cooldownMs: number;
}

/** One interval as it is judged. */
export interface Heard {
  /** Twice the decibels above the room's floor, without an upper end; `null` before it is known. */
  level: number | null;
  /** Share of the interval that is speech; `null` where no model listens. */
  speech: number | null;
  engine: SoundEngine;
}

/** A hair beyond the server's cool-down, which measures by its own clock. */
const COOLDOWN_MARGIN_MS = 250;
/** The model's word comes late now and then: so much of the window must have it. */
const ENOUGH_JUDGED = 0.75;
/** An interval of which the model takes at least half for speech belongs to a word. */
const WORD_SHARE = 0.5;
/** Words too short to count, so often within so long, are a flag: "it is B" takes a second. */
const SHORT_WORDS = { leastMs: 700, mostMs: 2_000, times: 3, withinMs: 120_000 };
/** Speech in the room stands at least 6 decibels above its floor: twice that on the level's scale. */
const SPEECH_LEVEL = 12;

/**
 * Turns intervals of sound into findings: speech for a share of the window, or a level that is held
 * for more than some samples (seed 9). Time comes in with each interval; it has no clock.
 */
export class SoundDebouncer {
  readonly #rules: SoundRules;
  #window: (Heard & { at: number })[] = [];
  #loud = 0;
  #since: number | null = null;
  #lastAt: number | null = null;
  #raisedAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds of the speech that continues. */
  #wordMs = 0;
  #shortWordsAt: number[] = [];

  constructor(rules: SoundRules) {
    this.#rules = rules;
  }

  hear(heard: Heard, at: number): Finding[] {
    const { everyMs, level, speechWindowMs, cooldownMs } = this.#rules;
    // Intervals that are missing were not silent, and not speech either.
    if (this.#lastAt !== null && at - this.#lastAt > 3 * everyMs) this.restart();
    this.#lastAt = at;
    this.#since ??= at;
    this.#window = [
      ...this.#window.filter((one) => one.at > at - speechWindowMs),
      { ...heard, at },
    ];
    this.#loud = heard.level !== null && heard.level > level ? this.#loud + 1 : 0;
    if (at - this.#raisedAt < cooldownMs + COOLDOWN_MARGIN_MS) return [];
    return this.#voice(heard, at) ?? this.#shortWords(heard, at);
  }

  #voice(heard: Heard, at: number): Finding[] | null {
    const { level, samples } = this.#rules;
    const share = this.#speechShare(at);
    const loud = this.#loud > samples;
    if (!loud && share === null) return null;
    this.restart();
    this.#raisedAt = at;
    const why = loud ? `loud: above ${level}` : `speech: ${Math.round((share ?? 0) * 100)} %`;
    return [finding('voice_detected', at, { engine: heard.engine, notes: why })];
  }

  /** Speech that ends before it counts, several times: low, since a cough may sound like it. */
  #shortWords({ speech, level, engine }: Heard, at: number): Finding[] {
    const { leastMs, mostMs, times, withinMs } = SHORT_WORDS;
    if (isAudible(level) && (speech ?? 0) >= WORD_SHARE) {
      this.#wordMs += this.#rules.everyMs;
      return [];
    }
    const lasted = this.#wordMs;
    this.#wordMs = 0;
    if (lasted < leastMs || lasted > mostMs) return [];
    this.#shortWordsAt = [...this.#shortWordsAt.filter((one) => one > at - withinMs), at];
    if (this.#shortWordsAt.length < times) return [];
    this.#shortWordsAt = [];
    return [finding('short_speech', at, { engine, notes: `${times} times in two minutes` })];
  }

  /** Another stream: what the one before delivered is not continued. */
  restart(): void {
    this.#since = null;
    this.#window = [];
    this.#loud = 0;
    this.#wordMs = 0;
  }

  /** The share of speech in a full window that reaches the rule; else `null`. */
  #speechShare(at: number): number | null {
    const { everyMs, speechShare, speechWindowMs } = this.#rules;
    if (at - (this.#since ?? at) + everyMs < speechWindowMs) return null;
    const judged = this.#window.flatMap((one) => (one.speech === null ? [] : [one.speech]));
    if (judged.length < Math.max(1, ENOUGH_JUDGED * this.#window.length)) return null;
    const share = judged.reduce((sum, one) => sum + one, 0) / judged.length;
    if (share < speechShare) return null;
    const levels = this.#window.flatMap((one) => (one.level === null ? [] : [one.level]));
    return isAudible(levels.length === 0 ? null : Math.max(...levels)) ? share : null;
  }
}

/** Whether speech of this level was in the room. Without a floor the model's word stands alone. */
function isAudible(level: number | null): boolean {
  return level === null || level > SPEECH_LEVEL;
}
