import { expect, test } from 'vitest';
import {
  accommodationText,
  addressOfInvitations,
  factorOf,
  invitationsFilterFrom,
  NO_INVITATIONS_FILTER,
  queuedSentence,
} from '../../data/invitations.ts';

const INVITED = { extraTimeFactor: 1, cameraEnabled: true, microphoneEnabled: true };
const sent = (queued: number, others = 0) => [
  ...Array.from({ length: queued }, () => ({ status: 'queued' as const })),
  ...Array.from({ length: others }, () => ({ status: 'already_completed' as const })),
];

test('says what was queued, and that it waits without a mail server', () => {
  expect(queuedSentence(sent(1), 'configured')).toBe('1 invitation is queued for delivery.');
  expect(queuedSentence(sent(1_200), 'unknown')).toBe('1,200 invitations are queued for delivery.');
  expect(queuedSentence(sent(1), 'missing')).toBe(
    '1 invitation waits in the outbox: no mail server is configured.',
  );
  expect(queuedSentence(sent(3, 1), 'off')).toBe(
    '3 invitations wait in the outbox: the mail server is switched off. 1 person gets none.',
  );
  expect(queuedSentence(sent(0, 2), 'configured')).toBe('No email was queued. 2 people get none.');
});

test('names only what differs from the default', () => {
  expect(accommodationText(INVITED)).toEqual([]);
  expect(accommodationText({ ...INVITED, extraTimeFactor: 1.25, cameraEnabled: false })).toEqual([
    '+25 % time',
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

test('stores differences from the default view in the URL and reads them back', () => {
  const filter = { state: 'failed', search: 'a&b', sort: 'name', page: 3 } as const;
  expect(invitationsFilterFrom(addressOfInvitations(filter))).toEqual(filter);
  expect(addressOfInvitations(NO_INVITATIONS_FILTER).toString()).toBe('');
});

test('ignores invalid values in the URL', () => {
  const bad = { state: 'lost', page: '-1', sort: 'age', search: 'x'.repeat(321) };
  const address = new URLSearchParams(bad);
  expect(invitationsFilterFrom(address)).toEqual(NO_INVITATIONS_FILTER);
});
