import type { SmtpTestResult } from '@invigil/core/contract/installation/smtp-settings';
import { type AccountFault, adviceFor } from './account-fault.ts';
import {
  faultIn,
  field,
  type Handover,
  isAfterSignIn,
  isCertificateError,
  isUnencrypted,
  networkCodeOf,
  statusOf,
} from './smtp-transport.ts';

type Stage = SmtpTestResult['stage'];

/** What to do about a failure at each stage, for the administrator. */
const ADVICE: Record<Exclude<Stage, 'done'>, string> = {
  settings:
    'This mail server is not allowed. If it is yours, ask who runs this server to add it to SMTP_ALLOWED_HOSTS.',
  name: 'The host name was not found. Check its spelling.',
  connection:
    'No connection. Check host and port (usually 587 or 465), and any firewall in between.',
  certificate: 'The certificate of the mail server is not valid for this host name.',
  sign_in: 'The mail server refused the user name or password.',
  sender: 'The mail server does not let this user send from this address.',
  recipient: 'The mail server does not accept mail for this recipient.',
  message: 'The mail server did not accept the message.',
  limit: 'The mail server takes no more messages from this account just now.',
};

/** The stage at which each kind of fault of our own account is met. */
const STAGE_OF: Partial<Record<AccountFault['kind'], 'limit' | 'sender' | 'sign_in'>> = {
  rate: 'limit',
  connections: 'limit',
  day: 'limit',
  full: 'limit',
  blocked: 'sender',
  sender: 'sender',
  sign_in: 'sign_in',
  relay: 'sign_in',
};

/** Advice for a connection that was made and then failed. */
const SILENT = 'The mail server did not respond in time. Check the port (usually 587 or 465).';
const UNENCRYPTED =
  'The mail server offers no encrypted connection on this port. Check the port (usually 587 or 465).';

/** The stage of the SMTP session at which a test message ended, with advice. */
export function diagnose(handover: Handover): SmtpTestResult {
  switch (handover.kind) {
    case 'accepted':
      return {
        delivered: true,
        stage: 'done',
        message: 'The mail server accepted the message.',
        serverAnswer: handover.answer,
      };
    case 'unresolved':
      return failed(handover.forbidden ? 'settings' : 'name', handover.reason);
    case 'failed':
      return { ...classify(handover.error), serverAnswer: answerOf(handover.error) };
  }
}

function failed(stage: Exclude<Stage, 'done'>, serverAnswer: string | null): SmtpTestResult {
  return { delivered: false, stage, message: ADVICE[stage], serverAnswer };
}

/** By nodemailer's error codes and the SMTP command in progress. */
function classify(error: unknown): Omit<SmtpTestResult, 'serverAnswer'> {
  const code = String(field(error, 'code') ?? '');
  const text = error instanceof Error ? error.message : '';
  const command = String(field(error, 'command') ?? '');
  const at = (stage: Exclude<Stage, 'done'>, message = ADVICE[stage]) => ({
    delivered: false,
    stage,
    message,
  });
  if (isCertificateError(error)) return at('certificate');
  if (isUnencrypted(error)) return at('connection', UNENCRYPTED);
  const fault = faultIn(error);
  const stage = fault && STAGE_OF[fault.kind];
  if (fault && stage) {
    // These two have a sentence of their own; the others name whose limit it is.
    const isUsual = fault.kind === 'sender' || stage === 'sign_in';
    return at(stage, isUsual ? ADVICE[stage] : `${fault.text}. ${adviceFor(fault.kind)}`);
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') return at('sign_in');
  if (code === 'ETIMEDOUT' && !/connection timeout/i.test(text)) return at('connection', SILENT);
  if (command.startsWith('MAIL')) return at('sender');
  if (command.startsWith('RCPT')) return at('recipient');
  if (command.startsWith('DATA') || code === 'EMESSAGE') return at('message');
  return at('connection');
}

/**
 * The server's response once it has accepted our sign-in; before that only codes (`isAfterSignIn`).
 */
function answerOf(error: unknown): string | null {
  const response = field(error, 'response');
  if (isAfterSignIn(error) && typeof response === 'string' && response !== '') return response;
  return statusOf(error) ?? networkCodeOf(error);
}
