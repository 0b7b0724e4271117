import { sql } from 'drizzle-orm';
import { check, index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import { participants } from './attempts.ts';
import { bytes, instant } from './columns.ts';
import { invitationCodes, invitations } from './invitations.ts';

/** Queued and sent mail. The code is sealed, and wiped once the message was delivered. */
export const outbox = pgTable(
  'outbox',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    /** A mail of deliveries/mails.ts. */
    kind: c.text('kind').notNull(),
    invitationId: c.uuid('invitation_id').references(() => invitations.id),
    codeId: c.uuid('code_id').references(() => invitationCodes.id),
    /** The attempt whose receipt the message contains. */
    participantId: c.uuid('participant_id').references(() => participants.id),
    recipient: c.text('recipient').notNull(),
    /**
     * The words of people in its subject, by which it is found: a title, or an administrator's own. The rest is
     * its mail's; earlier versions stored all of it.
     */
    subject: c.text('subject').notNull(),
    /** The parameters of its mail, without the secret. */
    variables: c.jsonb('variables').notNull(),
    sealedCode: bytes('sealed_code'),
    messageId: c.text('message_id').notNull(),
    state: c.text('state').notNull(),
    attempts: c.integer('attempts').notNull(),
    /** A code of core/src/texts/mail-problems.ts, and what is said beside it; of an earlier version a sentence. */
    lastError: c.text('last_error'),
    lastReply: c.text('last_reply'),
    createdAt: instant('created_at').notNull(),
    nextAttemptAt: instant('next_attempt_at'),
    /** Starts the 24 hours that the mail server has; null until the first try. */
    firstTriedAt: instant('first_tried_at'),
    /** While `sending`: after this moment the sender counts as dead. */
    claimedUntil: instant('claimed_until'),
    sentAt: instant('sent_at'),
    /** MAC over the sealed columns (trust/table-list.ts); null only where Invigil did not write it. */
    seal: bytes('seal'),
  }),
  (t) => [
    check('outbox_receipt', sql`(${t.kind} = 'receipt') = (${t.participantId} is not null)`),
    check('outbox_state', sql`${t.state} in ('queued', 'sending', 'sent', 'uncertain', 'failed')`),
    check('outbox_code_wiped', sql`${t.state} <> 'sent' or ${t.sealedCode} is null`),
    check(
      'outbox_due',
      sql`(${t.state} in ('queued', 'uncertain')) = (${t.nextAttemptAt} is not null)`,
    ),
    check('outbox_claim', sql`(${t.state} = 'sending') = (${t.claimedUntil} is not null)`),
    index('outbox_queued').on(t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    index('outbox_sending').on(t.claimedUntil).where(sql`${t.state} = 'sending'`),
    index('outbox_newest').on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('outbox_of_invitation').on(t.invitationId),
    // These indexes serve the figures: all that was not delivered, and what was delivered recently.
    index('outbox_not_sent').on(t.state).where(sql`${t.state} <> 'sent'`),
    index('outbox_sent').on(t.sentAt).where(sql`${t.state} = 'sent'`),
    // One receipt per attempt, even when its end is retried.
    uniqueIndex('outbox_one_receipt')
      .on(t.participantId)
      .where(sql`${t.participantId} is not null`),
  ],
);

/** The mail server; one row at most. */
export const smtpSettings = pgTable(
  'smtp_settings',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    one: c.boolean('one').notNull().default(true).unique(),
    host: c.text('host').notNull(),
    port: c.integer('port').notNull(),
    username: c.text('username').notNull(),
    sealedPassword: bytes('sealed_password').notNull(),
    fromEmail: c.text('from_email').notNull(),
    isActive: c.boolean('is_active').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** When a test message was last taken with this host, port, user, password and sender. */
    testedAt: instant('tested_at'),
    /**
     * The rate that this account was found to allow, see `deliveries/sending-pace.ts`; null: no limit is
     * known. Starts again when the settings change.
     */
    perMinute: c.integer('per_minute'),
    /** When the limit, or the last fault, was met. */
    perMinuteSince: instant('per_minute_since'),
    /** No message is sent before. */
    nextSendAt: instant('next_send_at'),
    /** Since when no message goes out, for a limit or fault of the account. */
    pausedAt: instant('paused_at'),
    /** Pauses in a row. */
    pauses: c.integer('pauses').notNull().default(0),
    /** A code of core/src/texts/mail-problems.ts, and what is said beside it. */
    fault: c.text('fault'),
    faultText: c.text('fault_text'),
    /** MAC over the sealed columns (trust/table-list.ts); null only where Invigil did not write it. */
    seal: bytes('seal'),
  }),
  (t) => [check('smtp_settings_one', sql`${t.one}`)],
);
