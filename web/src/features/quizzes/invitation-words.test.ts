import type { Invitation } from '@invigil/core/contract/invitations';
import { expect, test } from 'vitest';
import { accommodationWords, factorOf, mailWords } from './invitation-words.ts';

const INVITED: Invitation = {
  id: 'i',
  userId: 'u',
  quizId: 'q',
  email: 'a@example.org',
  invitedAt: '2026-05-14T10:00:00.000Z',
  mail: { state: 'failed', lastError: 'No such mailbox', sentAt: null },
  signedInAt: null,
  status: 'not_started',
  participantId: null,
  startedAt: null,
  submittedAt: null,
  revokedAt: null,
  extraTimeFactor: 1,
  cameraEnabled: true,
  microphoneEnabled: true,
};

test('an invitation that was taken back says that, whatever became of its mail', () => {
  expect(mailWords(INVITED).word).toBe('Mail failed');
  expect(mailWords({ ...INVITED, mail: null }).word).toBe('No mail');
  expect(mailWords({ ...INVITED, revokedAt: INVITED.invitedAt }).word).toBe('Taken back');
});

test('only what differs is said', () => {
  expect(accommodationWords(INVITED)).toEqual([]);
  expect(accommodationWords({ ...INVITED, extraTimeFactor: 1.25, cameraEnabled: false })).toEqual([
    '1.25 times the time',
    'no camera',
  ]);
});

test.each([
  ['1', 1],
  [' 1,5 ', 1.5],
  ['10', 10],
  ['10.5', null],
  ['0.9', null],
  ['1.255', null],
  ['', null],
  ['one', null],
])('%j is the factor %s', (typed, factor) => {
  expect(factorOf(typed)).toBe(factor);
});
