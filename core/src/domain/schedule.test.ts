import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueTimeAtStart } from './attempt.ts';
import { readTime, wallTime } from './local-time.ts';
import {
  type GroupTimeRule,
  lastStartOf,
  scheduleOf,
  storedRule,
  type TimeRule,
  widestWindow,
} from './schedule.ts';

const at = (day: number) => new Date(Date.UTC(2026, 5, 1, 9) + (day - 1) * 86_400_000);
const window = (from: number, to: number | null) => ({
  opensAt: at(from).toISOString(),
  endDate: to === null ? null : at(to).toISOString(),
});
const TIMES = { opensAt: at(2), endDate: at(3), startBy: null, duration: 60 };
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
    expect(of(['B'])).toEqual({
      ...{ opensAt: at(4), endDate: at(5), startBy: null, duration: 60, ...ONCE },
    });
    expect(of(['D', 'C', 'B'])).toMatchObject({ opensAt: at(4), endDate: at(5), duration: 90 });
    expect(of(['D'])).toMatchObject({ opensAt: at(6), endDate: at(7), duration: 30 });
    expect(of(['B', 'C'], { minutes: 120 })).toMatchObject({
      ...{ opensAt: at(4), endDate: at(5), duration: 120 },
    });
    expect(of(['B'], { window: window(8, null) })).toMatchObject({
      ...{ opensAt: at(8), endDate: null, duration: 60 },
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

  it('are those that were written, on days on which clocks change, in every zone', () => {
    // A zone, and the days on which its clocks go forward and back.
    const changes = [
      ...([
        ['Europe/Berlin', '2026-03-29', '2026-10-25'],
        ['UTC', '2026-03-29', '2026-10-25'],
      ] as const),
      ...([
        ['America/New_York', '2026-03-08', '2026-11-01'],
        ['America/Havana', '2026-03-08', '2026-11-01'],
      ] as const),
      ...([
        ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
        ['America/Santiago', '2026-09-06', '2026-04-05'],
      ] as const),
    ];
    const two = (n: number) => String(n).padStart(2, '0');
    const minute = fc.integer({ min: 0, max: 1439 });
    const written = (day: string, of: number) =>
      `${day} ${two(Math.floor(of / 60))}:${two(of % 60)}`;
    const steps = fc.array(fc.record({ from: minute, takes: fc.integer({ min: 1, max: 300 }) }), {
      minLength: 1,
      maxLength: 4,
    });
    const property = fc.property(
      ...([fc.constantFrom(...changes), fc.boolean(), steps] as const),
      ...([fc.integer({ min: 1, max: 180 }), fc.integer({ min: 0, max: 400 })] as const),
      ([zone, forward, back], isForward, moves, minutes, startsAfter) => {
        const day = isForward ? forward : back;
        let deadlineAt: Date | null = null;
        for (const { from, takes } of moves) {
          const read = readTime(written(day, from), zone);
          if (!('at' in read)) {
            // Only clocks that go forward have no such time.
            expect([read.problem, isForward]).toEqual(['skipped_time', true]);
            continue;
          }
          const opensAt = read.at;
          // The clocks show what was written, and nothing earlier shows it.
          expect(new Date(wallTime(opensAt, zone)).toISOString().slice(0, 16)).toBe(
            written(day, from).replace(' ', 'T'),
          );
          const endDate = new Date(opensAt.getTime() + takes * 60_000);
          const ownTimes = storedRule({
            ...{
              window: { opensAt: opensAt.toISOString(), endDate: endDate.toISOString() },
              minutes,
            },
          });
          const times = scheduleOf({ ...QUIZ, timeRules }, { groups: ['B'], ownTimes });
          expect(times).toMatchObject({ opensAt, endDate, duration: minutes });
          const startedAt = new Date(opensAt.getTime() + startsAfter * 60_000);
          if (startedAt >= endDate) continue;
          if (deadlineAt === null) {
            ({ deadlineAt } = dueTimeAtStart(startedAt, minutes, 1, times.endDate, false));
            // Minutes pass as on any other day, whatever the clocks show.
            const ranMs = deadlineAt.getTime() - startedAt.getTime();
            expect(ranMs).toBe(Math.min(minutes, takes - startsAfter) * 60_000);
          }
        }
      },
    );
    fc.assert(property, { numRuns: inForm({ short: 300, long: 10_000 }) });
  });

  it('have the latest start of the window that counts, and no other one', () => {
    const late = { ...window(4, 5), startBy: at(4.5).toISOString() };
    const quiz = { ...QUIZ, startBy: at(2.5), timeRules: [{ group: 'B', window: late }] };
    const startOf = (groups: string[], ownTimes: TimeRule | null = null) =>
      scheduleOf(quiz, { groups, ownTimes }).startBy;
    expect(startOf([])).toEqual(at(2.5));
    expect(startOf([], { minutes: 5 })).toEqual(at(2.5));
    expect(startOf(['B'])).toEqual(at(4.5));
    expect(startOf(['B'], { window: window(8, null) })).toBeNull();
    expect(lastStartOf(scheduleOf(quiz, { groups: ['B'], ownTimes: null }))).toEqual(at(4.5));
    expect(lastStartOf(QUIZ)).toEqual(QUIZ.endDate);
    expect(widestWindow(quiz)).toEqual({ opensAt: at(2), endDate: at(5), lastStart: at(4.5) });
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
