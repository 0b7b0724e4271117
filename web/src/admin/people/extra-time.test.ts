import { expect, it } from 'vitest';
import { QUIZ } from '../../testing/fixtures.ts';
import { timesWith } from './extra-time.tsx';

const [A, B] = ['2026-12-03T09:00:00.000Z', '2026-12-03T12:00:00.000Z'];
const WITH_RULES = { ...QUIZ, timeRules: 1 };

it('has the times of a person as they are typed, else those of the group', () => {
  const ofGroup = { times: { opensAt: A, endDate: B, duration: 45 } };
  expect(timesWith(WITH_RULES, ofGroup)).toMatchObject({ opensAt: A, endDate: B, duration: 45 });
  const minutes = timesWith(WITH_RULES, ofGroup, { minutes: 60 });
  expect(minutes).toMatchObject({ opensAt: A, endDate: B, duration: 60 });
  const window = { opensAt: null, endDate: null };
  expect(timesWith(WITH_RULES, ofGroup, { window })).toMatchObject({ ...window, duration: 45 });
  // A stored window of their own leaves the minutes of the group.
  const stored = { ...ofGroup, ownTimes: { window: { opensAt: A, endDate: B } } };
  expect(timesWith(WITH_RULES, stored, { window })).toMatchObject({ ...window, duration: 45 });
});

it('does not know the times that would come back where groups have rules', () => {
  const stored = {
    times: { opensAt: null, endDate: null, duration: 60 },
    ownTimes: { minutes: 60 },
  };
  expect(timesWith(WITH_RULES, stored, null)).toBeNull();
  expect(timesWith(QUIZ, stored, null)).toMatchObject({ duration: QUIZ.duration, endDate: null });
});
