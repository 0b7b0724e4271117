import { sql } from 'drizzle-orm';
import { check, index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { invitations } from './invitations.ts';
import { admins } from './sign-in.ts';

/** Sessions by the hash of their token; ended ones stay a while so that their holder gets the reason. */
export const sessions = pgTable(
  'sessions',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    tokenHash: bytes('token_hash').notNull(),
    adminId: c.uuid('admin_id').references(() => admins.id, { onDelete: 'cascade' }),
    invitationId: c.uuid('invitation_id').references(() => invitations.id),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** When an administrator last confirmed the password; null: not since this is recorded. */
    passwordAt: instant('password_at'),
    /** When the page of a candidate last said that it waits for a common start. */
    waitingAt: instant('waiting_at'),
    endedAt: instant('ended_at'),
    endReason: c.text('end_reason'),
    /** MAC of an administrator's session, so that a candidate's row cannot be turned into one. */
    seal: bytes('seal'),
  }),
  (t) => [
    uniqueIndex('sessions_token').on(t.tokenHash),
    uniqueIndex('sessions_one_per_invitation')
      .on(t.invitationId)
      .where(sql`${t.endedAt} is null and ${t.invitationId} is not null`),
    index('sessions_of_admin').on(t.adminId),
    index('sessions_ended_of_invitation')
      .on(t.invitationId, t.endedAt)
      .where(sql`${t.invitationId} is not null and ${t.endedAt} is not null`),
    index('sessions_expiry').on(t.expiresAt),
    check('sessions_one_owner', sql`num_nonnulls(${t.adminId}, ${t.invitationId}) = 1`),
    check('sessions_end', sql`(${t.endedAt} is null) = (${t.endReason} is null)`),
  ],
);

/** Wrong sign-ins per account and address (product 5), shared by all processes. */
export const signInFailures = pgTable(
  'sign_in_failures',
  (c) => ({
    key: bytes('key').primaryKey(),
    failures: c.integer('failures').notNull(),
    blockedUntil: instant('blocked_until').notNull(),
  }),
  (t) => [index('sign_in_failures_until').on(t.blockedUntil)],
);
