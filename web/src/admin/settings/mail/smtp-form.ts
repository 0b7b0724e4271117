import {
  type SmtpSettings,
  SmtpSettingsBody,
} from '@invigil/core/contract/installation/smtp-settings';
import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import type { z } from 'zod';

export interface SmtpFormValues {
  host: string;
  port: string;
  username: string;
  password: string;
  fromEmail: string;
}

export type SmtpField = keyof SmtpFormValues;
export const SMTP_FIELDS = ['host', 'port', 'username', 'password', 'fromEmail'] as const;

export function smtpFormValuesOf(settings: SmtpSettings | null): SmtpFormValues {
  return {
    host: settings?.host ?? '',
    port: String(settings?.port ?? MAIL_LIMITS.smtpDefaultPort),
    username: settings?.username ?? '',
    password: '',
    fromEmail: settings?.fromEmail ?? '',
  };
}

/**
 * Whether the stored password still applies: only to the server and user it was entered for, so that it
 * cannot be sent elsewhere (product 8).
 */
export function mayKeepPassword(values: SmtpFormValues, stored: SmtpSettings | null): boolean {
  return (
    stored?.hasPassword === true &&
    values.host.trim() === stored.host &&
    values.port.trim() === String(stored.port) &&
    values.username.trim() === stored.username
  );
}

type ValidatedSmtp =
  | { ok: true; body: z.output<typeof SmtpSettingsBody> }
  | { ok: false; problems: Partial<Record<SmtpField, string>> };

/** All five are required (specification 5); a stored password may be kept. */
export function validateSmtp(values: SmtpFormValues, stored: SmtpSettings | null): ValidatedSmtp {
  const problems: Partial<Record<SmtpField, string>> = {};
  if (values.password === '' && !mayKeepPassword(values, stored)) {
    problems.password =
      stored?.hasPassword === true
        ? 'Enter the password again: host, port or username changed'
        : 'Enter a password';
  }
  if (values.port.trim() === '') problems.port = 'Enter a port';
  const parsed = SmtpSettingsBody.safeParse({
    host: values.host,
    port: values.port,
    username: values.username,
    ...(values.password === '' ? {} : { password: values.password }),
    fromEmail: values.fromEmail.trim(),
    isActive: true,
  });
  for (const issue of parsed.error?.issues ?? []) {
    const field = SMTP_FIELDS.find((name) => name === issue.path[0]);
    if (field !== undefined) problems[field] ??= issue.message;
  }
  if (parsed.success && Object.keys(problems).length === 0) return { ok: true, body: parsed.data };
  return { ok: false, problems };
}
