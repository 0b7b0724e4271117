import { expect, test } from 'vitest';
import { QUIZ } from '../../../testing/fixtures.ts';
import { pointsOf } from './invite-check.tsx';

const CHECKS = {
  signInUrl: 'https://exams.example.org/login',
  drafts: 0,
  isMailTested: true,
  opensAt: null,
  completeBy: 'Thursday, 14 May 2026 at 18:00 (Europe/Berlin, GMT+2)',
  timeZone: 'Europe/Berlin',
};

test('says what candidates will meet and read, and no more where all is well', () => {
  expect(pointsOf(QUIZ, 'configured', CHECKS)).toMatchObject([
    { isProblem: false, text: expect.stringMatching(/^Strict policy\. Requires camera/) },
    { isProblem: false, text: `The email says: Complete it by: ${CHECKS.completeBy}.` },
  ]);
});

test.each([
  [{ signInUrl: 'http://localhost:3000/login' }, /^Emails lead to .* opens on this machine only/],
  [{ signInUrl: 'https://127.0.0.1/login' }, /opens on this machine only/],
  [{ signInUrl: 'http://exams.example.org/login' }, /Without https, browsers allow no camera/],
  [{ isMailTested: false }, /^The mail server has not sent anything yet/],
  [{ keyReaders: 1 }, /^1 candidate has right answers of this assessment/],
  [{ keyReaders: 12 }, /^12 candidates have right answers of this assessment/],
  [{ drafts: 1 }, /^1 question has no correct answer/],
  [{ drafts: 3 }, /^3 questions have no correct answer/],
])('with %j: %s', (change, text) => {
  const [first] = pointsOf(QUIZ, 'configured', { ...CHECKS, ...change });
  expect(first).toMatchObject({ isProblem: true, text: expect.stringMatching(text), link: {} });
});

test.each([
  ['missing', /^No mail server is configured yet\. Invitations wait in the outbox/],
  ['off', /^The mail server is switched off/],
] as const)('before anything is sent, says that messages will wait: %s', (state, text) => {
  const [first] = pointsOf(QUIZ, state, { ...CHECKS, isMailTested: false });
  expect(first).toMatchObject({ isProblem: true, text: expect.stringMatching(text) });
});

test.each([
  [0, /no questions yet but needs 25\./],
  [5, /has 5 questions but needs 25\. Candidates get every question there is\./],
])('with %i questions', (questionCount, text) => {
  const [first] = pointsOf({ ...QUIZ, questionCount }, 'configured', CHECKS);
  expect(first).toMatchObject({ isProblem: true, text: expect.stringMatching(text) });
});

test('says when it opens', () => {
  const points = pointsOf(QUIZ, 'configured', { ...CHECKS, opensAt: 'noon' });
  expect(points.at(-1)?.text).toContain('Opens at noon. Complete it by:');
});
