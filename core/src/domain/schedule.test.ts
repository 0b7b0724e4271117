import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GroupTimeRule, scheduleOf, type TimeRule, widestWindow } from './schedule.ts';

const at = (day: number) => new Date(Date.UTC(2026, 5, day, 9));
const window = (from: number, to: number | null) => ({
  opensAt: at(from).toISOString(),
  endDate: to === null ? null : at(to).toISOString(),
});
const TIMES = { opensAt: at(2), endDate: at(3), duration: 60 };
const QUIZ = { ...TIMES, retakes: null };
const ONCE = { attempts: 1 };

describe('the times of a person', () => {
  const thursday: GroupTimeRule = { group: 'B', window: window(4, 5) };
  const slow: GroupTimeRule = { group: 'C', minutes: 90 };
  const timeRules = [thursday, slow, { group: 'D', window: window(6, 7), minutes: 30 }];
  const of = (groups: string[], ownTimes: TimeRule | null = null) =>
    scheduleOf({ ...QUIZ, timeRules }, { groups, ownTimes });

  it('are those of the assessment where no rule is about them', () => {
    expect(of(['A', 'b'])).toEqual({ ...TIMES, ...ONCE });
    const alone = { groups: ['B'], ownTimes: null };
    expect(scheduleOf({ ...QUIZ, timeRules: null }, alone)).toEqual({ ...TIMES, ...ONCE });
  });

  it('come from the nearest rule that has them: window and minutes apart', () => {
    expect(of(['B'])).toEqual({ opensAt: at(4), endDate: at(5), duration: 60, ...ONCE });
    expect(of(['D', 'C', 'B'])).toEqual({ opensAt: at(4), endDate: at(5), duration: 90, ...ONCE });
    expect(of(['D'])).toEqual({ opensAt: at(6), endDate: at(7), duration: 30, ...ONCE });
    expect(of(['B', 'C'], { minutes: 120 })).toEqual({
      ...{ opensAt: at(4), endDate: at(5), duration: 120, ...ONCE },
    });
    expect(of(['B'], { window: window(8, null) })).toEqual({
      ...{ opensAt: at(8), endDate: null, duration: 60, ...ONCE },
    });
    expect(of(['B'], { window: { opensAt: null, endDate: null } }).opensAt).toBeNull();
  });

  it('come with a number of attempts, which is looked for apart as well', () => {
    const retakes = { attempts: 3, waitMinutes: 60, counts: 'best' } as const;
    const rules = [{ group: 'B', attempts: 1 }, { group: 'C', minutes: 90 }, thursday];
    const most = (groups: string[], ownTimes: TimeRule | null = null) =>
      scheduleOf({ ...QUIZ, retakes, timeRules: rules }, { groups, ownTimes }).attempts;
    expect([most([]), most(['B']), most(['C']), most(['C', 'B'])]).toEqual([3, 1, 3, 1]);
    expect([most(['B'], { attempts: 5 }), most(['B'], { minutes: 5 })]).toEqual([5, 1]);
    expect(of([], { attempts: 2 })).toEqual({ ...TIMES, attempts: 2 });
  });

  it('are within the widest window, whatever the rules for groups are', () => {
    const day = fc.integer({ min: 1, max: 28 });
    const maybe = fc.option(day);
    const someWindow = fc.record({ from: maybe, to: maybe }).map(({ from, to }) => ({
      opensAt: from === null ? null : at(from).toISOString(),
      endDate: to === null ? null : at(to).toISOString(),
    }));
    const group = fc.constantFrom('A', 'B', 'C');
    const rule = fc.record({ group, window: fc.option(someWindow, { nil: undefined }) });
    const property = fc.property(fc.array(rule), fc.array(group), (rules, groups) => {
      const quiz = { ...QUIZ, timeRules: rules };
      const { opensAt, endDate } = scheduleOf(quiz, { groups, ownTimes: null });
      const widest = widestWindow(quiz);
      const early = (time: Date | null) => time?.getTime() ?? Number.NEGATIVE_INFINITY;
      const late = (time: Date | null) => time?.getTime() ?? Number.POSITIVE_INFINITY;
      expect(early(widest.opensAt)).toBeLessThanOrEqual(early(opensAt));
      expect(late(widest.endDate)).toBeGreaterThanOrEqual(late(endDate));
    });
    fc.assert(property);
  });
});
