import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NamedSection } from '../questions/quiz-structure.ts';
import {
  figuresOf,
  GRADE_SCALES,
  outcomeOf,
  percentOf,
  type ResultRules,
  type StoredResult,
} from './outcome.ts';

const RULES: ResultRules = {
  passMark: { percent: 60 },
  sectionMarks: [],
  grades: GRADE_SCALES.one_to_five.grades(),
};
const attempt = (change: Partial<StoredResult> = {}): StoredResult => ({
  ...{ status: 'completed', verdict: null, score: 6, totalMarks: 10 },
  ...{ points: null, maxPoints: null, sections: null },
  ...change,
});
const withPoints = (points: number, maxPoints: number, more: Partial<StoredResult> = {}) =>
  attempt({ points: points * 10_000, maxPoints: maxPoints * 10_000, ...more });

describe('the outcome of an attempt', () => {
  it('is by its score, or by its points where it has some', () => {
    expect(outcomeOf(attempt(), RULES)).toEqual({ percent: 60, result: 'passed', grade: '4' });
    expect(outcomeOf(attempt({ score: 5 }), RULES)).toEqual({
      ...{ percent: 50, result: 'failed', grade: '4', because: 'points' },
    });
    expect(outcomeOf(withPoints(9.5, 10), RULES)).toMatchObject({ percent: 95, grade: '1' });
    const byPoints = { ...RULES, passMark: { points: 7.25 } };
    expect(outcomeOf(withPoints(7.25, 20), byPoints)).toMatchObject({ result: 'passed' });
    expect(outcomeOf(withPoints(7.2499, 20), byPoints)).toMatchObject({ result: 'failed' });
  });

  it('compares percentages as they are shown, rounded half up to two decimals', () => {
    expect(percentOf(2, 3)).toBe(66.67);
    expect(percentOf(1, 3)).toBe(33.33);
    expect([percentOf(599_950, 1_000_000), percentOf(599_949, 1_000_000)]).toEqual([60, 59.99]);
    const twoThirds = { ...RULES, passMark: { percent: 66.67 } };
    expect(outcomeOf(withPoints(2, 3), twoThirds)).toMatchObject({ result: 'passed' });
  });

  it('does not exist before the end, without rules, or with every question left out', () => {
    const none = { ...RULES, passMark: null, grades: [] };
    expect(outcomeOf(attempt({ status: 'in_progress', score: null }), RULES)).toBeNull();
    expect(outcomeOf(attempt(), null)).toBeNull();
    expect(outcomeOf(withPoints(0, 0), RULES)).toBeNull();
    expect(outcomeOf(attempt(), none)).toEqual({ percent: 60, result: null, grade: null });
  });

  it.each<[Partial<StoredResult>, string | undefined]>([
    [{ verdict: 'breach' }, 'breach'],
    [{ verdict: 'talk' }, undefined],
    [{ status: 'dismissed' }, 'dismissed'],
    [{ status: 'dismissed', verdict: 'talk' }, 'dismissed'],
    [{ status: 'dismissed', verdict: 'breach' }, 'breach'],
    [{ status: 'dismissed', verdict: 'no_concern' }, undefined],
  ])('of %o with all points: failed because of %s', (change, because) => {
    const of = (rules: ResultRules) => outcomeOf(attempt({ score: 10, ...change }), rules);
    const result = because === undefined ? 'passed' : 'failed';
    expect(of(RULES)).toMatchObject({ result, percent: 100, grade: because ? '5' : '1' });
    expect(of(RULES)?.because).toBe(because);
    expect(of({ ...RULES, passMark: null })).toMatchObject({
      ...{ result: null, grade: because ? '5' : '1' },
    });
  });

  it('needs the minimum of each section that its paper has', () => {
    const rules = { ...RULES, sectionMarks: [{ title: 'Law', percent: 50 }] };
    const paper = (title: string, points: number, maxPoints = 40_000) =>
      outcomeOf(withPoints(9, 10, { sections: [{ title, first: 1, points, maxPoints }] }), rules);
    expect(paper('Law', 20_000)).toMatchObject({ result: 'passed', grade: '1' });
    expect(paper('Law', 19_990)).toMatchObject({
      ...{ result: 'failed', grade: '5', because: 'section' },
    });
    expect(paper('Other', 0)).toMatchObject({ result: 'passed' });
    expect(paper('Law', 0, 0)).toMatchObject({ result: 'passed' });
  });

  it('finds a section by its id, under whatever title', () => {
    const failed = (section: NamedSection, mark: NamedSection) => {
      const sections = [{ ...section, first: 1, points: 0, maxPoints: 40_000 }];
      const rules = { ...RULES, sectionMarks: [{ ...mark, percent: 50 }] };
      return outcomeOf(withPoints(9, 10, { sections }), rules)?.because === 'section';
    };
    expect(failed({ id: 'a', title: 'Law' }, { id: 'a', title: 'Contracts' })).toBe(true);
    expect(failed({ id: 'a', title: 'Law' }, { id: 'b', title: 'Law' })).toBe(false);
    // Former versions stored no ids: the title was one.
    expect(failed({ title: 'Law' }, { id: 'Law', title: 'Contracts' })).toBe(true);
    expect(failed({ id: 'Law', title: 'Contracts' }, { title: 'Law' })).toBe(true);
    expect(failed({ id: 'a', title: 'Law' }, { title: 'Law' })).toBe(false);
  });

  it('joins the results of a section under its id, by the newest title of a paper', () => {
    const of = (section: NamedSection, points: number) =>
      withPoints(9, 10, { sections: [{ ...section, first: 1, points, maxPoints: 40_000 }] });
    const attempts = [
      of({ title: 'Law' }, 10_000),
      of({ id: 'b', title: 'Law' }, 40_000),
      of({ id: 'Law', title: 'Contracts' }, 30_000),
    ];
    const rules = { ...RULES, sectionMarks: [{ id: 'Law', title: 'Contracts', percent: 50 }] };
    expect(figuresOf(attempts, rules).sections).toEqual([
      { id: 'Law', title: 'Contracts', attempts: 2, meanPercent: 50, below: 1 },
      { id: 'b', title: 'Law', attempts: 1, meanPercent: 100, below: null },
    ]);
  });

  it('never gets worse by more points, and a higher mark never lets anyone pass', () => {
    const anyMark = fc.oneof(
      fc.record({ percent: fc.integer({ min: 1, max: 10_000 }).map((n) => n / 100) }),
      fc.record({ points: fc.integer({ min: 1, max: 5_000 }).map((n) => n / 100) }),
    );
    const raised = (mark: { percent: number } | { points: number }) =>
      'percent' in mark ? { percent: mark.percent + 1 } : { points: mark.points + 1 };
    fc.assert(
      fc.property(fc.nat(500_000), fc.nat(500_000), anyMark, (a, b, passMark) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const of = (points: number, rules: ResultRules) =>
          outcomeOf(attempt({ points, maxPoints: 500_000 }), rules);
        const rules = { ...RULES, passMark };
        const [worse, better] = [of(low, rules), of(high, rules)];
        expect(Number(worse?.grade)).toBeGreaterThanOrEqual(Number(better?.grade));
        if (worse?.result === 'passed') expect(better?.result).toBe('passed');
        const stricter = of(high, { ...rules, passMark: raised(passMark) });
        if (stricter?.result === 'passed') expect(better?.result).toBe('passed');
      }),
    );
  });
});
