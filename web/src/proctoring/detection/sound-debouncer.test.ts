import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SoundDebouncer, type SoundInterval, type SoundRules } from './sound-debouncer.ts';

const RULES: SoundRules = {
  everyMs: 300,
  level: 120,
  samples: 2,
  speechShare: 0.6,
  speechWindowMs: 2_000,
  cooldownMs: 10_000,
};

/** Returns the numbers of the intervals at which a voice was detected. */
function play(intervals: Partial<SoundInterval>[], rules = RULES): number[] {
  const debouncer = new SoundDebouncer(rules);
  return intervals.flatMap((one, i) => {
    const full: SoundInterval = { level: 40, speech: 0, engine: 'model', ...one };
    const found = debouncer.check(full, i * rules.everyMs);
    return found.some(({ type }) => type === 'voice_detected') ? [i] : [];
  });
}
const times = (n: number, one: Partial<SoundInterval>) => Array.from({ length: n }, () => one);

describe('speech', () => {
  it('counts when it fills 60 % of two seconds, and not before two seconds have passed', () => {
    expect(play(times(4, { speech: 1 }))).toEqual([]);
    expect(play([...times(10, {}), ...times(10, { speech: 1 })])).toEqual([14]);
  });

  it('does not count below the share', () => {
    const half = Array.from({ length: 60 }, (_, i) => ({ speech: i % 2 }));
    expect(play(half)).toEqual([]);
  });

  it('does not count without a model, nor at the level of the empty room', () => {
    expect(play(times(30, { speech: null }))).toEqual([]);
    expect(play(times(30, { speech: 1, level: 11 }))).toEqual([]);
    expect(play(times(30, { speech: 1, level: null }))).toEqual([6]);
  });

  it('counts again only after the cool-down', () => {
    const found = play(times(100, { speech: 1 }));
    expect(found.length).toBeGreaterThan(1);
    expect((found[1] ?? 0) - (found[0] ?? 0)).toBeGreaterThan(10_000 / 300);
  });

  it('warns first where the policy says so, and counts only if it goes on', () => {
    const warning = { ...RULES, warnMs: 4_000 };
    const debouncer = new SoundDebouncer(warning);
    /** Seconds of speech or quiet; what is counted and when the warning is on. */
    const hear = (seconds: number, speech: number, from: number) => {
      const found: string[] = [];
      let warned = 0;
      for (let i = 0; i * 300 < seconds * 1_000; i += 1) {
        const at = from * 1_000 + i * 300;
        const one: SoundInterval = { level: 40, speech, engine: 'model' };
        found.push(...debouncer.check(one, at).map(({ type }) => type));
        if (debouncer.isWarning) warned += 0.3;
      }
      return { counted: found.includes('voice_detected'), warned };
    };
    expect(hear(3, 0, 0)).toEqual({ counted: false, warned: 0 });
    // A child asks, twice; someone reads a sentence half aloud.
    for (const [i, seconds] of [2.1, 2.1, 4.5].entries()) {
      const from = 3 + i * 12;
      const { counted, warned } = hear(seconds, 1, from);
      expect([counted, warned > 0]).toEqual([false, true]);
      hear(12 - seconds, 0, from + seconds);
      expect(debouncer.isWarning).toBe(false);
    }
    // A conversation: a second and a half until it is heard, and four more.
    expect(play([...times(10, {}), ...times(40, { speech: 1 })], warning)[0]).toBe(14 + 14);
    expect(play([...times(10, {}), ...times(40, { speech: 1 })])[0]).toBe(14);
  });

  it('is not combined across a gap', () => {
    const debouncer = new SoundDebouncer(RULES);
    const speech: SoundInterval = { level: 40, speech: 1, engine: 'model' };
    const found = [0, 300, 600, 900, 1_200, 9_000, 9_300].flatMap((at) =>
      debouncer.check(speech, at),
    );
    expect(found).toEqual([]);
  });
});

describe('short words', () => {
  const second = times(3, { speech: 1 });
  const quiet = times(33, {});
  const flags = (intervals: Partial<SoundInterval>[], rules = RULES) => {
    const debouncer = new SoundDebouncer(rules);
    return intervals.flatMap((one, i) =>
      debouncer
        .check({ level: 40, speech: 0, engine: 'model', ...one }, i * rules.everyMs)
        .map(({ type }) => type),
    );
  };

  it('are flagged the third time within two minutes, and then counted from zero', () => {
    const word = [...quiet, ...second];
    expect(flags([...word, ...word, ...quiet])).toEqual([]);
    expect(flags([...word, ...word, ...word, ...quiet])).toEqual(['short_speech']);
    expect(flags([...Array(5).fill(word).flat(), ...quiet])).toEqual(['short_speech']);
  });

  it.each([
    ['far apart', [...second, ...times(400, {})]],
    ['of half a second, like a cough', [...quiet, ...times(2, { speech: 1 })]],
    ['no louder than the room', [...quiet, ...times(3, { speech: 1, level: 11 })]],
    ['without a model', [...quiet, ...times(3, { speech: null })]],
  ])('are not flagged: %s', (_, word) => {
    expect(flags([...word, ...word, ...word, ...quiet])).toEqual([]);
  });

  it.each([2.4, 3, 4.5, 4.8])('include a sentence of %s s that a warning ends', (seconds) => {
    const sentence = [...quiet, ...times(seconds / 0.3, { speech: 1 })];
    const warning = { ...RULES, warnMs: 4_000 };
    const all = [...sentence, ...sentence, ...sentence, ...quiet];
    expect(flags(all, warning)).toEqual(['short_speech']);
  });

  it('are not flagged when they count as speech', () => {
    const sentence = [...times(40, {}), ...times(8, { speech: 1 })];
    const all = flags([...sentence, ...sentence, ...sentence, ...quiet]);
    expect(all).toEqual(Array(3).fill('voice_detected'));
  });
});

describe('loud sounds (seed 9)', () => {
  const loud = { level: 121 };
  it('count when the level is above the limit in more than two samples in a row', () => {
    expect(play([{}, loud, loud, {}, loud, loud, {}])).toEqual([]);
    expect(play([{}, loud, loud, loud])).toEqual([3]);
    expect(play(times(10, { level: 120 }))).toEqual([]);
  });

  it('are reported with the level as the reason', () => {
    const debouncer = new SoundDebouncer(RULES);
    const report: SoundInterval = { level: 130, speech: null, engine: 'level' };
    const found = [0, 300, 600].flatMap((at) => debouncer.check(report, at));
    expect(found).toMatchObject([
      { type: 'voice_detected', engine: 'level', notes: 'loud: above 120' },
    ]);
  });
});

it('never counts silence, hiss or a slam, however they are mixed', () => {
  const quiet = fc.record({
    level: fc.integer({ min: 0, max: 120 }),
    speech: fc.constantFrom(0, 0.1, null),
  });
  fc.assert(
    fc.property(fc.array(quiet, { maxLength: 200 }), (intervals) => {
      expect(play(intervals)).toEqual([]);
    }),
  );
});
