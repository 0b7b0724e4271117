import type { MailProblem, RefusalCode } from '@invigil/core/texts/mail-problems';
import { responseOf, type SmtpAnswer, statusIn } from './smtp-answer.ts';

/** RFC 3463: subject and detail of an enhanced status code, the most specific first. */
const BY_STATUS: readonly (readonly [RegExp, RefusalCode])[] = [
  [/^1\.(0|2|10)$/, 'domain_refused'],
  [/^1\.1$/, 'no_mailbox'],
  [/^1\.6$/, 'mailbox_moved'],
  [/^1\./, 'address_refused'],
  [/^2\.1$/, 'mailbox_closed'],
  [/^2\.2$/, 'mailbox_full'],
  [/^(2\.3|3\.4)$/, 'too_large'],
  [/^4\./, 'unreachable'],
  [/^7\./, 'rule_refused'],
];

/** The meaning of a refusal of a recipient or a message, with the server's own response. */
export function refusalOf(answer: SmtpAnswer): MailProblem<RefusalCode> {
  const status = statusIn(answer.response)?.slice(2) ?? '';
  const known = BY_STATUS.find(([pattern]) => pattern.test(status))?.[1];
  const code = known ?? (answer.command.startsWith('RCPT') ? 'address_refused' : 'message_refused');
  return { code, said: responseOf(answer) };
}
