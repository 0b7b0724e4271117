/** A refusal by a mail server after it had accepted our sign-in. */
export interface Refusal {
  /** The command that was refused, as nodemailer names it. */
  command: string;
  /** SMTP status: 4xx is temporary, 5xx permanent (RFC 5321 section 4.2.1). */
  code: number;
  /** The text of the response, with the status code. */
  response: string;
}

const ANSWER_MAX_CHARACTERS = 300;

/** RFC 3463: subject and detail of an enhanced status code, the most specific first. */
const BY_STATUS: readonly (readonly [RegExp, string])[] = [
  [/^1\.(0|2|10)$/, 'The domain of this address does not accept mail'],
  [/^1\.1$/, 'There is no mailbox with this address'],
  [/^1\.6$/, 'The mailbox has moved'],
  [/^1\.[78]$/, 'The mail server does not accept the sender address'],
  [/^1\./, 'The mail server refused this address'],
  [/^2\.1$/, 'The mailbox is disabled'],
  [/^2\.2$/, 'The mailbox is full'],
  [/^(2\.3|3\.4)$/, 'The message is too large for the mail server'],
  [/^4\./, 'The recipient’s mail server cannot be reached'],
  [/^7\./, 'A rule of the mail server refused the message'],
];

const BY_COMMAND: readonly (readonly [RegExp, string])[] = [
  [/^MAIL/, 'The mail server does not accept the sender address'],
  [/^RCPT/, 'The mail server refused this address'],
  [/^/, 'The mail server refused the message'],
];

/**
 * A refusal in plain words, followed by the server's own response:
 * `The mailbox is full (552 5.2.2 Quota exceeded)`, `Temporary problem: the mailbox is full (452 …)`.
 */
export function refusalMessage({ command, code, response: text }: Refusal): string {
  const answer = text.replace(/\s+/g, ' ').trim();
  const status = /^\d{3}[ -][45]\.(\d{1,3}\.\d{1,3})\b/.exec(answer)?.[1];
  const summary = find(BY_STATUS, status) ?? find(BY_COMMAND, command) ?? '';
  const response = answer.startsWith(String(code)) ? answer : `${code} ${answer}`.trim();
  const sentence = `${summary} (${response.slice(0, ANSWER_MAX_CHARACTERS)})`;
  if (code >= 500) return sentence;
  return `Temporary problem: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function find(table: readonly (readonly [RegExp, string])[], text: string | undefined) {
  return text === undefined ? undefined : table.find(([pattern]) => pattern.test(text))?.[1];
}
