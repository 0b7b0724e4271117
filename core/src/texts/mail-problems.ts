import { changedText } from './changed-outside.ts';

/*
 * Why mail waits or was not sent, by the codes that are stored. `said`: what is stored beside a code, the mail
 * server's own answer, or the name that the problem is about.
 */

type Text = string | ((said: string) => string);

const AGAIN = 'Waiting messages are then sent.';
const OWN_PACE =
  'Nothing to do: sending continues by itself, at the pace that the provider allows.';

const SIGN_IN = {
  did: 'Your mail provider refused the sign-in of this account',
  advice: `In Settings, enter the user name and the password again. Many providers require an app password, or sending by SMTP to be allowed first. ${AGAIN}`,
};
const TLS = {
  did: 'No safe connection to your mail server is possible',
  advice: `Check host and port in Settings, and that the certificate of the server is valid for its name. ${AGAIN}`,
};
const SETTINGS = {
  did: 'The settings of the mail server cannot be used',
  advice: `Correct them in Settings. ${AGAIN}`,
};

/** Ports for mail. Any other port of a host that is not named could be another kind of service. */
export const MAIL_PORTS: readonly number[] = [25, 465, 587, 2525];

/**
 * Limits and faults of our own account at the mail provider: what the provider did, and what an administrator can
 * do. `why`: in the place of the provider's answer, where it gave none.
 */
const ACCOUNT_FAULTS = {
  rate: {
    did: 'Your mail provider takes no more messages from this account just now',
    advice: OWN_PACE,
  },
  connections: {
    did: 'Your mail provider takes no more connections from this account just now',
    advice: OWN_PACE,
  },
  day: {
    did: 'Your mail provider takes no more messages from this account today',
    advice:
      'Sending continues by itself when the provider takes messages again, usually within a day. If that is too late, ask your provider for a higher limit, or enter another mail server in Settings.',
  },
  full: {
    did: 'The mailbox of your sending account is full, so your mail provider takes no more messages',
    advice: `Delete messages in the mailbox of the sending account, also from its folder of sent messages. ${AGAIN}`,
  },
  sender: {
    did: 'Your mail provider does not let this account send from its sender address',
    advice: `In Settings, enter a sender address that belongs to this account, or allow the address at your provider. ${AGAIN}`,
  },
  sign_in: SIGN_IN,
  no_sign_in: { ...SIGN_IN, why: 'no sign-in' },
  /** Refused to relay this message, as without a sign-in. */
  relay: SIGN_IN,
  blocked: {
    did: 'Your mail provider has blocked this account from sending',
    advice: `Sign in at your provider and lift the block, or ask its support. ${AGAIN}`,
  },
  refused: {
    did: 'Your mail server refused the connection',
    advice: `Check host and port in Settings, and ask your provider whether this server may connect. ${AGAIN}`,
  },
  greeting: {
    did: 'Your mail server refused the name by which this server greets it',
    advice:
      'It is the host of the public address. In Settings, enter a public address with a full name, such as exams.example.org; if it has one, ask your provider which names it accepts. Then send a test message; waiting messages follow.',
  },
  certificate: { ...TLS, why: 'its certificate is not valid' },
  unencrypted: { ...TLS, why: 'it offers no encryption on this port' },
  password_unreadable: {
    ...SETTINGS,
    why: 'The stored password of the mail server cannot be read with the SECRET_KEY of this installation. Enter it again in Settings',
  },
  settings_changed: {
    ...SETTINGS,
    why: 'The settings of the mail server were changed outside of Invigil. Ask the operator to run "npm run verify", then enter them again in Settings, with the password',
  },
  institution_changed: { ...SETTINGS, why: changedText('institution') },
  host_forbidden: {
    ...SETTINGS,
    why: (host) =>
      `${host} is inside your own network. Only who runs this server may allow it: ask them to add ${host} to SMTP_ALLOWED_HOSTS`,
  },
  /** `said`: host and port. */
  port_forbidden: {
    ...SETTINGS,
    why(said) {
      const at = said.lastIndexOf(':');
      return `Mail servers use port ${MAIL_PORTS.join(', ')}. For port ${said.slice(at + 1)}, ask who runs this server to add ${said.slice(0, at)} to SMTP_ALLOWED_HOSTS`;
    },
  },
  /** Earlier versions stored these two for the seven codes above, with the reason as `said`. */
  tls: TLS,
  settings: SETTINGS,
} as const satisfies Record<string, { did: string; advice: string; why?: Text }>;

export type FaultCode = keyof typeof ACCOUNT_FAULTS;

/** Refusals of a recipient or a message, which end with what the mail server said. */
const REFUSALS = {
  domain_refused: 'The domain of this address does not accept mail',
  no_mailbox: 'There is no mailbox with this address',
  mailbox_moved: 'The recipient’s mailbox has moved',
  address_refused: 'The mail server refused this address',
  mailbox_closed: 'The recipient’s mailbox takes no messages now',
  mailbox_full: 'The recipient’s mailbox is full',
  too_large: 'The message is too large for the mail server',
  unreachable: 'The recipient’s mail server cannot be reached',
  rule_refused: 'A rule of the mail server refused the message',
  message_refused: 'The mail server refused the message',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** Failures that are tried again. */
const FAILURES = {
  /** `said`: the system's code for it, where there is one. */
  connection_failed: (said) =>
    `The connection to the mail server failed${said === '' ? '' : ` (${said})`}`,
  name_unknown: (host) => `The name ${host} was not found`,
  name_without_address: (host) => `The name ${host} has no address`,
  not_prepared: 'This message could not be prepared. The server log says why',
} as const satisfies Record<string, Text>;

/**
 * Why a waiting message was canceled: its one-time password or link no longer works. Its state is `failed`, but
 * nothing went wrong.
 */
const CANCELED = {
  replaced: 'Replaced by a newer invitation',
  revoked: 'The invitation was revoked',
  replaced_or_revoked: 'Its one-time password was replaced or revoked',
  archived: 'The assessment was deleted',
  restored: 'Its link was not restored with the backup',
  key_changed: 'Its link or one-time password ended with the change of SECRET_KEY',
} as const;

export type CanceledCode = keyof typeof CANCELED;

const OTHERS = {
  stopped: 'The server was stopped before this message was sent',
  abandoned: 'The server stopped while this message was being sent',
  assessment_ended: 'The assessment had ended. If its end date moves, send a new one',
  password_ended: 'Its one-time password is no longer valid. Send a new one',
  content_gone: 'The contents of this message no longer exist',
  secret_unreadable:
    'Its one-time password cannot be read with the SECRET_KEY of this installation. Send a new one',
  not_administrator: 'No administrator has this address any more',
  person_erased: 'The person was erased',
  message_changed: changedText('message'),
  attempt_changed: changedText('attempt'),
} as const;

export type MailProblemCode =
  | FaultCode
  | RefusalCode
  | keyof typeof FAILURES
  | CanceledCode
  | keyof typeof OTHERS;

/** Why a message was not sent, or waits. */
export interface MailProblem<Code = MailProblemCode> {
  code: Code;
  said?: string;
}

const ALL: Readonly<Record<string, Text>> = {
  ...Object.fromEntries(Object.entries(REFUSALS).map(([code, text]) => [code, refusal(text)])),
  ...{ ...FAILURES, ...CANCELED, ...OTHERS },
};

/** `The recipient’s mailbox is full (552 5.2.2 Quota exceeded)`, `Temporary problem: the … (452 …)`. */
function refusal(text: string) {
  return (said: string) =>
    isTemporary(said)
      ? `Temporary problem: ${text.charAt(0).toLowerCase()}${text.slice(1)} (${said})`
      : `${text} (${said})`;
}

/** RFC 5321, section 4.2.1. */
const isTemporary = (said: string) => said.startsWith('4');

const textOf = (text: Text, said: string) => (typeof text === 'string' ? text : text(said));

const isFault = (code: string): code is FaultCode => Object.hasOwn(ACCOUNT_FAULTS, code);

/** A fault by its stored code; that of a later version reads as one of the settings. */
const faultBy = (code: string): { did: string; advice: string; why?: Text } =>
  ACCOUNT_FAULTS[isFault(code) ? code : 'settings'];

/** Why the account cannot send, without what that means: for who enters the settings. */
export const faultReason = ({ code, said = '' }: MailProblem<FaultCode>): string =>
  textOf(faultBy(code).why ?? said, said);

/** Says what happened to the account, and why. */
export function faultText(code: string, said: string | null): string {
  const { did, why = said ?? '' } = faultBy(code);
  return `${did}: ${textOf(why, said ?? '')}`;
}

/** Advice for an administrator about a fault. */
export const faultAdvice = (code: string): string => faultBy(code).advice;

/** A problem in words. */
export const problemText = ({ code, said = '' }: MailProblem<string>): string =>
  isFault(code) ? faultText(code, said) : textOf(ALL[code] ?? code, said);

/** Why a message waits or was not sent, from what is stored; a sentence of an earlier version as it is. */
export function mailProblemText(
  state: string,
  code: string | null,
  said: string | null,
): string | null {
  if (code === null) return null;
  const text = problemText({ code, said: said ?? '' });
  // A message that is tried again fails only at the end of its time.
  const isTried = Object.hasOwn(FAILURES, code) || Object.hasOwn(REFUSALS, code);
  const wasGivenUp = state === 'failed' && isTried && (said === null || !/^5\d\d/.test(said));
  return wasGivenUp ? `Given up after 24 hours. Last response: ${text}` : text;
}

/** Whether a message with this state and text was canceled. */
export function isCanceledMail(state: string, text: string | null): boolean {
  return state === 'failed' && Object.values<string | null>(CANCELED).includes(text);
}
