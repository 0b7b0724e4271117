import type { Account } from '@invigil/core/contract/auth';
import type { OwnParticipant } from '@invigil/core/contract/own-participant';
import type { Quiz } from '@invigil/core/contract/quiz';
import { STRICT_POLICY } from '@invigil/core/domain/violation-policy';
import { describe, expect, test } from 'vitest';
import { homeOf, mayEnterQuizScreen, placeAfterSignIn } from './guard-rules.ts';

const policy = { ...STRICT_POLICY, version: 1 };
const quiz: Quiz = {
  id: 'q',
  title: 'Network Fundamentals',
  description: null,
  categoryId: 'c',
  category: 'Engineering',
  duration: 25,
  totalQuestions: 25,
  questionCount: 32,
  endDate: null,
  finishAfterEnd: false,
  closingMail: false,
  isActive: true,
  isOpen: true,
  policy,
  version: 1,
  createdAt: '2026-05-04T09:00:00Z',
};
const attempt: OwnParticipant = {
  id: 'p',
  userId: 'u',
  quizId: 'q',
  status: 'in_progress',
  startedAt: '2026-05-14T09:35:00Z',
  deadlineAt: '2026-05-14T10:00:00Z',
  remainingMs: 1_000_000,
  serverTime: '2026-05-14T09:40:00Z',
  totalQuestions: 25,
  answeredCount: 0,
  violationCount: 0,
  fullscreenExits: 0,
  tabSwitches: 0,
  policy,
  submittedAt: null,
  timeSpent: 300,
  submissionType: null,
};
const user = { id: 'u', email: 'a.rahman@example.org' };
const candidate = (status: OwnParticipant['status'] | null, isOpen = true): Account => ({
  user,
  quiz: { ...quiz, isOpen },
  role: 'participant',
  attempt: status === null ? null : { ...attempt, status },
});
const admin: Account = { user, quiz: null, role: 'admin', attempt: null };
const NO_MARKERS = { submitted: false, dismissed: false };

const SCREENS = ['instructions', 'permissions', 'assessment', 'review', 'thankyou', 'dismissed'];
const open = (account: Account | null, markers = NO_MARKERS) =>
  SCREENS.filter((screen) => mayEnterQuizScreen(`/quiz/${screen}`, account, markers));

test.each([
  [
    'an administrator to the page that was opened',
    admin,
    '/admin/participants/x?a=b',
    '/admin/participants/x?a=b',
  ],
  ['an administrator home without one', admin, undefined, '/admin/dashboard'],
  ['nobody to another site', admin, '//evil.example', '/admin/dashboard'],
  ['nobody beside the portal', admin, '/administrator', '/admin/dashboard'],
  ['a candidate to the test', candidate(null), '/admin/settings', '/quiz/instructions'],
])('a sign-in leads %s', (_, account, wanted, place) => {
  expect(placeAfterSignIn(account, { wanted })).toBe(place);
  expect(placeAfterSignIn(account, wanted)).toBe(homeOf(account));
});

describe('which screens of the test are open', () => {
  test('none for no one, for an administrator and when the assessment is not open', () => {
    expect(open(null)).toEqual([]);
    expect(open(admin)).toEqual([]);
    expect(open(candidate(null, false))).toEqual([]);
    expect(open({ ...candidate(null), quiz: null })).toEqual([]);
  });

  test('an unknown path never', () => {
    expect(mayEnterQuizScreen('/quiz/answers', candidate('in_progress'), NO_MARKERS)).toBe(false);
  });

  test('before the start: instructions and permissions', () => {
    expect(open(candidate(null))).toEqual(['instructions', 'permissions']);
  });

  test('while it runs: everything up to the review, whether the assessment is still open or not', () => {
    const running = ['instructions', 'permissions', 'assessment', 'review'];
    expect(open(candidate('in_progress'))).toEqual(running);
    expect(open(candidate('in_progress', false))).toEqual(running);
  });

  test('an end that the server has not heard of yet opens its page as well', () => {
    const running = candidate('in_progress');
    expect(open(running, { submitted: true, dismissed: false })).toContain('thankyou');
    expect(open(running, { submitted: false, dismissed: true })).toContain('dismissed');
  });

  test('after the end: its own page alone', () => {
    const markers = { submitted: true, dismissed: true };
    expect(open(candidate('completed'), markers)).toEqual(['thankyou']);
    expect(open(candidate('dismissed'), markers)).toEqual(['dismissed']);
  });
});

test.each([
  ['nobody', null, '/login'],
  ['an administrator', admin, '/admin/dashboard'],
  ['not open, nothing running', candidate(null, false), '/quiz/expired'],
  ['no assessment any more', { ...candidate(null), quiz: null }, '/quiz/expired'],
  ['not started', candidate(null), '/quiz/instructions'],
  ['running, although no longer open', candidate('in_progress', false), '/quiz/instructions'],
  ['completed', candidate('completed'), '/quiz/thankyou'],
  ['dismissed', candidate('dismissed'), '/quiz/dismissed'],
] as const)('home of %s', (_, account, home) => {
  expect(homeOf(account)).toBe(home);
});

test('home is always a place one may be', () => {
  for (const status of [null, 'in_progress', 'completed', 'dismissed'] as const) {
    for (const isOpen of [true, false]) {
      const account = candidate(status, isOpen);
      const home = homeOf(account);
      if (home === '/quiz/expired') continue;
      expect(mayEnterQuizScreen(home, account, NO_MARKERS)).toBe(true);
    }
  }
});
