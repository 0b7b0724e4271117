import { expect, test } from 'vitest';
import { formatDateTime } from './format.ts';
import { isOnItsWay, mailReason, mailStatus } from './mail.ts';

const AT = '2026-05-14T10:00:00.000Z';
const next = `Next try: ${formatDateTime(AT)}.`;

test('gives the reason and what happens next', () => {
  const mail = { lastError: 'The mailbox is full (552)', nextAttemptAt: AT };
  expect(mailReason({ ...mail, state: 'queued' })).toBe(`The mailbox is full (552). ${next}`);
  expect(mailReason({ ...mail, state: 'uncertain' })).toBe(
    `The mailbox is full (552). The email may have arrived. ${next}`,
  );
  expect(mailReason({ ...mail, state: 'sending', nextAttemptAt: null })).toBe(
    'The mailbox is full (552). It is being tried again.',
  );
  expect(mailReason({ ...mail, state: 'failed' })).toBe('The mailbox is full (552).');
  expect(mailReason({ ...mail, state: 'sent', lastError: null })).toBeNull();
});

test('names a message that was canceled, or waits for another try', () => {
  const mail = { state: 'failed' as const, attempts: 1 };
  expect(mailStatus(mail)).toBe('failed');
  expect(mailStatus({ ...mail, isCanceled: true })).toBe('canceled');
  expect(mailStatus({ ...mail, state: 'queued' })).toBe('delayed');
});

test('treats an uncertain message as on its way', () => {
  expect(['queued', 'sending', 'uncertain'].map((s) => isOnItsWay(s as 'queued'))).toEqual([
    true,
    true,
    true,
  ]);
  expect(isOnItsWay('sent')).toBe(false);
  expect(isOnItsWay('failed')).toBe(false);
});
