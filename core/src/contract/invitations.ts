import { z } from 'zod';
import { endpoint, Id, IdParams, Instant } from './endpoint.ts';

/** What became of one address of an invitation call. */
export const InvitationResult = z.object({
  email: z.string(),
  status: z.enum(['queued', 'invalid', 'already_completed', 'in_progress']),
  id: z.string().optional(),
  reason: z.string().optional(),
});
export type InvitationResult = z.infer<typeof InvitationResult>;

export const inviteToQuiz = endpoint({
  method: 'POST',
  path: '/api/quizzes/:id/invite',
  access: ['admin'],
  summary: 'Invite people by e-mail; each gets a one-time password',
  params: IdParams,
  body: z.object({
    emails: z.array(z.string('Not an email address')).max(100_000).nullable().default([]),
  }),
  responses: { 200: z.object({ invitations: z.array(InvitationResult) }) },
  errors: ['NOT_FOUND', 'QUIZ_NOT_OPEN', 'NO_EMAILS'],
});

/** A waiting or delivered message, without what it says. */
export const OutboxMessage = z.object({
  id: z.string(),
  recipient: z.string(),
  subject: z.string(),
  state: z.enum(['queued', 'sending', 'sent', 'uncertain', 'failed']),
  attempts: z.int(),
  lastError: z.string().nullable(),
  createdAt: Instant,
  nextAttemptAt: Instant.nullable(),
  sentAt: Instant.nullable(),
});
export type OutboxMessage = z.infer<typeof OutboxMessage>;

export const listOutbox = endpoint({
  method: 'GET',
  path: '/api/outbox',
  access: ['admin'],
  summary: 'Messages, newest first; total in X-Total-Count',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  responses: { 200: z.array(OutboxMessage) },
  errors: [],
});

export const readOutboxMessage = endpoint({
  method: 'GET',
  path: '/api/outbox/:id/message',
  access: ['admin'],
  summary: 'Read a waiting message while no mail server is configured; each view is audited',
  params: z.object({ id: Id }),
  responses: {
    200: z.object({
      id: z.string(),
      recipient: z.string(),
      subject: z.string(),
      text: z.string(),
      html: z.string(),
    }),
  },
  errors: ['NOT_FOUND', 'MESSAGE_SEALED', 'MESSAGE_GONE'],
});
