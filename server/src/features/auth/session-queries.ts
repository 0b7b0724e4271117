import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { and, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../db/database.ts';
import { admins, invitations, sessions, users } from '../../db/schema.ts';

export interface AdminSession {
  kind: 'admin';
  id: string;
  adminId: string;
  email: string;
  expiresAt: Date;
  endedAt: Date | null;
  endReason: string | null;
}

export interface ParticipantSession {
  kind: 'participant';
  id: string;
  invitationId: string;
  userId: string;
  quizId: string;
  email: string;
  expiresAt: Date;
  endedAt: Date | null;
  endReason: string | null;
}

export type Session = AdminSession | ParticipantSession;

/** How often an admin's last activity is written down at most. */
const SEEN_EVERY_MS = 60_000;

/**
 * The session behind a token hash, ended ones included (their holder is told why), expired ones not.
 * An admin's idle time is measured here.
 */
export async function findSession(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<Session | undefined> {
  const [row] = await db
    .select({
      id: sessions.id,
      adminId: sessions.adminId,
      adminEmail: admins.email,
      invitationId: sessions.invitationId,
      userId: invitations.userId,
      quizId: invitations.quizId,
      userEmail: users.email,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      endedAt: sessions.endedAt,
      endReason: sessions.endReason,
    })
    .from(sessions)
    .leftJoin(admins, eq(admins.id, sessions.adminId))
    .leftJoin(invitations, eq(invitations.id, sessions.invitationId))
    .leftJoin(users, eq(users.id, invitations.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
  if (!row) return undefined;
  const { id, expiresAt, endedAt, endReason } = row;
  if (row.adminId !== null) {
    const idleMs = now.getTime() - row.lastSeenAt.getTime();
    if (row.adminEmail === null || idleMs > SESSION_LIMITS.adminIdleMs) return undefined;
    if (idleMs > SEEN_EVERY_MS) {
      await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
    }
    return {
      kind: 'admin',
      id,
      adminId: row.adminId,
      email: row.adminEmail,
      expiresAt,
      endedAt,
      endReason,
    };
  }
  if (row.invitationId === null || row.userId === null || row.quizId === null) return undefined;
  return {
    kind: 'participant',
    id,
    invitationId: row.invitationId,
    userId: row.userId,
    quizId: row.quizId,
    email: row.userEmail ?? 'Unknown',
    expiresAt,
    endedAt,
    endReason,
  };
}

export interface NewSession {
  id: string;
  tokenHash: Buffer;
  owner: { adminId: string } | { invitationId: string };
  now: Date;
  expiresAt: Date;
}

export async function insertSession(tx: Queryable, session: NewSession): Promise<void> {
  await tx.insert(sessions).values({
    id: session.id,
    tokenHash: session.tokenHash,
    ...session.owner,
    createdAt: session.now,
    lastSeenAt: session.now,
    expiresAt: session.expiresAt,
  });
}

/** Ends the live sessions of an invitation, for a newer sign-in; call it with the invitation locked. */
export async function endSessionsOfInvitation(tx: Tx, invitationId: string, now: Date) {
  await tx
    .update(sessions)
    .set({ endedAt: now, endReason: 'replaced' })
    .where(and(eq(sessions.invitationId, invitationId), isNull(sessions.endedAt)));
}

/** Ends the sessions of invitations that were taken back: who has not started yet, cannot any more. */
export async function endSessionsOfRevoked(tx: Tx, invitationIds: string[], now: Date) {
  await tx
    .update(sessions)
    .set({ endedAt: now, endReason: 'signed_out' })
    .where(and(inArray(sessions.invitationId, invitationIds), isNull(sessions.endedAt)));
}

export async function endSession(db: Queryable, sessionId: string, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ endedAt: now, endReason: 'signed_out' })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)));
}

/** Ends an admin's other sessions, after a change of password. */
export async function endOtherAdminSessions(
  db: Queryable,
  adminId: string,
  keep: string,
  now: Date,
) {
  await db
    .update(sessions)
    .set({ endedAt: now, endReason: 'signed_out' })
    .where(and(eq(sessions.adminId, adminId), ne(sessions.id, keep), isNull(sessions.endedAt)));
}

/** Whether a session still lives; asked inside the transaction that depends on it. */
export async function isSessionLive(tx: Tx, sessionId: string): Promise<boolean> {
  const [row] = await tx
    .select({ endedAt: sessions.endedAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row !== undefined && row.endedAt === null;
}

/** Lets sessions live on, where they would have ended before. */
export async function extendSessions(tx: Tx, ids: string[], expiresAt: Date): Promise<void> {
  await tx
    .update(sessions)
    .set({ expiresAt })
    .where(
      and(inArray(sessions.id, ids), lt(sessions.expiresAt, expiresAt), isNull(sessions.endedAt)),
    );
}

export async function setSessionExpiry(tx: Queryable, sessionId: string, expiresAt: Date) {
  await tx.update(sessions).set({ expiresAt }).where(eq(sessions.id, sessionId));
}

/** Why a session ended, or `null` while it lives. One whose time is over is as good as signed out. */
export async function findSessionEnd(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<string | null> {
  const [row] = await db
    .select({ endReason: sessions.endReason })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now)));
  return row ? row.endReason : 'signed_out';
}

/** Notes activity of an administrator's session; false once it has ended. */
export async function keepAdminSession(db: Queryable, id: string, now: Date): Promise<boolean> {
  const [row] = await db
    .select({ lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt), gt(sessions.expiresAt, now)));
  if (row && now.getTime() - row.lastSeenAt.getTime() > SEEN_EVERY_MS) {
    await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
  }
  return row !== undefined;
}

/** Removes sessions that nobody can hold any more; a day of grace keeps the words for a late tab. */
export async function deleteOldSessions(db: Queryable, now: Date): Promise<void> {
  await db
    .delete(sessions)
    .where(lt(sessions.expiresAt, sql`${now.toISOString()}::timestamptz - interval '1 day'`));
}
