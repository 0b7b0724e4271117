import { expect, it } from 'vitest';
import { refusalMessage } from './refusal-message.ts';

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
