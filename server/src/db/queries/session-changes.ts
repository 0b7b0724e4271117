import { ATTEMPT_LIMITS, SESSION_LIMITS } from '@invigil/core/domain/limits';
import {
  and,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  ne,
  notExists,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { runNamed } from '../database.ts';
import { deleteInPortions } from '../portions.ts';
import { prepared } from '../prepared.ts';
import { participants } from '../schema/attempts.ts';
import { sessions } from '../schema/sessions.ts';
import { admins, adminTotp, pendingSignIns, signInPolicy } from '../schema/sign-in.ts';
import { STANDS } from './attempts/attempts.ts';
import { type AdminRows, DAY_MS, hasTotp, SEEN_EVERY_MS } from './sessions.ts';

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

/** Records that the password was confirmed within a session. */
export async function setPasswordConfirmed(tx: Tx, sessionId: string, now: Date): Promise<void> {
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
 * Sign-ins in one statement. Of the ended sessions of an invitation the newest are kept, because endless
 * sign-ins must not fill the table. A unique index allows an invitation one live session, so the new ones
 * are inserted from the count of ended ones, which orders the two.
 *
 * The live sessions are found one by one (`lateral` with a limit), however few the database estimates.
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
 * Replaces the live session of each invitation, and records first sign-ins. The invitations must be
 * locked.
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

/**
 * Ends the sessions of revoked invitations: nobody can start any more, or read a result. One in which the
 * attempt was taken goes on for its last page and feedback, where no result can be read.
 */
export async function endSessionsOfRevoked(tx: Tx, invitationIds: string[], now: Date) {
  const tookIt = tx
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(
        eq(participants.invitationId, sessions.invitationId),
        STANDS,
        gte(participants.submittedAt, sessions.createdAt),
      ),
    );
  await endSessions(tx, and(inArray(sessions.invitationId, invitationIds), notExists(tookIt)), now);
}

export const endSession = (db: Queryable, sessionId: string, now: Date) =>
  endSessions(db, eq(sessions.id, sessionId), now);

/** Ends the sessions of an administrator, except one to `keep`. */
export const endOtherAdminSessions = (
  db: Queryable,
  adminId: string,
  keep: string | null,
  now: Date,
) =>
  endSessions(
    db,
    and(eq(sessions.adminId, adminId), keep === null ? undefined : ne(sessions.id, keep)),
    now,
  );

/** Ends sessions that have not ended. */
export async function endSessions(db: Queryable, which: SQL | undefined, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ endedAt: now, endReason: 'signed_out' })
    .where(and(which, isNull(sessions.endedAt)));
}

/** Extends sessions that would have ended before. */
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

/** An administrator's sessions that are live, the latest first. */
export function listAdminSessions(db: Queryable, adminId: string, now: Date) {
  return db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.adminId, adminId),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, new Date(now.getTime() - SESSION_LIMITS.adminIdleMs)),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
}

/**
 * Records activity of administrators' sessions, and returns whose they are, by their id; not those that have
 * ended or may see nothing. Asked about every second for all open streams at once.
 */
export async function keepAdminSessions(
  db: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, AdminRows>> {
  const rows = await prepared(db, 'kept-sessions', selectKept).execute({ ids, now });
  const live = rows.filter(({ mustSetUpTotp }) => !mustSetUpTotp);
  const unseen = live.filter(
    ({ lastSeenAt }) => now.getTime() - lastSeenAt.getTime() > SEEN_EVERY_MS,
  );
  if (unseen.length > 0) {
    const seen = unseen.map(({ id }) => id);
    await db.update(sessions).set({ lastSeenAt: now }).where(inArray(sessions.id, seen));
  }
  return new Map(live.map((row) => [row.id, row]));
}

function selectKept(db: Queryable) {
  return db
    .select({
      id: sessions.id,
      lastSeenAt: sessions.lastSeenAt,
      mustSetUpTotp: sql<boolean>`not ${hasTotp()}
        and exists (select 1 from ${signInPolicy} where ${signInPolicy.totpRequired})`,
      admin: admins,
      totp: adminTotp,
    })
    .from(sessions)
    .innerJoin(admins, eq(admins.id, sessions.adminId))
    .leftJoin(adminTotp, eq(adminTotp.adminId, admins.id))
    .where(
      and(
        sql`${sessions.id} = any (${sql.placeholder('ids')}::uuid[])`,
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, sql.placeholder('now')),
      ),
    );
}

/**
 * Deletes sessions that no one can hold any more, after a day in which a late tab gets the reason, and
 * sign-ins whose second step never came.
 */
export async function deleteOldSessions(db: Queryable, now: Date): Promise<void> {
  await deleteInPortions(db, pendingSignIns, lt(pendingSignIns.expiresAt, now));
  await deleteInPortions(db, sessions, lt(sessions.expiresAt, new Date(now.getTime() - DAY_MS)));
}
