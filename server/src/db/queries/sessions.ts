import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { type Grant, may } from '@invigil/core/domain/rights';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { runNamed } from '../database.ts';
import { prepared } from '../prepared.ts';
import { invitations, users } from '../schema/invitations.ts';
import { sessions } from '../schema/sessions.ts';
import { admins, adminTotp } from '../schema/sign-in.ts';
import { listPreviews, type PreviewRow, type PreviewSession } from './preview-codes.ts';

export const DAY_MS = 86_400_000;

export interface AdminSession {
  kind: 'admin';
  id: string;
  adminId: string;
  email: string;
  /** Empty: none given. */
  name: string;
  /** Null: none was chosen. */
  language: string | null;
  /** Grants as of this request. */
  grants: readonly Grant[];
  /** Two-step sign-in is required but not set up: nothing else is accessible. */
  mustSetUpTotp: boolean;
  /** When the password was last confirmed; `null`: not recorded yet. */
  passwordAt: Date | null;
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

export type Session = AdminSession | ParticipantSession | PreviewSession;

/** How often an administrator's last activity is written at most. */
export const SEEN_EVERY_MS = 60_000;

/** The state of an administrator, read with each of their requests so that a change takes effect at once. */
export interface SignedInAdmin {
  email: string;
  name: string;
  language: string | null;
  grants: readonly Grant[];
  hasTotp: boolean;
}

/** Checks seals, which needs the keys, when an administrator's session is read. */
export interface SessionGuard {
  /** Whether we wrote the row, for this administrator. */
  isGenuine(row: AdminSessionRow): boolean;
  /** An administrator whose row we wrote. */
  adminOf(row: AdminRows): SignedInAdmin | undefined;
  /** Administrators by their ids, those whose rows we wrote. */
  readAdmins(db: Queryable, ids: readonly string[]): Promise<Map<string, SignedInAdmin>>;
  isTotpRequired(db: Queryable): Promise<boolean>;
}

/** An administrator with the second step, if one was begun. */
export interface AdminRows {
  admin: typeof admins.$inferSelect;
  totp: typeof adminTotp.$inferSelect | null;
}

export type AdminSessionRow = Pick<
  typeof sessions.$inferSelect,
  'id' | 'adminId' | 'tokenHash' | 'createdAt' | 'expiresAt' | 'seal'
>;

/**
 * The sessions of token hashes, in order, including ended ones (their holder gets the reason) but not
 * expired ones. An administrator's idle time is checked here.
 */
export async function findSessions(
  db: Queryable,
  tokenHashes: readonly Buffer[],
  now: Date,
  guard: SessionGuard,
): Promise<(Session | undefined)[]> {
  const statement = prepared(db, 'sessions', selectSessions);
  const rows = await statement.execute({ tokenHashes, now });
  const found = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
  const others = tokenHashes.filter((hash) => !found.has(hash.toString('hex')));
  const previews = await listPreviews(db, others, now);
  const adminIds = [...previews.values()].map(({ adminId }) => adminId);
  const inviters = await guard.readAdmins(db, [...new Set(adminIds)]);
  const sessionOf = (tokenHash: Buffer) => {
    const hex = tokenHash.toString('hex');
    const row = found.get(hex);
    if (row) return liveSession(db, row, now, guard);
    const preview = previews.get(hex);
    return preview && openedFor(preview, inviters.get(preview.adminId));
  };
  return Promise.all(tokenHashes.map(sessionOf));
}

/** A test invitation is worth no more than the permission to send one; each call decides what it shows. */
function openedFor(
  preview: PreviewRow,
  admin: SignedInAdmin | undefined,
): PreviewSession | undefined {
  const grants = admin?.grants ?? [];
  const maySend = may(grants, 'people.invite', preview) || may(grants, 'quizzes.edit', preview);
  return maySend ? { ...preview, grants } : undefined;
}

function selectSessions(db: Queryable) {
  return db
    .select({
      id: sessions.id,
      tokenHash: sessions.tokenHash,
      adminId: sessions.adminId,
      invitationId: sessions.invitationId,
      userId: invitations.userId,
      quizId: invitations.quizId,
      userEmail: users.email,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      seal: sessions.seal,
      passwordAt: sessions.passwordAt,
      endedAt: sessions.endedAt,
      endReason: sessions.endReason,
      // Read with the session, so that a change of roles takes effect at once.
      admin: admins,
      totp: adminTotp,
    })
    .from(sessions)
    .leftJoin(admins, eq(admins.id, sessions.adminId))
    .leftJoin(adminTotp, eq(adminTotp.adminId, admins.id))
    .leftJoin(invitations, eq(invitations.id, sessions.invitationId))
    .leftJoin(users, eq(users.id, invitations.userId))
    .where(
      and(
        sql`${sessions.tokenHash} = any (${sql.placeholder('tokenHashes')}::bytea[])`,
        gt(sessions.expiresAt, sql.placeholder('now')),
      ),
    );
}

type SessionRow = Awaited<ReturnType<typeof selectSessions>>[number];

async function liveSession(
  db: Queryable,
  row: SessionRow,
  now: Date,
  guard: SessionGuard,
): Promise<Session | undefined> {
  const { id, expiresAt, endedAt, endReason } = row;
  if (row.adminId !== null) {
    const idleMs = now.getTime() - row.lastSeenAt.getTime();
    if (!row.admin || idleMs > SESSION_LIMITS.adminIdleMs) return undefined;
    const admin = guard.adminOf({ admin: row.admin, totp: row.totp });
    if (!admin || !guard.isGenuine(row)) return undefined;
    if (idleMs > SEEN_EVERY_MS) {
      await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
    }
    return {
      kind: 'admin',
      id,
      adminId: row.adminId,
      email: admin.email,
      name: admin.name,
      language: admin.language,
      grants: admin.grants,
      // Read each time, so that requiring it takes effect at once.
      mustSetUpTotp: !admin.hasTotp && (await guard.isTotpRequired(db)),
      passwordAt: row.passwordAt,
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

/** Whether a second step is on; not applicable to candidates. */
export function hasTotp() {
  return sql<boolean>`case when ${sessions.adminId} is null then false else
    exists (select 1 from ${adminTotp} t
      where t.admin_id = ${sessions.adminId} and t.confirmed_at is not null) end`;
}

/** Whether a session is live; called in the transaction that depends on it. */
export async function isSessionLive(tx: Tx, sessionId: string): Promise<boolean> {
  return (await listLiveSessions(tx, [sessionId])).has(sessionId);
}

/** The ids of the given sessions that are live. */
export async function listLiveSessions(tx: Tx, ids: string[]): Promise<Set<string>> {
  const rows = await runNamed<{ id: string }>(tx, {
    name: 'live-sessions',
    text: 'select id from sessions where id = any ($1::uuid[]) and ended_at is null',
    values: [ids],
  });
  return new Set(rows.map((row) => row.id));
}

/** An administrator's session that is live, with what it needs to say what it may do. */
export async function findActingAdmin(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<AdminRows | undefined> {
  const [row] = await db
    .select({ admin: admins, totp: adminTotp })
    .from(sessions)
    .innerJoin(admins, eq(admins.id, sessions.adminId))
    .leftJoin(adminTotp, eq(adminTotp.adminId, admins.id))
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt), gt(sessions.expiresAt, now)));
  return row;
}

/** Why a session ended, or `null` while it is live. An expired one counts as signed out. */
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
