import { ATTEMPT_LIMITS, SESSION_LIMITS } from '@invigil/core/domain/limits';
import { and, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import { type Queryable, runNamed, type Tx } from '../../db/database.ts';
import { deleteInPortions } from '../../db/delete-in-portions.ts';
import { prepared } from '../../db/prepared.ts';
import {
  admins,
  adminTotp,
  invitations,
  pendingSignIns,
  sessions,
  signInPolicy,
  users,
} from '../../db/schema.ts';

const DAY_MS = 86_400_000;

export interface AdminSession {
  kind: 'admin';
  id: string;
  adminId: string;
  email: string;
  /** Two-step sign-in is required and this administrator has none: nothing else is open. */
  mustSetUpTotp: boolean;
  /** When the password was last proved; `null`: before that was recorded. */
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

export type Session = AdminSession | ParticipantSession;

/** How often an admin's last activity is written down at most. */
const SEEN_EVERY_MS = 60_000;

/** Judges what only a holder of the keys can, where an administrator's session is read. */
export interface SessionGuard {
  /** Whether the row was written by us, for this administrator. */
  isGenuine(row: AdminSessionRow): boolean;
  isTotpRequired(db: Queryable): Promise<boolean>;
}

export type AdminSessionRow = Pick<
  typeof sessions.$inferSelect,
  'id' | 'adminId' | 'tokenHash' | 'createdAt' | 'expiresAt' | 'seal'
>;

/**
 * The sessions behind token hashes, each in its place, ended ones included (their holder is told
 * why), expired ones not. An admin's idle time is measured here.
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
  const sessionOf = (tokenHash: Buffer) => {
    const row = found.get(tokenHash.toString('hex'));
    return row && liveSession(db, row, now, guard);
  };
  return Promise.all(tokenHashes.map(sessionOf));
}

function selectSessions(db: Queryable) {
  return db
    .select({
      id: sessions.id,
      tokenHash: sessions.tokenHash,
      adminId: sessions.adminId,
      adminEmail: admins.email,
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
      hasTotp: hasTotp(),
    })
    .from(sessions)
    .leftJoin(admins, eq(admins.id, sessions.adminId))
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
    if (row.adminEmail === null || idleMs > SESSION_LIMITS.adminIdleMs) return undefined;
    if (!guard.isGenuine(row)) return undefined;
    if (idleMs > SEEN_EVERY_MS) {
      await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
    }
    return {
      kind: 'admin',
      id,
      adminId: row.adminId,
      email: row.adminEmail,
      // At each look, so that requiring it holds at once.
      mustSetUpTotp: !row.hasTotp && (await guard.isTotpRequired(db)),
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

/** Whether a second step is on; of candidates nothing is asked. */
function hasTotp() {
  return sql<boolean>`case when ${sessions.adminId} is null then false else
    exists (select 1 from ${adminTotp} t
      where t.admin_id = ${sessions.adminId} and t.confirmed_at is not null) end`;
}

export interface NewSession {
  id: string;
  tokenHash: Buffer;
  owner: { adminId: string; seal: Buffer | null } | { invitationId: string };
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
    passwordAt: 'adminId' in session.owner ? session.now : null,
  });
}

/** The password was proved again within a session. */
export async function setPasswordProved(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.update(sessions).set({ passwordAt: now }).where(eq(sessions.id, sessionId));
}

/** The session that a sign-in with a code opens. */
export interface CandidateSession {
  id: string;
  tokenHash: Buffer;
  invitationId: string;
  now: Date;
  expiresAt: Date;
}

/*
 * Sign-ins in one statement. Of the ended sessions of an invitation the newest are kept: somebody who
 * signs in without end must not fill the table. An invitation has one live session at most (a unique index says so), so
 * the new ones are inserted from the count of those that were ended, which makes them wait for that.
 *
 * The live sessions are found one by one (`lateral` with a limit), however few the database takes
 * there to be.
 */
const REPLACE_SESSIONS_SQL = `
with opened as (
  select * from unnest($1::uuid[], $2::bytea[], $3::uuid[], $4::timestamptz[], $5::timestamptz[])
    as o(id, token_hash, invitation_id, now, expires_at)
), ended as (
  update sessions set ended_at = (select max(now) from opened), end_reason = 'replaced'
  where ended_at is null and id = any (array(
    select live.id from opened o cross join lateral (
      select id from sessions where invitation_id = o.invitation_id and ended_at is null limit 1
    ) live
  ))
  returning id
), pruned as (
  delete from sessions where id = any (array(
    select old.id from opened o cross join lateral (
      select id from sessions where invitation_id = o.invitation_id and ended_at is not null
      order by ended_at desc offset ${ATTEMPT_LIMITS.endedSessionsKept}
    ) old
  ))
), noted as (
  update invitations i set first_sign_in_at = o.now
  from opened o
  where i.id = o.invitation_id and i.first_sign_in_at is null
)
insert into sessions (id, token_hash, invitation_id, created_at, last_seen_at, expires_at)
select o.id, o.token_hash, o.invitation_id, o.now, o.now, o.expires_at
from opened o, (select count(*) from ended) as after_them`;

/**
 * Gives invitations a session each in the place of the live one, and notes their first sign-ins. Call
 * it with the invitations locked.
 */
export async function replaceSessions(tx: Tx, opened: readonly CandidateSession[]): Promise<void> {
  await runNamed(tx, {
    name: 'replace-sessions',
    text: REPLACE_SESSIONS_SQL,
    values: [
      opened.map((s) => s.id),
      opened.map((s) => s.tokenHash),
      opened.map((s) => s.invitationId),
      opened.map((s) => s.now.toISOString()),
      opened.map((s) => s.expiresAt.toISOString()),
    ],
  });
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

/** Ends the sessions of an administrator, all but one to `keep`. */
export async function endOtherAdminSessions(
  db: Queryable,
  adminId: string,
  keep: string | null,
  now: Date,
) {
  await db
    .update(sessions)
    .set({ endedAt: now, endReason: 'signed_out' })
    .where(
      and(
        eq(sessions.adminId, adminId),
        keep === null ? undefined : ne(sessions.id, keep),
        isNull(sessions.endedAt),
      ),
    );
}

/** Whether a session still lives; asked inside the transaction that depends on it. */
export async function isSessionLive(tx: Tx, sessionId: string): Promise<boolean> {
  return (await listLiveSessions(tx, [sessionId])).has(sessionId);
}

/** Those of several sessions that still live. */
export async function listLiveSessions(tx: Tx, ids: string[]): Promise<Set<string>> {
  const rows = await runNamed<{ id: string }>(tx, {
    name: 'live-sessions',
    text: 'select id from sessions where id = any ($1::uuid[]) and ended_at is null',
    values: [ids],
  });
  return new Set(rows.map((row) => row.id));
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

export async function setSessionExpiry(tx: Queryable, ids: string[], expiresAt: Date) {
  await setSessionExpiries(
    tx,
    ids.map((id) => ({ id, expiresAt })),
  );
}

const EXPIRIES_SQL = `
update sessions s set expires_at = e.expires_at
from unnest($1::uuid[], $2::timestamptz[]) as e(id, expires_at)
where s.id = e.id`;

export async function setSessionExpiries(
  tx: Queryable,
  expiries: readonly { id: string; expiresAt: Date }[],
): Promise<void> {
  await runNamed(tx, {
    name: 'session-expiries',
    text: EXPIRIES_SQL,
    values: [expiries.map((e) => e.id), expiries.map((e) => e.expiresAt.toISOString())],
  });
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

/** Notes activity of an administrator's session; false once it has ended or sees nothing any more. */
export async function keepAdminSession(db: Queryable, id: string, now: Date): Promise<boolean> {
  const [row] = await db
    .select({
      lastSeenAt: sessions.lastSeenAt,
      mustSetUpTotp: sql<boolean>`not ${hasTotp()}
        and exists (select 1 from ${signInPolicy} where ${signInPolicy.totpRequired})`,
    })
    .from(sessions)
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt), gt(sessions.expiresAt, now)));
  if (row?.mustSetUpTotp) return false;
  if (row && now.getTime() - row.lastSeenAt.getTime() > SEEN_EVERY_MS) {
    await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
  }
  return row !== undefined;
}

/**
 * Removes sessions that nobody can hold any more, with a day of grace that keeps the words for a late
 * tab, and sign-ins whose second step never came.
 */
export async function deleteOldSessions(db: Queryable, now: Date): Promise<void> {
  await deleteInPortions(db, pendingSignIns, lt(pendingSignIns.expiresAt, now));
  await deleteInPortions(db, sessions, lt(sessions.expiresAt, new Date(now.getTime() - DAY_MS)));
}
