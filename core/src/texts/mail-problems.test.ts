import { describe, expect, it } from 'vitest';
import { faultAdvice, faultText, isCanceledMail, mailProblemText } from './mail-problems.ts';

describe('why a message waits or was not sent', () => {
  it.each([
    ['sent', null, null, null],
    [
      'failed',
      'no_mailbox',
      '550 5.1.1 No',
      'There is no mailbox with this address (550 5.1.1 No)',
    ],
    [
      'queued',
      'mailbox_full',
      '452 4.2.2 Full',
      'Temporary problem: the recipient’s mailbox is full (452 4.2.2 Full)',
    ],
    [
      'failed',
      'mailbox_full',
      '452 4.2.2 Full',
      'Given up after 24 hours. Last response: Temporary problem: the recipient’s mailbox is full (452 4.2.2 Full)',
    ],
    [
      'failed',
      'connection_failed',
      null,
      'Given up after 24 hours. Last response: The connection to the mail server failed',
    ],
    [
      'uncertain',
      'connection_failed',
      'ECONNRESET',
      'The connection to the mail server failed (ECONNRESET)',
    ],
    [
      'queued',
      'rate',
      '451 Slow',
      'Your mail provider takes no more messages from this account just now: 451 Slow',
    ],
    [
      'queued',
      'certificate',
      null,
      'No safe connection to your mail server is possible: its certificate is not valid',
    ],
    [
      'queued',
      'port_forbidden',
      'fd00::1:26',
      'The settings of the mail server cannot be used: Mail servers use port 25, 465, 587, 2525. For port 26, ask who runs this server to add fd00::1 to SMTP_ALLOWED_HOSTS',
    ],
    [
      'failed',
      'Given up after 24 hours. Last response: 450',
      null,
      'Given up after 24 hours. Last response: 450',
    ],
  ])('%s %s %s is %s', (state, code, said, text) => {
    expect(mailProblemText(state, code, said)).toBe(text);
  });

  it('of the whole queue as an earlier version stored it', () => {
    expect(faultText('tls', 'its certificate is not valid')).toBe(faultText('certificate', null));
    expect(faultAdvice('of a later version')).toBe(
      'Correct them in Settings. Waiting messages are then sent.',
    );
  });

  it('is no fault where it was canceled', () => {
    expect(isCanceledMail('failed', 'archived')).toBe(true);
    expect(isCanceledMail('failed', 'content_gone')).toBe(false);
    expect(isCanceledMail('queued', 'archived')).toBe(false);
    // Stored by a version before the codes.
    expect(isCanceledMail('failed', 'The assessment was deleted')).toBe(true);
  });
});
