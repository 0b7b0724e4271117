import type { Account } from '@invigil/core/contract/accounts/auth';
import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { describe, expect, test } from 'vitest';
import { ADMIN, ATTEMPT, CANDIDATE, QUIZ } from '../testing/fixtures.ts';
import { homeOf, mayEnterQuizScreen, placeAfterSignIn } from './guards.tsx';

const candidate = (status: OwnParticipant['status'] | null, isOpen = true): Account => ({
  ...CANDIDATE,
  quiz: { ...QUIZ, isOpen },
  attempt: status === null ? null : { ...ATTEMPT, status },
});
const NO_MARKERS = { submitted: false, dismissed: false };

const SCREENS = ['instructions', 'permissions', 'assessment', 'review', 'thankyou', 'dismissed'];
const open = (account: Account | null, markers = NO_MARKERS) =>
  SCREENS.filter((screen) => mayEnterQuizScreen(`/quiz/${screen}`, account, markers));

test.each([
  [
    'an administrator to the requested page',
    ADMIN,
    '/admin/participants/x?a=b',
    '/admin/participants/x?a=b',
  ],
  ['an administrator home without one', ADMIN, undefined, '/admin/dashboard'],
  ['no one to another site', ADMIN, '//evil.example', '/admin/dashboard'],
  ['no one outside the portal', ADMIN, '/administrator', '/admin/dashboard'],
  ['a candidate to the test', candidate(null), '/admin/settings', '/quiz/instructions'],
])('redirects after sign-in %s', (_, account, wanted, place) => {
  expect(placeAfterSignIn(account, { wanted })).toBe(place);
  expect(placeAfterSignIn(account, wanted)).toBe(homeOf(account));
});

describe("the test's screens", () => {
  test('are closed without a session, to administrators and while the assessment is not open', () => {
    expect(open(null)).toEqual([]);
    expect(open(ADMIN)).toEqual([]);
    expect(open(candidate(null, false))).toEqual([]);
    expect(open({ ...candidate(null), quiz: null })).toEqual([]);
  });

  test('exclude unknown paths', () => {
    expect(mayEnterQuizScreen('/quiz/answers', candidate('in_progress'), NO_MARKERS)).toBe(false);
  });

  test('are instructions and permissions before the start', () => {
    expect(open(candidate(null))).toEqual(['instructions', 'permissions']);
  });

  test('are all up to the review while the attempt runs, even if the assessment has closed', () => {
    const running = ['instructions', 'permissions', 'assessment', 'review'];
    expect(open(candidate('in_progress'))).toEqual(running);
    expect(open(candidate('in_progress', false))).toEqual(running);
  });

  test('include the last page of an end that the server has not acknowledged', () => {
    const running = candidate('in_progress');
    expect(open(running, { submitted: true, dismissed: false })).toContain('thankyou');
    expect(open(running, { submitted: false, dismissed: true })).toContain('dismissed');
  });

  test('are those before the start where another attempt may follow, also beside a result', () => {
    const retake = { after: ATTEMPT.id, number: 2, left: 1 };
    const again = { ...candidate('completed'), retake };
    expect(open(again)).toEqual(['instructions', 'permissions', 'thankyou']);
    expect(homeOf(again)).toBe('/quiz/instructions');
    const known = { ...again, hasResult: true as const };
    expect(homeOf(known)).toBe('/quiz/instructions');
    expect(mayEnterQuizScreen('/quiz/result', known, NO_MARKERS)).toBe(true);
  });

  test('are only the last page after the end', () => {
    const markers = { submitted: true, dismissed: true };
    expect(open(candidate('completed'), markers)).toEqual(['thankyou']);
    expect(open(candidate('dismissed'), markers)).toEqual(['dismissed']);
  });
});

test.each([
  ['a visitor without a session', null, '/login'],
  ['an administrator', ADMIN, '/admin/dashboard'],
  ['a candidate of a closed assessment', candidate(null, false), '/quiz/expired'],
  ['a candidate without an assessment', { ...candidate(null), quiz: null }, '/quiz/expired'],
  ['a candidate before the start', candidate(null), '/quiz/instructions'],
  [
    'a running attempt of a closed assessment',
    candidate('in_progress', false),
    '/quiz/instructions',
  ],
  ['a completed attempt', candidate('completed'), '/quiz/thankyou'],
  ['a dismissed attempt', candidate('dismissed'), '/quiz/dismissed'],
] as const)('returns the start page of %s', (_, account, home) => {
  expect(homeOf(account)).toBe(home);
});
