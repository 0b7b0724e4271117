import type { SmtpTestResult } from '@invigil/core/contract/smtp-settings';
import { field, type Handover, isAfterSignIn, networkCodeOf, statusOf } from './smtp-transport.ts';

type Stage = SmtpTestResult['stage'];

/** Node's names for a certificate that does not convince (errors of `tls` and OpenSSL). */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO/;

/** What each stage means for the person who filled in the form. */
const ADVICE: Record<Exclude<Stage, 'done'>, string> = {
  settings: 'This mail server may not be used. Name it in SMTP_ALLOWED_HOSTS if it is yours.',
  name: 'The host name was not found. Check its spelling.',
  connection:
    'No connection. Check host and port; 587 and 465 are usual, and a firewall may be in between.',
  certificate: 'The certificate of the mail server is not valid for this host name.',
  sign_in: 'The mail server refused user name or password.',
  sender: 'The mail server does not let this user send from this address.',
  recipient: 'The mail server does not take mail for this recipient.',
  message: 'The mail server did not take the message.',
};

/** A connection that came about and then failed has reasons of its own. */
const SILENT = 'The mail server did not answer in time. Check the port; 587 and 465 are usual.';
const UNENCRYPTED =
  'The mail server offers no encrypted connection on this port. Check the port; 587 and 465 are usual.';

/** Says in which stage of the conversation a test message ended, and what to do about it. */
export function diagnose(handover: Handover): SmtpTestResult {
  switch (handover.kind) {
    case 'accepted':
      return {
        delivered: true,
        stage: 'done',
        message: 'The mail server took the message.',
        serverAnswer: handover.answer,
      };
    case 'unresolved':
      return failed(handover.forbidden ? 'settings' : 'name', handover.reason);
    case 'failed':
      return { ...judge(handover.error), serverAnswer: answerOf(handover.error) };
  }
}

function failed(stage: Exclude<Stage, 'done'>, serverAnswer: string | null): SmtpTestResult {
  return { delivered: false, stage, message: ADVICE[stage], serverAnswer };
}

/** By nodemailer's own codes and by the command that was under way. */
function judge(error: unknown): Omit<SmtpTestResult, 'serverAnswer'> {
  const code = String(field(error, 'code') ?? '');
  const cause = String(field(field(error, 'cause'), 'code') ?? '');
  const text = error instanceof Error ? error.message : '';
  const command = String(field(error, 'command') ?? '');
  const at = (stage: Exclude<Stage, 'done'>, message = ADVICE[stage]) => ({
    delivered: false,
    stage,
    message,
  });
  if (CERTIFICATE.test(code) || CERTIFICATE.test(cause) || /certificate/i.test(text)) {
    return at('certificate');
  }
  if (code === 'ETLS' || /ERR_SSL|wrong version number/.test(`${cause} ${text}`)) {
    return at('connection', UNENCRYPTED);
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') return at('sign_in');
  if (code === 'ETIMEDOUT' && !/connection timeout/i.test(text)) return at('connection', SILENT);
  if (command.startsWith('MAIL')) return at('sender');
  if (command.startsWith('RCPT')) return at('recipient');
  if (command.startsWith('DATA') || code === 'EMESSAGE') return at('message');
  return at('connection');
}

/** The server's own words once it took our sign-in; before that codes alone (`isAfterSignIn`). */
function answerOf(error: unknown): string | null {
  const response = field(error, 'response');
  if (isAfterSignIn(error) && typeof response === 'string' && response !== '') return response;
  return statusOf(error) ?? networkCodeOf(error);
}
