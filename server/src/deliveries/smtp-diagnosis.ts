import type { SmtpTestResult } from '@invigil/core/contract/installation/smtp-settings';
import { faultAdvice, faultReason, problemText } from '@invigil/core/texts/mail-problems';
import { SMTP_ADVICE } from '@invigil/core/texts/smtp-advice';
import type { AccountFault } from './account-fault.ts';
import type { ResolvedHost } from './mail-host.ts';
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

/** The stage at which each kind of fault of our own account is met. */
const STAGE_OF: Partial<Record<AccountFault['code'], 'greeting' | 'limit' | 'sender' | 'sign_in'>> =
  {
    greeting: 'greeting',
    rate: 'limit',
    connections: 'limit',
    day: 'limit',
    full: 'limit',
    blocked: 'sender',
    sender: 'sender',
    sign_in: 'sign_in',
    no_sign_in: 'sign_in',
    relay: 'sign_in',
  };

/** The stage of the SMTP session at which a test message ended, with advice. */
export function diagnose(handover: Handover): SmtpTestResult {
  switch (handover.kind) {
    case 'accepted':
      return {
        delivered: true,
        stage: 'done',
        message: SMTP_ADVICE.done(),
        serverAnswer: handover.answer,
      };
    case 'unresolved':
      return failed(handover.resolved);
    case 'failed':
      return { ...classify(handover.error), serverAnswer: answerOf(handover.error) };
  }
}

function failed(resolved: Exclude<ResolvedHost, { kind: 'allowed' }>): SmtpTestResult {
  const [stage, serverAnswer] =
    resolved.kind === 'forbidden'
      ? (['settings', faultReason(resolved.problem)] as const)
      : (['name', problemText(resolved.problem)] as const);
  return { delivered: false, stage, message: SMTP_ADVICE[stage](), serverAnswer };
}

/** By nodemailer's error codes and the SMTP command in progress. */
function classify(error: unknown): Omit<SmtpTestResult, 'serverAnswer'> {
  const code = String(field(error, 'code') ?? '');
  const text = error instanceof Error ? error.message : '';
  const command = String(field(error, 'command') ?? '');
  const at = (stage: Exclude<Stage, 'done'>, message: string = SMTP_ADVICE[stage]()) => ({
    delivered: false,
    stage,
    message,
  });
  if (isCertificateError(error)) return at('certificate');
  if (isUnencrypted(error)) return at('connection', SMTP_ADVICE.unencrypted());
  const fault = faultIn(error);
  const stage = fault && STAGE_OF[fault.code];
  if (fault && stage) {
    // These have a sentence of their own; the others name whose limit it is.
    const isUsual = fault.code === 'sender' || stage === 'sign_in' || stage === 'greeting';
    const text = `${problemText(fault)}. ${faultAdvice(fault.code)}`;
    return at(stage, isUsual ? SMTP_ADVICE[stage]() : text);
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') return at('sign_in');
  if (code === 'ETIMEDOUT' && !/connection timeout/i.test(text))
    return at('connection', SMTP_ADVICE.silent());
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
