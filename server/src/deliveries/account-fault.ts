import type { FaultCode, MailProblem } from '@invigil/core/texts/mail-problems';
import { responseOf, type SmtpAnswer, statusIn } from './smtp-answer.ts';

/**
 * A limit or fault of our own account at the mail provider. It says nothing about the recipient: the
 * whole queue waits, and no message fails for it.
 */
export type AccountFault = MailProblem<FaultCode>;

/**
 * The refusal may concern one message alone, so another one finds out. Providers lock an account that is refused
 * too often, so everything else is tried by its growing pauses only.
 */
const OF_MESSAGE: readonly FaultCode[] = ['day', 'full', 'sender', 'relay'];

/** Whether a stored fault may concern the one message that met it. */
export function isFaultOfMessage(fault: string | null): boolean {
  return OF_MESSAGE.some((code) => code === fault);
}

const ADDRESS = /[^\s<>"'()]+@[^\s<>"'()]+/g;

/** A fault, with what the provider said: kept for as long as it lasts, without the recipient, who may be erased. */
export function faultOf(code: FaultCode, response: string): AccountFault {
  return { code, said: response.replaceAll(ADDRESS, '(address)') };
}

/** Said about the recipient's side, in words that also occur in answers about ours. */
const OF_RECIPIENT =
  /rcpt domain|recipient domain|RESOLVER\.RST|recipient account|to this (recipient|group)|receiving (mail|messages)|(recipient|user|mailbox|account|person)\S* (you are|that you|has exceeded|is over|is full)|mailbox (is )?(full|over)|grey ?list|gray ?list/i;
const OF_SUBMISSION = /\.submission\b|submission quota|shutoffquota/i;
const CONNECTIONS =
  /concurrent|(too many|maximum (number of )?|max\S* )\S*\s?(connections|sessions)|thread limit/i;
/** Our own name, which some servers judge only once they know the recipient. */
const GREETING =
  /\b(helo|ehlo)\b.{0,40}\b(rejected|refused|invalid|denied|not (accepted|allowed))|\b(invalid|bad|forged) (helo|ehlo)\b/i;
const DAY = /\b(day|daily|today|24[ -]?h)/i;
const HOUR = /\bhour|\bminute|\brate\b|\bper second|throttl/i;
/** "Limit exceeded", "exceeded the quota", "too many messages", as providers put it. */
const LIMIT =
  /\b(limit|limits|quota|credits|threshold|rate)\b.{0,60}\b(exceed|reach|met\b)|(exceed|reach)\S*\b.{0,80}\b(limit|limits|quota|rate|threshold|maximum)|rate[- ]?limit|too (many|much) (messages|mails?|emails?|logins?|login attempts|recipients|errors|requests)|sending too (many|fast|quickly)|throttl|quotaexceeded|slow down/i;
const SENDER =
  /send ?as\b|send as this sender|sendasdenied|not allowed to send (as|from)|sender (address )?(rejected|refused|denied|is not|not )|not owned by|relaying disallowed as|(from|sender)\S*( address)? (does not|doesn.t|is not|must) (match|be|verified|allowed|permitted)|unauthenticated senders|verified sender identity|sender verify|mail from address must be same/i;
const RELAY =
  /authentication (is )?required|not authenticated|must authenticate|(relay|relaying) (access )?(denied|not permitted|not allowed)|unable to relay|maximum credits/i;
const BLOCKED =
  /bad outbound sender|account\S* (has been |is |was )?(blocked|suspended|disabled|locked)|(sender|tenant)\S* (has been |is |was )?(blocked|banned|suspended)|banned sender|spam abuse|outbound spam|client host/i;

/**
 * The fault of our own account that a refusal tells of, or `undefined`: then it is about the recipient
 * or this one message. By the codes of RFC 4954 (sign-in), RFC 3463 and of large providers, else by
 * the words of the answer.
 */
export function accountFault(answer: SmtpAnswer): AccountFault | undefined {
  const code = codeOf(answer);
  return code && faultOf(code, responseOf(answer));
}

/** Whether a refusal is about how many connections there are. */
export const isAboutConnections = (response: string): boolean => CONNECTIONS.test(response);

function codeOf({ command, code, response }: SmtpAnswer): FaultCode | undefined {
  const status = statusIn(response)?.slice(2);
  // RFC 4954: authentication required, too weak, failed, without encryption.
  if ([530, 534, 535, 538].includes(code)) return 'sign_in';
  if (GREETING.test(response)) return 'greeting';
  if (OF_SUBMISSION.test(response) && status === '2.2') return 'full';
  if (OF_RECIPIENT.test(response) || isOfMessage(status, response)) return undefined;
  // These are about the sender (Exchange Online), although X.2.X is about the mailbox addressed.
  if (status === '2.252' || status === '7.60') return 'sender';
  if (status === '1.90') return 'day';
  const isAboutMailbox = /^[12]\./.test(status ?? '') && !/^(1\.[78]|2\.0)$/.test(status ?? '');
  if (/^7\.(50[123]|7\d\d)$/.test(status ?? '')) return 'blocked';
  if (BLOCKED.test(response) && !isAboutMailbox) return 'blocked';
  if (SENDER.test(response) || /^1\.[78]$/.test(status ?? '')) return 'sender';
  if (RELAY.test(response)) return 'relay';
  const limit = limitOf(code, status, response, isAboutMailbox);
  if (limit !== undefined) return limit;
  // MAIL FROM names the sender alone.
  if (command.startsWith('MAIL')) return code >= 500 ? 'sender' : 'rate';
  return undefined;
}

/** Whether a refusal is about the message itself: its size, or an address that needs SMTPUTF8. */
function isOfMessage(status: string | undefined, response: string): boolean {
  return (
    /^(2\.3|3\.4|6\.7)$/.test(status ?? '') ||
    /\bmessage size\b|size of (the|your) message/i.test(response)
  );
}

/** A limit of the account: of connections, of the day, or of the pace. */
function limitOf(
  code: number,
  status: string | undefined,
  response: string,
  isAboutMailbox: boolean,
): FaultCode | undefined {
  const isRelayLimit = /relay limit/i.test(response);
  if (isAboutConnections(response) || code === 432) return 'connections';
  if (LIMIT.test(response) && (!isAboutMailbox || isRelayLimit)) return limitKind(code, response);
  // Gmail: 5.4.5 over the day's limit, 4.4.5 too busy. 421 closes the connection whatever it carried.
  if (status === '4.5') return limitKind(code, response);
  if (code === 421 || /^7\.[56]\d\d$/.test(status ?? '')) return 'rate';
  return undefined;
}

function limitKind(code: number, response: string): FaultCode {
  if (DAY.test(response)) return 'day';
  return code >= 500 && !HOUR.test(response) ? 'day' : 'rate';
}
