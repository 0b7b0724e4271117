import { z } from 'zod';
import { asciiDomain } from '../../domain/email-address.ts';
import { MAIL_LIMITS } from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { boundedText } from '../definition/bounded-text.ts';
import { EmailAddress } from '../definition/email-address.ts';
import { endpoint, Instant, whole } from '../definition/endpoint.ts';
import { ENTER_PASSWORD } from '../definition/field-problems.ts';

/** The mail server. The password is never returned. */
export const SmtpSettings = z.object({
  id: z.string(),
  host: z.string(),
  port: z.int(),
  /** Empty: without a sign-in. */
  username: z.string(),
  hasPassword: z.boolean(),
  fromEmail: z.string(),
  isActive: z.boolean(),
  /** When a test message was last taken with just these settings. */
  testedAt: Instant.nullable(),
});
export type SmtpSettings = z.infer<typeof SmtpSettings>;

const ENTER_HOST = { error: () => t(/* the name of a mail server */ 'field.host', 'Enter a host') };
const ENTER_USERNAME = { error: () => t('field.username', 'Enter a username') };

export const SmtpSettingsBody = z.object({
  host: boundedText(253, (typed) => asciiDomain(typed.trim()), { typed: ENTER_HOST.error })
    .min(1, ENTER_HOST)
    .regex(/^[A-Za-z0-9.:_-]+$/, {
      error: () => t('field.hostOnly', 'Enter a host name or address without http:// or a port'),
    }),
  port: whole(1, 65_535, () =>
    t('field.port', 'Port must be {min} to {max}', { min: 1, max: 65_535 }),
  ).default(MAIL_LIMITS.smtpDefaultPort),
  /** null: the server takes mail by network address, without a sign-in. */
  username: z.string(ENTER_USERNAME).trim().min(1, ENTER_USERNAME).max(320).nullable(),
  /** May be omitted while host, port and username are unchanged. */
  password: z.string().min(1, ENTER_PASSWORD).max(1_000).optional(),
  fromEmail: EmailAddress,
  isActive: z.boolean().default(true),
  /** Proof of a delivered test message with exactly these settings: they count as tested. */
  proof: z.string().max(200).optional(),
});

export const getSmtpSettings = endpoint(
  'GET /api/smtp-settings',
  ['installation: installation.manage'],
  {
    summary: 'The mail server, or null',
    responses: { 200: SmtpSettings.nullable() },
  },
);

const Read = SmtpSettings.pick({
  host: true,
  port: true,
  username: true,
  fromEmail: true,
  isActive: true,
});

const NewSmtpSettings = SmtpSettingsBody.extend({ before: Read.nullable().optional() });

export const putSmtpSettings = endpoint(
  'PUT /api/smtp-settings',
  ['installation: installation.manage'],
  {
    audit: 'smtp_settings.changed',
    summary:
      'Set the mail server; waiting messages are sent. Changing the host or switching it off needs a fresh password',
    /** `before`: as they were read, null where there were none; others that are stored are STALE. */
    body: NewSmtpSettings,
    responses: { 200: SmtpSettings },
    errors: ['PASSWORD_NEEDED', 'FORBIDDEN_HOST', 'CONFIRM_PASSWORD', 'STALE'],
  },
);

/** The result of a test message. `stage` is where it ended; `message` says what to do. */
export const SmtpTestResult = z.object({
  delivered: z.boolean(),
  stage: z.enum([
    'settings',
    'name',
    'connection',
    'certificate',
    'greeting',
    'sign_in',
    'sender',
    'recipient',
    'message',
    'limit',
    'done',
  ]),
  message: z.string(),
  /** The mail server's last response, if any. */
  serverAnswer: z.string().nullable(),
  /** Proof for `putSmtpSettings`, after a delivery with settings that are not stored. */
  proof: z.string().optional(),
});
export type SmtpTestResult = z.infer<typeof SmtpTestResult>;

export const testSmtpSettings = endpoint(
  'POST /api/smtp-settings/test',
  ['installation: installation.manage'],
  {
    audit: 'smtp_settings.tested',
    summary:
      'Send a test message with the stored settings, or with others before they are stored, and report the result',
    body: z.object({
      to: EmailAddress,
      settings: SmtpSettingsBody.omit({ isActive: true, proof: true }).optional(),
    }),
    responses: { 200: SmtpTestResult },
    errors: ['SMTP_NOT_CONFIGURED', 'PASSWORD_NEEDED', 'FORBIDDEN_HOST', 'CONFIRM_PASSWORD'],
  },
);
