import { responseOf, type SmtpAnswer, statusIn } from './smtp-answer.ts';

/** RFC 3463: subject and detail of an enhanced status code, the most specific first. */
const BY_STATUS: readonly (readonly [RegExp, string])[] = [
  [/^1\.(0|2|10)$/, 'The domain of this address does not accept mail'],
  [/^1\.1$/, 'There is no mailbox with this address'],
  [/^1\.6$/, 'The recipient’s mailbox has moved'],
  [/^1\./, 'The mail server refused this address'],
  [/^2\.1$/, 'The recipient’s mailbox takes no messages now'],
  [/^2\.2$/, 'The recipient’s mailbox is full'],
  [/^(2\.3|3\.4)$/, 'The message is too large for the mail server'],
  [/^4\./, 'The recipient’s mail server cannot be reached'],
  [/^7\./, 'A rule of the mail server refused the message'],
];

const BY_COMMAND: readonly (readonly [RegExp, string])[] = [
  [/^RCPT/, 'The mail server refused this address'],
  [/^/, 'The mail server refused the message'],
];

/**
 * A refusal of a recipient or a message in plain words, followed by the server's own response:
 * `The recipient’s mailbox is full (552 5.2.2 Quota exceeded)`, `Temporary problem: the … (452 …)`.
 */
export function refusalMessage(answer: SmtpAnswer): string {
  const status = statusIn(answer.response)?.slice(2);
  const summary = find(BY_STATUS, status) ?? find(BY_COMMAND, answer.command) ?? '';
  const sentence = `${summary} (${responseOf(answer)})`;
  if (answer.code >= 500) return sentence;
  return `Temporary problem: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function find(table: readonly (readonly [RegExp, string])[], text: string | undefined) {
  return text === undefined ? undefined : table.find(([pattern]) => pattern.test(text))?.[1];
}
