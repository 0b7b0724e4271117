import { listText } from '../domain/locale.ts';
import { changedText } from './changed-outside.ts';
import { t } from './i18n.ts';

/*
 * Why mail waits or was not sent, by the codes that are stored. `said`: what is stored beside a code, the mail
 * server's own answer, or the name that the problem is about.
 */

type Text = (said: string) => string;

const again = () =>
  t(
    /* behind advice about the mail server */ 'mailAdvice.again',
    'Waiting messages are then sent.',
  );
const ownPace = () =>
  t(
    'mailAdvice.ownPace',
    'Nothing to do: sending continues by itself, at the pace that the provider allows.',
  );

const SIGN_IN = {
  did: () => t('mailFault.signIn', 'Your mail provider refused the sign-in of this account'),
  advice: () =>
    `${t(
      'mailAdvice.signIn',
      'In Settings, enter the user name and the password again. Many providers require an app password, or sending by SMTP to be allowed first.',
    )} ${again()}`,
};
const TLS = {
  did: () => t('mailFault.tls', 'No safe connection to your mail server is possible'),
  advice: () =>
    `${t(
      'mailAdvice.tls',
      'Check host and port in Settings, and that the certificate of the server is valid for its name.',
    )} ${again()}`,
};
const SETTINGS = {
  did: () => t('mailFault.settings', 'The settings of the mail server cannot be used'),
  advice: () => `${t('mailAdvice.settings', 'Correct them in Settings.')} ${again()}`,
};

/** Ports for mail. Any other port of a host that is not named could be another kind of service. */
export const MAIL_PORTS: readonly number[] = [25, 465, 587, 2525];

interface Fault {
  did: () => string;
  advice: () => string;
  why?: Text;
}

/**
 * Limits and faults of our own account at the mail provider: what the provider did, and what an administrator can
 * do. `why`: in the place of the provider's answer, where it gave none.
 */
const ACCOUNT_FAULTS = {
  rate: {
    did: () =>
      t('mailFault.rate', 'Your mail provider takes no more messages from this account just now'),
    advice: ownPace,
  },
  connections: {
    did: () =>
      t(
        'mailFault.connections',
        'Your mail provider takes no more connections from this account just now',
      ),
    advice: ownPace,
  },
  day: {
    did: () =>
      t('mailFault.day', 'Your mail provider takes no more messages from this account today'),
    advice: () =>
      t(
        'mailAdvice.day',
        'Sending continues by itself when the provider takes messages again, usually within a day. If that is too late, ask your provider for a higher limit, or enter another mail server in Settings.',
      ),
  },
  full: {
    did: () =>
      t(
        'mailFault.full',
        'The mailbox of your sending account is full, so your mail provider takes no more messages',
      ),
    advice: () =>
      `${t('mailAdvice.full', 'Delete messages in the mailbox of the sending account, also from its folder of sent messages.')} ${again()}`,
  },
  sender: {
    did: () =>
      t(
        'mailFault.sender',
        'Your mail provider does not let this account send from its sender address',
      ),
    advice: () =>
      `${t('mailAdvice.sender', 'In Settings, enter a sender address that belongs to this account, or allow the address at your provider.')} ${again()}`,
  },
  sign_in: SIGN_IN,
  no_sign_in: {
    ...SIGN_IN,
    why: () => t(/* behind a colon: says why */ 'mailWhy.noSignIn', 'no sign-in'),
  },
  /** Refused to relay this message, as without a sign-in. */
  relay: SIGN_IN,
  blocked: {
    did: () => t('mailFault.blocked', 'Your mail provider has blocked this account from sending'),
    advice: () =>
      `${t('mailAdvice.blocked', 'Sign in at your provider and lift the block, or ask its support.')} ${again()}`,
  },
  refused: {
    did: () => t('mailFault.refused', 'Your mail server refused the connection'),
    advice: () =>
      `${t('mailAdvice.refused', 'Check host and port in Settings, and ask your provider whether this server may connect.')} ${again()}`,
  },
  greeting: {
    did: () =>
      t('mailFault.greeting', 'Your mail server refused the name by which this server greets it'),
    advice: () =>
      t(
        'mailAdvice.greeting',
        'It is the host of the public address. In Settings, enter a public address with a full name, such as exams.example.org; if it has one, ask your provider which names it accepts. Then send a test message; waiting messages follow.',
      ),
  },
  certificate: {
    ...TLS,
    why: () =>
      t(/* behind a colon: says why */ 'mailWhy.certificate', 'its certificate is not valid'),
  },
  unencrypted: {
    ...TLS,
    why: () =>
      t(
        /* behind a colon: says why */ 'mailWhy.unencrypted',
        'it offers no encryption on this port',
      ),
  },
  password_unreadable: {
    ...SETTINGS,
    why: () =>
      t(
        'mailWhy.passwordUnreadable',
        'The stored password of the mail server cannot be read with the SECRET_KEY of this installation. Enter it again in Settings',
      ),
  },
  settings_changed: {
    ...SETTINGS,
    why: () =>
      t(
        'mailWhy.settingsChanged',
        'The settings of the mail server were changed outside of Invigil. Ask the operator to run "npm run verify", then enter them again in Settings, with the password',
      ),
  },
  institution_changed: { ...SETTINGS, why: () => changedText('institution') },
  host_forbidden: {
    ...SETTINGS,
    why: (host) =>
      t(
        /* SMTP_ALLOWED_HOSTS is a name and stays */ 'mailWhy.hostForbidden',
        '{host} is inside your own network. Only who runs this server may allow it: ask them to add {host} to SMTP_ALLOWED_HOSTS',
        { host },
      ),
  },
  /** `said`: host and port. */
  port_forbidden: {
    ...SETTINGS,
    why(said) {
      const at = said.lastIndexOf(':');
      return t(
        /* {ports} is a list of numbers; SMTP_ALLOWED_HOSTS is a name and stays */ 'mailWhy.portForbidden',
        'Mail servers use port {ports}. For port {port}, ask who runs this server to add {host} to SMTP_ALLOWED_HOSTS',
        {
          ports: listText(MAIL_PORTS.map(String), 'unit'),
          port: said.slice(at + 1),
          host: said.slice(0, at),
        },
      );
    },
  },
  /** Earlier versions stored these two for the seven codes above, with the reason as `said`. */
  tls: TLS,
  settings: SETTINGS,
} as const satisfies Record<string, Fault>;

export type FaultCode = keyof typeof ACCOUNT_FAULTS;

/** Refusals of a recipient or a message, which end with what the mail server said. */
const REFUSALS = {
  domain_refused: {
    lasting: (answer) =>
      t(
        /* {answer} is what the mail server said */ 'mailRefusal.domainRefused',
        'The domain of this address does not accept mail ({answer})',
        { answer },
      ),
    temporary: (answer) =>
      t(
        'mailRefusal.domainRefusedNow',
        'Temporary problem: the domain of this address does not accept mail ({answer})',
        { answer },
      ),
  },
  no_mailbox: {
    lasting: (answer) =>
      t('mailRefusal.noMailbox', 'There is no mailbox with this address ({answer})', { answer }),
    temporary: (answer) =>
      t(
        'mailRefusal.noMailboxNow',
        'Temporary problem: there is no mailbox with this address ({answer})',
        { answer },
      ),
  },
  mailbox_moved: {
    lasting: (answer) =>
      t('mailRefusal.mailboxMoved', 'The recipient’s mailbox has moved ({answer})', { answer }),
    temporary: (answer) =>
      t(
        'mailRefusal.mailboxMovedNow',
        'Temporary problem: the recipient’s mailbox has moved ({answer})',
        { answer },
      ),
  },
  address_refused: {
    lasting: (answer) =>
      t('mailRefusal.addressRefused', 'The mail server refused this address ({answer})', {
        answer,
      }),
    temporary: (answer) =>
      t(
        'mailRefusal.addressRefusedNow',
        'Temporary problem: the mail server refused this address ({answer})',
        { answer },
      ),
  },
  mailbox_closed: {
    lasting: (answer) =>
      t('mailRefusal.mailboxClosed', 'The recipient’s mailbox takes no messages now ({answer})', {
        answer,
      }),
    temporary: (answer) =>
      t(
        'mailRefusal.mailboxClosedNow',
        'Temporary problem: the recipient’s mailbox takes no messages now ({answer})',
        { answer },
      ),
  },
  mailbox_full: {
    lasting: (answer) =>
      t('mailRefusal.mailboxFull', 'The recipient’s mailbox is full ({answer})', { answer }),
    temporary: (answer) =>
      t(
        'mailRefusal.mailboxFullNow',
        'Temporary problem: the recipient’s mailbox is full ({answer})',
        { answer },
      ),
  },
  too_large: {
    lasting: (answer) =>
      t('mailRefusal.tooLarge', 'The message is too large for the mail server ({answer})', {
        answer,
      }),
    temporary: (answer) =>
      t(
        'mailRefusal.tooLargeNow',
        'Temporary problem: the message is too large for the mail server ({answer})',
        { answer },
      ),
  },
  unreachable: {
    lasting: (answer) =>
      t('mailRefusal.unreachable', 'The recipient’s mail server cannot be reached ({answer})', {
        answer,
      }),
    temporary: (answer) =>
      t(
        'mailRefusal.unreachableNow',
        'Temporary problem: the recipient’s mail server cannot be reached ({answer})',
        { answer },
      ),
  },
  rule_refused: {
    lasting: (answer) =>
      t('mailRefusal.ruleRefused', 'A rule of the mail server refused the message ({answer})', {
        answer,
      }),
    temporary: (answer) =>
      t(
        'mailRefusal.ruleRefusedNow',
        'Temporary problem: a rule of the mail server refused the message ({answer})',
        { answer },
      ),
  },
  message_refused: {
    lasting: (answer) =>
      t('mailRefusal.messageRefused', 'The mail server refused the message ({answer})', { answer }),
    temporary: (answer) =>
      t(
        'mailRefusal.messageRefusedNow',
        'Temporary problem: the mail server refused the message ({answer})',
        { answer },
      ),
  },
} as const satisfies Record<string, { lasting: Text; temporary: Text }>;

export type RefusalCode = keyof typeof REFUSALS;

/** Failures that are tried again. */
const FAILURES = {
  /** `said`: the system's code for it, where there is one. */
  connection_failed: (said) =>
    said === ''
      ? t('mailFailure.connection', 'The connection to the mail server failed')
      : t(
          /* {code} is such as ECONNRESET */ 'mailFailure.connectionCode',
          'The connection to the mail server failed ({code})',
          {
            code: said,
          },
        ),
  name_unknown: (host) =>
    t(/* of a host */ 'mailFailure.nameUnknown', 'The name {host} was not found', { host }),
  name_without_address: (host) =>
    t(/* of a host */ 'mailFailure.nameWithoutAddress', 'The name {host} has no address', { host }),
  not_prepared: () =>
    t('mailFailure.notPrepared', 'This message could not be prepared. The server log says why'),
} as const satisfies Record<string, Text>;

/**
 * Why a waiting message was canceled: its one-time password or link no longer works. Its state is `failed`, but
 * nothing went wrong.
 */
const CANCELED = {
  replaced: () =>
    t(/* said of a message */ 'mailCanceled.replaced', 'Replaced by a newer invitation'),
  revoked: () => t('invitationReason.revoked', 'The invitation was revoked'),
  replaced_or_revoked: () =>
    t('mailCanceled.replacedOrRevoked', 'Its one-time password was replaced or revoked'),
  archived: () => t('mailCanceled.archived', 'The assessment was deleted'),
  reminder_useless: () =>
    t(
      /* why a reminder was not sent; of a candidate */ 'mailCanceled.reminder',
      'The person has started, or can no longer start',
    ),
  restored: () => t('mailCanceled.restored', 'Its link was not restored with the backup'),
  key_changed: () =>
    t(
      'mailCanceled.keyChanged',
      'Its link or one-time password ended with the change of SECRET_KEY',
    ),
} as const;

export type CanceledCode = keyof typeof CANCELED;

const OTHERS = {
  stopped: () => t('mailFailure.stopped', 'The server was stopped before this message was sent'),
  abandoned: () =>
    t('mailFailure.abandoned', 'The server stopped while this message was being sent'),
  assessment_ended: () =>
    t(
      'mailFailure.assessmentEnded',
      'The assessment had ended. If its end date moves, send a new one',
    ),
  password_ended: () =>
    t('mailFailure.passwordEnded', 'Its one-time password is no longer valid. Send a new one'),
  content_gone: () => t('mailFailure.contentGone', 'The contents of this message no longer exist'),
  secret_unreadable: () =>
    t(
      'mailFailure.secretUnreadable',
      'Its one-time password cannot be read with the SECRET_KEY of this installation. Send a new one',
    ),
  not_administrator: () =>
    t('mailFailure.notAdministrator', 'No administrator has this address any more'),
  person_erased: () => t('mailFailure.personErased', 'The person was erased'),
  message_changed: () => changedText('message'),
  attempt_changed: () => changedText('attempt'),
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
function refusal({ lasting, temporary }: { lasting: Text; temporary: Text }): Text {
  return (said) => (isTemporary(said) ? temporary(said) : lasting(said));
}

/** RFC 5321, section 4.2.1. */
const isTemporary = (said: string) => said.startsWith('4');

const isFault = (code: string): code is FaultCode => Object.hasOwn(ACCOUNT_FAULTS, code);

/** A fault by its stored code; that of a later version reads as one of the settings. */
const faultBy = (code: string): Fault => ACCOUNT_FAULTS[isFault(code) ? code : 'settings'];

/** Why the account cannot send, without what that means: for who enters the settings. */
export const faultReason = ({ code, said = '' }: MailProblem<FaultCode>): string =>
  faultBy(code).why?.(said) ?? said;

/** Says what happened to the account, and why. */
export function faultText(code: string, said: string | null): string {
  const { did, why } = faultBy(code);
  return t(
    /* {fault} is what happened to the account, {reason} why, or what the mail server said */ 'mailFault.withReason',
    '{fault}: {reason}',
    { fault: did(), reason: why?.(said ?? '') ?? said ?? '' },
  );
}

/** Advice for an administrator about a fault. */
export const faultAdvice = (code: string): string => faultBy(code).advice();

/** A problem in words. */
export const problemText = ({ code, said = '' }: MailProblem<string>): string =>
  isFault(code) ? faultText(code, said) : (ALL[code]?.(said) ?? code);

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
  return wasGivenUp
    ? t('mailFailure.givenUp', 'Given up after 24 hours. Last response: {problem}', {
        problem: text,
      })
    : text;
}

/** Versions before the codes have stored these instead of one. */
const CANCELED_SENTENCES = new Set([
  'Replaced by a newer invitation',
  'The invitation was revoked',
  'Its one-time password was replaced or revoked',
  'The assessment was deleted',
  'Its link was not restored with the backup',
  'Its link or one-time password ended with the change of SECRET_KEY',
]);

/** Whether a message was canceled, from what is stored. */
export const isCanceledMail = (state: string, code: string | null): boolean =>
  state === 'failed' &&
  code !== null &&
  (Object.hasOwn(CANCELED, code) || CANCELED_SENTENCES.has(code));
