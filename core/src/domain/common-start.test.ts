import { describe, expect, it } from 'vitest';
import { commonStartOf, hasGroupStarts, whyNotTogether, withStart } from './common-start.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 30, 9, minutes));
const byTime = { startTogether: { by: 'time', lateMinutes: 10 }, commonStarts: null } as const;
const byButton = { startTogether: { by: 'button', lateMinutes: 10 }, opensAt: null } as const;
const given = (group: string | null, minutes: number) => ({
  group,
  at: at(minutes).toISOString(),
});

describe('a common start', () => {
  it('is waited for by nobody without a rule, or at a time without an opening', () => {
    const none = { startTogether: null, commonStarts: [given(null, 0)], opensAt: at(30) };
    expect(commonStartOf(none, [], at(0))).toBeNull();
    expect(commonStartOf({ ...byTime, opensAt: null }, [], at(0))).toBeNull();
    expect(whyNotTogether(null, 1, at(0))).toBeNull();
  });

  it('comes at the opening, and lets those who are late start until the minute', () => {
    const refusal = (now: Date, attempt = 1) =>
      whyNotTogether(commonStartOf({ ...byTime, opensAt: at(10) }, [], now), attempt, now);
    expect(refusal(new Date(at(10).getTime() - 1))).toBe('NOT_STARTED_YET');
    expect(refusal(at(10))).toBeNull();
    expect(refusal(new Date(at(20).getTime() - 1))).toBeNull();
    expect(refusal(at(20))).toBe('TOO_LATE');
    // Another attempt was given on purpose.
    expect(refusal(at(20), 2)).toBeNull();
  });

  it('comes with the newest start given for everyone or a group of the person', () => {
    const commonStarts = [given('A', 5), given(null, 2), given('B', 30)];
    const startedAt = (...groups: string[]) =>
      commonStartOf({ ...byButton, commonStarts }, groups, at(40))?.startedAt;
    expect(startedAt()).toEqual(at(2));
    expect(startedAt('A')).toEqual(at(5));
    expect(startedAt('A', 'B')).toEqual(at(30));
    const onlyA = { ...byButton, commonStarts: [given('A', 5)] };
    expect(whyNotTogether(commonStartOf(onlyA, ['B'], at(6)), 1, at(6))).toBe('NOT_STARTED_YET');
    expect(hasGroupStarts(onlyA)).toBe(true);
    expect(hasGroupStarts({ ...byButton, commonStarts: [given(null, 5)] })).toBe(false);
  });

  it('counts once given, also for a clock that is a moment behind', () => {
    const quiz = { ...byButton, commonStarts: [given(null, 5)] };
    expect(whyNotTogether(commonStartOf(quiz, [], at(4)), 1, at(4))).toBeNull();
  });

  it('replaces the one given to the same people, and no other', () => {
    const starts = withStart(withStart([given('A', 1)], given(null, 2)), given('A', 3));
    expect(starts).toEqual([given(null, 2), given('A', 3)]);
  });
});
