import { responseOf, type SmtpAnswer, statusIn } from './smtp-answer.ts';

/**
 * A limit or fault of our own account at the mail provider. It says nothing about the recipient: the
 * whole queue waits, and no message fails for it.
 */
export interface AccountFault {
  kind: FaultKind;
  /** For administrators: whose limit it is, and what the provider said. */
  text: string;
}

export type FaultKind = keyof typeof FAULTS;

const AGAIN = 'Waiting messages are then sent.';

const SIGN_IN_WORDS = {
  did: 'Your mail provider refused the sign-in of this account',
  advice: `In Settings, enter the user name and the password again. Many providers require an app password, or sending by SMTP to be allowed first. ${AGAIN}`,
};

/**
 * What the provider did, and what an administrator can do. `ofMessage`: the refusal may concern one message
 * alone, so another one finds out. Providers lock an account that is refused too often, so everything else
 * is tried by its growing pauses only.
 */
const FAULTS = {
  rate: {
    ofMessage: false,
    did: 'Your mail provider takes no more messages from this account just now',
    advice: 'Nothing to do: sending continues by itself, at the pace that the provider allows.',
  },
  connections: {
    ofMessage: false,
    did: 'Your mail provider takes no more connections from this account just now',
    advice: 'Nothing to do: sending continues by itself, at the pace that the provider allows.',
  },
  day: {
    ofMessage: true,
    did: 'Your mail provider takes no more messages from this account today',
    advice:
      'Sending continues by itself when the provider takes messages again, usually within a day. If that is too late, ask your provider for a higher limit, or enter another mail server in Settings.',
  },
  full: {
    ofMessage: true,
    did: 'The mailbox of your sending account is full, so your mail provider takes no more messages',
    advice: `Delete messages in the mailbox of the sending account, also from its folder of sent messages. ${AGAIN}`,
  },
  sender: {
    ofMessage: true,
    did: 'Your mail provider does not let this account send from its sender address',
    advice: `In Settings, enter a sender address that belongs to this account, or allow the address at your provider. ${AGAIN}`,
  },
  sign_in: { ofMessage: false, ...SIGN_IN_WORDS },
  /** Refused to relay this message, as without a sign-in. */
  relay: { ofMessage: true, ...SIGN_IN_WORDS },
  blocked: {
    ofMessage: false,
    did: 'Your mail provider has blocked this account from sending',
    advice: `Sign in at your provider and lift the block, or ask its support. ${AGAIN}`,
  },
  refused: {
    ofMessage: false,
    did: 'Your mail server refused the connection',
    advice: `Check host and port in Settings, and ask your provider whether this server may connect. ${AGAIN}`,
  },
  tls: {
    ofMessage: false,
    did: 'No safe connection to your mail server is possible',
    advice: `Check host and port in Settings, and that the certificate of the server is valid for its name. ${AGAIN}`,
  },
  settings: {
    ofMessage: false,
    did: 'The settings of the mail server cannot be used',
    advice: `Correct them in Settings. ${AGAIN}`,
  },
} as const satisfies Record<string, { ofMessage: boolean; did: string; advice: string }>;

/** What an administrator can do about a fault. */
export function adviceFor(kind: FaultKind): string {
  return FAULTS[kind].advice;
}

/** Whether a stored fault may concern the one message that met it. */
export function isFaultOfMessage(fault: string | null): boolean {
  return fault !== null && FAULTS[faultKindOf(fault)].ofMessage;
}

/** A stored kind of fault; one of a later version reads as `settings`. */
export function faultKindOf(text: string): FaultKind {
  return Object.keys(FAULTS).find((kind): kind is FaultKind => kind === text) ?? 'settings';
}

const ADDRESS = /[^\s<>"'()]+@[^\s<>"'()]+/g;

/** `Your mail provider takes no more messages from this account today: 550 5.4.5 …`. */
export function faultOf(kind: FaultKind, response: string): AccountFault {
  // Stored for as long as the fault lasts: without the recipient, who may be erased meanwhile.
  const said = response.replaceAll(ADDRESS, '(address)');
  return { kind, text: `${FAULTS[kind].did}: ${said}` };
}

/** Said about the recipient's side, in words that also occur in answers about ours. */
const OF_RECIPIENT =
  /rcpt domain|recipient domain|RESOLVER\.RST|recipient account|to this (recipient|group)|receiving (mail|messages)|(recipient|user|mailbox|account|person)\S* (you are|that you|has exceeded|is over|is full)|mailbox (is )?(full|over)|grey ?list|gray ?list/i;
const OF_SUBMISSION = /\.submission\b|submission quota|shutoffquota/i;
const CONNECTIONS =
  /concurrent|(too many|maximum (number of )?|max\S* )\S*\s?(connections|sessions)|thread limit/i;
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
  const kind = kindOf(answer);
  return kind && faultOf(kind, responseOf(answer));
}

function kindOf({ command, code, response }: SmtpAnswer): FaultKind | undefined {
  const status = statusIn(response)?.slice(2);
  // RFC 4954: authentication required, too weak, failed, without encryption.
  if ([530, 534, 535, 538].includes(code)) return 'sign_in';
  if (OF_SUBMISSION.test(response) && status === '2.2') return 'full';
  if (OF_RECIPIENT.test(response) || isOfMessage(status, response)) return undefined;
  // Of X.2.X (the mailbox addressed) only these are about the sender (Exchange Online).
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

/** Its size, or an address that needs SMTPUTF8. */
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
): FaultKind | undefined {
  const isRelayLimit = /relay limit/i.test(response);
  if (CONNECTIONS.test(response) || code === 432) return 'connections';
  if (LIMIT.test(response) && (!isAboutMailbox || isRelayLimit)) return limitKind(code, response);
  // Gmail: 5.4.5 over the day's limit, 4.4.5 too busy. 421 closes the connection whatever it carried.
  if (status === '4.5') return limitKind(code, response);
  if (code === 421 || /^7\.[56]\d\d$/.test(status ?? '')) return 'rate';
  return undefined;
}

function limitKind(code: number, response: string): FaultKind {
  if (DAY.test(response)) return 'day';
  return code >= 500 && !HOUR.test(response) ? 'day' : 'rate';
}
