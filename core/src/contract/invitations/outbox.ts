import { z } from 'zod';
import { MAIL_STATES } from '../../domain/invitation-states.ts';
import { ConfirmPasswordBody } from '../accounts/auth.ts';
import { endpoint, Instant, page } from '../definition/endpoint.ts';

export const MailState = z.enum(MAIL_STATES);

/** A waiting or delivered message, without its content. */
export const OutboxMessage = z.object({
  id: z.string(),
  recipient: z.string(),
  subject: z.string(),
  state: MailState,
  attempts: z.int(),
  lastError: z.string().nullable(),
  /** Nothing went wrong: the link or one-time password in it no longer works. */
  isCanceled: z.literal(true).optional(),
  createdAt: Instant,
  nextAttemptAt: Instant.nullable(),
  sentAt: Instant.nullable(),
});
export type OutboxMessage = z.infer<typeof OutboxMessage>;

export const listOutbox = endpoint('GET /api/outbox', ['installation: mail.see'], {
  summary: 'Messages, newest first; total in X-Total-Count',
  query: z.object({
    /** Searched in the recipient's address and the subject. */
    search: z.string().trim().max(320).optional(),
    state: MailState.optional(),
    ...page(100),
  }),
  responses: { 200: z.array(OutboxMessage) },
});

const OpenedMessage = z.object({
  id: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});

export const readOutboxMessage = endpoint(
  'GET /api/outbox/:id/message',
  ['installation: installation.manage'],
  {
    audit: 'outbox.message_read',
    summary:
      'Read a waiting message as long as no mail server has ever been configured; each view is audited',
    freshPassword: true,
    responses: { 200: OpenedMessage },
    errors: ['MESSAGE_SEALED', 'MESSAGE_GONE', 'CHANGED_OUTSIDE'],
  },
);

export const revealOutboxMessage = endpoint(
  'POST /api/outbox/:id/reveal',
  ['installation: installation.manage'],
  {
    audit: 'outbox.message_revealed',
    summary:
      'Read a waiting message with your password, even after a mail server was configured; audited, and the other administrators get an email',
    body: ConfirmPasswordBody,
    responses: { 200: OpenedMessage },
    errors: ['MESSAGE_SEALED', 'MESSAGE_GONE', 'WRONG_PASSWORD', 'THROTTLED', 'CHANGED_OUTSIDE'],
  },
);

export const sendOutboxMessage = endpoint('POST /api/outbox/:id/send', ['installation: mail.see'], {
  audit: 'outbox.message_hastened',
  summary: 'Send a waiting message now instead of at its next retry',
  responses: { 200: OutboxMessage },
  errors: ['SMTP_NOT_CONFIGURED', 'MESSAGE_NOT_WAITING'],
});

export const MailProblems = z.object({
  /** Open assessments with invitations whose latest message failed. */
  quizzes: z.array(z.object({ id: z.string(), title: z.string(), failed: z.int() })),
  /** Other messages that failed within the last seven days. */
  other: z.int(),
  /** Messages still waiting after several tries. */
  delayed: z.int(),
  /** The whole queue waits for a limit or fault of the own account, which fails no message. */
  paused: z
    .object({
      since: Instant,
      nextTryAt: Instant,
      waiting: z.int(),
      /** The limit or fault, whose it is, and the provider's message. */
      reason: z.string(),
      advice: z.string(),
    })
    .optional(),
});
export type MailProblems = z.infer<typeof MailProblems>;

export const getMailProblems = endpoint('GET /api/outbox/problems', ['installation: mail.see'], {
  summary: 'Mail that failed, is delayed, or waits for the own account at the mail provider',
  responses: { 200: MailProblems },
});
