import { INVITATION_STATES } from '@invigil/core/domain/invitation-states';
import { describe, expect, test } from 'vitest';
import { QUIZ } from '../../testing/fixtures.ts';
import { nextStepOf, stateOf } from './quiz-state.ts';

const NOW = Date.parse('2026-05-14T10:00:00Z');
const EARLIER = '2026-05-13T10:00:00.000Z';
const LATER = '2026-05-15T10:00:00.000Z';

describe('the state of an assessment', () => {
  test.each([
    [{}, 'active', 'Open, without an end date.'],
    [{ endDate: LATER }, 'active', /^Open until 15 May 2026, \d\d:00\.$/],
    [{ opensAt: LATER }, 'opens', /^Opens at 15 May 2026/],
    [{ opensAt: '2026-05-14T10:00:00.000Z' }, 'active', /^Open/],
    [{ questionCount: 5, totalQuestions: 12, opensAt: LATER }, 'not_ready', '5 of 12 questions.'],
    [{ timeRules: 1, endDate: LATER }, 'active', /^Open until 15 May 2026/],
    [{ timeRules: 1, endDate: EARLIER }, 'active', 'Open for groups with a later end.'],
    [{ isOpen: false, timeRules: 1, endDate: EARLIER }, 'ended', /^Ended on 13 May 2026/],
    [{ isOpen: false, endDate: EARLIER }, 'ended', /^Ended on 13 May 2026/],
    [{ isActive: false, isOpen: false }, 'inactive', /No one can start/],
  ])('%j: %s', (change, state, sentence) => {
    const said = stateOf({ ...QUIZ, ...change }, NOW);
    expect(said.state).toBe(state);
    expect(said.sentence).toMatch(sentence);
  });
});

describe('the next step', () => {
  const none = Object.fromEntries(['all', ...INVITATION_STATES].map((state) => [state, 0]));
  test.each([
    ['not_ready', { all: 3, started: 1 }, 'questions'],
    ['active', { all: 3, started: 1, to_review: 4 }, 'watch'],
    ['ended', { all: 3, finished: 3, to_review: 2 }, 'review'],
    ['active', {}, 'invite'],
    ['opens', { all: 9 }, 'invite'],
    ['ended', { all: 3, finished: 3 }, 'report'],
    ['inactive', { all: 3 }, null],
    ['active', null, null],
  ] as const)('of %s with %j is %s', (state, counts, step) => {
    expect(nextStepOf(state, counts === null ? undefined : ({ ...none, ...counts } as never))).toBe(
      step,
    );
  });

  test('is the first of those that the reader may do', () => {
    const counts = { ...none, all: 9, started: 1, to_review: 2, finished: 3 } as never;
    expect(nextStepOf('active', counts, (step) => step === 'invite')).toBe('invite');
    expect(nextStepOf('active', counts, (step) => step === 'report')).toBe('report');
    expect(nextStepOf('not_ready', counts, (step) => step !== 'questions')).toBe('watch');
    expect(nextStepOf('ended', counts, () => false)).toBeNull();
  });
});
