import { problemText } from '@invigil/core/texts/mail-problems';
import { expect, it } from 'vitest';
import { accountFault } from './account-fault.ts';
import type { SmtpAnswer } from './smtp-answer.ts';
import { refusalOf } from './smtp-refusal.ts';

const textOf = (found: SmtpAnswer) => problemText(accountFault(found) ?? { code: '' });
const refusalMessage = (refused: SmtpAnswer) => problemText(refusalOf(refused));

const answer = (response: string, command = 'DATA') => ({
  command,
  code: Number(response.slice(0, 3)),
  response,
});

it.each([
  ['day', '550 5.4.5 Daily user sending limit exceeded. For more information - gsmtp'],
  ['day', '550 5.4.5 Daily user sending quota exceeded. o65sm25351206pga.71 - gsmtp'],
  ['day', '550-5.7.1 Daily SMTP relay limit exceeded for customer. For more\r\n550 5.7.1 visit us'],
  [
    'day',
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
  ],
  [
    'day',
    '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; the sender’s submission quota was exceeded',
  ],
  ['day', '454 Throttling failure: Daily message quota exceeded.'],
  ['rate', '454 Throttling failure: Maximum sending rate exceeded.'],
  ['rate', '450 4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error'],
  ['rate', '451 4.7.1 Ratelimit "user" exceeded'],
  ['rate', '451 4.4.2 Message submission rate for this client has exceeded the configured limit'],
  ['rate', '450 4.7.1 Error: too much mail from 192.0.2.7'],
  ['rate', '421 4.7.0 Try again later, closing connection'],
  ['rate', '451 4.7.500 Server busy. Please try again later from [192.0.2.7]'],
  ['rate', '421 4.4.5 Server busy, try again later.'],
  ['rate', '550 5.7.1 Hourly sending limit exceeded'],
  ['connections', '432 4.3.2 Concurrent connections limit exceeded'],
  ['connections', '432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded'],
  ['connections', '421 4.7.0 mail.example.org Error: too many connections from 192.0.2.7'],
  [
    'full',
    '554 5.2.2 mailbox full; STOREDRV.Submission.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded',
  ],
  ['sender', '550 5.7.60 SMTP; Client does not have permissions to send as this sender'],
  [
    'sender',
    '554 5.2.252 SendAsDenied; a@example.org not allowed to send as b@example.org; STOREDRV.Submission.Exception:SendAsDeniedException',
  ],
  ['sender', '553 5.7.1 <b@example.org>: Sender address rejected: not owned by user a@example.org'],
  ['sender', '553 Relaying disallowed as b@example.org'],
  ['sender', '550 The from address does not match a verified Sender Identity.'],
  [
    'greeting',
    '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname; proto=ESMTP',
  ],
  ['greeting', '550 5.7.1 <laptop>: Helo command rejected: Host not found'],
  ['greeting', '550 Access denied - Invalid HELO name (See RFC2821 4.1.1.1)'],
  ['sign_in', '530 5.7.57 Client not authenticated to send mail'],
  ['relay', '554 5.7.1 <c@example.net>: Relay access denied'],
  ['blocked', '550 5.1.8 Access denied, bad outbound sender AS(42004)'],
  [
    'blocked',
    '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.example.org',
  ],
  ['blocked', '550 5.7.501 Access denied, spam abuse detected'],
])('%s is a fault of our own account: %s', (kind, response) => {
  for (const command of ['RCPT TO', 'DATA']) {
    expect(accountFault(answer(response, command))?.code).toBe(kind);
  }
});

it.each([
  '550 5.1.1 User unknown',
  '550-5.1.1 The email account that you tried to reach does not exist',
  '552 5.2.2 Quota exceeded',
  '552 5.2.2 The recipient has exceeded the quota of the mailbox',
  '452 4.2.2 The email account that you tried to reach is over quota',
  '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents',
  '450 4.2.1 The user you are trying to contact is receiving mail too quickly',
  '554 5.2.121 The recipient has exceeded their limit for the number of messages they can receive per hour',
  '552 Mailbox is full: quota exceeded',
  '550 5.2.1 <c@example.net>: account is disabled',
  '550 5.1.1 <c@example.net>: account has been suspended',
  '550 5.7.1 Recipient account is locked',
  '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required',
  '550 5.7.1 Sender not allowed to send to this group',
  '451 4.7.1 Greylisted, please try again in 300 seconds',
  '451 4.7.1 <c@example.net>: Recipient address rejected: Greylisting in effect',
  '421 4.7.0 TLS required for RCPT domain, closing connection',
  '552 5.3.4 Message size exceeds fixed limit',
  '552 Message size exceeds the maximum',
  '550 5.7.1 Message rejected as spam by content filtering',
  '550 5.7.26 This mail is unauthenticated',
  '451 Try later',
  '550 No such mailbox',
])('is about the recipient or the message: %s', (response) => {
  expect(accountFault(answer(response))).toBeUndefined();
});

it('takes every refusal of the sender for one of ours, except of the size', () => {
  const at = (response: string) => accountFault(answer(response, 'MAIL FROM'))?.code;
  expect(at('553 Not yours')).toBe('sender');
  expect(at('451 Not now')).toBe('rate');
  expect(at('552 5.3.4 Too big')).toBeUndefined();
});

it('says whose limit it is, and what the provider said', () => {
  expect(textOf(answer('550 5.4.5 Daily user sending limit exceeded'))).toBe(
    'Your mail provider takes no more messages from this account today: 550 5.4.5 Daily user sending limit exceeded',
  );
});

it('names no address: what is stored is no place for a candidate', () => {
  const response =
    '550 5.7.60 <ann@example.org>: cannot send as b.c@example.org to ann@example.org';
  expect(textOf(answer(response))).toMatch(
    /550 5\.7\.60 <\(address\)>: cannot send as \(address\) to \(address\)$/,
  );
});

it.each([
  [
    'RCPT TO',
    550,
    '550 5.1.1 User unknown',
    'There is no mailbox with this address (550 5.1.1 User unknown)',
  ],
  ['RCPT TO', 550, '550 No one here', 'The mail server refused this address (550 No one here)'],
  [
    'DATA',
    554,
    '554-5.7.1 Looks\r\n554 5.7.1 like spam',
    'A rule of the mail server refused the message (554-5.7.1 Looks 554 5.7.1 like spam)',
  ],
  [
    'DATA',
    552,
    '552 5.3.4 Too big',
    'The message is too large for the mail server (552 5.3.4 Too big)',
  ],
  [
    'RCPT TO',
    452,
    '452 4.2.2 Quota',
    'Temporary problem: the recipient’s mailbox is full (452 4.2.2 Quota)',
  ],
  [
    'RCPT TO',
    451,
    '451 Greylisted',
    'Temporary problem: the mail server refused this address (451 Greylisted)',
  ],
  [
    'DATA',
    451,
    '451 5.1.1 odd',
    'Temporary problem: there is no mailbox with this address (451 5.1.1 odd)',
  ],
  ['', 500, '', 'The mail server refused the message (500)'],
])('%s %i %j becomes %j', (command, code, response, message) => {
  expect(refusalMessage({ command, code, response })).toBe(message);
});

it('shortens a long response', () => {
  const message = refusalMessage({
    command: 'DATA',
    code: 550,
    response: `550 ${'x'.repeat(5_000)}`,
  });
  expect(message.length).toBeLessThan(400);
});
