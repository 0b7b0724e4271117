import { describe, expect, it } from 'vitest';
import { countingOf } from './results/counting.ts';
import type { StoredResult } from './results/outcome.ts';
import { type PlayedAttempt, type RetakeRule, retakeAfter } from './retakes.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 5, 1, 9, minute));
const RULE: RetakeRule = { attempts: 3, waitMinutes: 30, counts: 'best' };
type Attempt = PlayedAttempt & StoredResult;

/** Attempts of ten minutes, one each hour, with so many of 10 points. */
const played = (...all: (Partial<Attempt> & { points: number | null })[]): Attempt[] =>
  all.map(({ points, ...more }, i) => ({
    ...{ id: `${i + 1}`, attempt: i + 1, status: 'completed' as const, verdict: null },
    ...{ startedAt: at(i * 60), submittedAt: at(i * 60 + 10) },
    ...{ replacedAt: null, replacedHow: null },
    ...{ score: 0, totalMarks: 10, maxPoints: 100_000, sections: null },
    points: points === null ? null : points * 10_000,
    ...more,
  }));
const aside = (minute: number) => ({ replacedHow: 'another', replacedAt: at(minute) });

describe('another attempt', () => {
  const next = (attempts: Attempt[], rule = RULE) => retakeAfter(attempts, rule);

  it('follows the latest as long as any is left, after the wait', () => {
    expect(next([])).toBeNull();
    expect(next(played({ points: 5 }))).toEqual({ after: '1', number: 2, left: 2, from: at(40) });
    const two = played({ points: 5, replacedHow: 'retake', replacedAt: at(60) }, { points: 4 });
    expect(next(two)).toEqual({ after: '2', number: 3, left: 1, from: at(100) });
    expect(next(played({ points: 1 }, { points: 1 }, { points: 1 }))).toBeNull();
    expect(next(played({ points: 5 }), { ...RULE, attempts: 1 })).toBeNull();
  });

  it('does not follow one that runs, was set aside, or was dismissed', () => {
    const running = { status: 'in_progress' as const, submittedAt: null };
    expect(next(played({ points: null, ...running }))).toBeNull();
    expect(next(played({ points: 5 }, { points: 5, ...aside(80) }))).toBeNull();
    expect(next(played({ points: 5 }, { points: 5, status: 'dismissed' }))).toBeNull();
    const cleared = { status: 'dismissed' as const, verdict: 'no_concern' as const };
    expect(next(played({ points: 5, ...cleared }))).toBeNull();
  });

  it('is allowed beside the rule and without a wait by setting an earlier one aside', () => {
    const used = played({ points: 5, ...aside(80) }, { points: 4 });
    const once = { ...RULE, attempts: 1 };
    expect(next(used, once)).toEqual({ after: '2', number: 2, left: 1, from: at(70) });
    // It was used by the second.
    expect(next(played({ points: 5, ...aside(30) }, { points: 4 }), once)).toBeNull();
    const dismissed = played({ points: 5, ...aside(80) }, { points: 4, status: 'dismissed' });
    expect(next(dismissed)).toMatchObject({ left: 2, from: at(70) });
  });
});

describe('the attempt that counts', () => {
  const of = (attempts: Attempt[], counts: RetakeRule['counts']) =>
    countingOf(attempts, counts)?.id;

  it('is the first, the last or the best of those that have ended and were not set aside', () => {
    const some = played(
      { points: 9, ...aside(20) },
      { points: 5 },
      { points: 8 },
      { points: 8 },
      { points: null, status: 'in_progress' },
    );
    expect([of(some, 'first'), of(some, 'last'), of(some, 'best')]).toEqual(['2', '4', '3']);
    expect(of(played({ points: 9, ...aside(20) }), 'best')).toBeUndefined();
  });

  it('is the best by its share, whatever its paper was worth', () => {
    const some = played(
      { points: 5 },
      { points: 6, maxPoints: 150_000 },
      { points: null, score: 6 },
    );
    expect(of(some, 'best')).toBe('3');
    expect(of(played({ points: 0, maxPoints: 0 }, { points: 1 }), 'best')).toBe('2');
  });

  it('is never a dismissed one or a breach as the best, unless all are', () => {
    const dismissed = { status: 'dismissed' as const };
    expect(of(played({ points: 1 }, { points: 9, ...dismissed }), 'best')).toBe('1');
    expect(of(played({ points: 1 }, { points: 9, verdict: 'breach' }), 'best')).toBe('1');
    const cleared = { ...dismissed, verdict: 'no_concern' as const };
    expect(of(played({ points: 1 }, { points: 9, ...cleared }), 'best')).toBe('2');
    expect(of(played({ points: 1, ...dismissed }, { points: 9, ...dismissed }), 'best')).toBe('2');
    expect(of(played({ points: 9 }, { points: 1, ...dismissed }), 'last')).toBe('2');
  });
});
