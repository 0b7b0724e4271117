import { asciiEmail, emailKey, emailSpellings } from '@invigil/core/domain/email-address';
import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { and, asc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { type Queryable, runNamed, type Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import { participants } from '../schema/attempts.ts';
import { invitationCodes, invitations } from '../schema/invitations.ts';
import { admins, adminTotp } from '../schema/sign-in.ts';
import { END_DATE, OPENS_AT } from './schedules.ts';

/** `codeValidUntil` of the domain, by the columns of a code (or its invitation) and its quiz. */
export function codeUntil(createdAt: SQL, endDate: SQL, opensAt: SQL): SQL {
  return sql`coalesce(${endDate}, greatest(${createdAt}, ${opensAt}) + ${`${CODE_LIMITS.oneTimeCodeValidDays} days`}::interval)`;
}

/**
 * The same of the latest code of a row of `invitations`, joined with `quizzes`; it was made at the last
 * invitation.
 */
const BY_AGE = codeUntil(sql`${invitations.lastInvitedAt}`, END_DATE, OPENS_AT);

/** It has a code, which does not wait for a later attempt: there, a code works at any age. */
const HAS_END = sql`(exists (select from ${invitationCodes} c
    where c.invitation_id = ${invitations}.id and c.revoked_at is null)
  and (${END_DATE} is not null
    or not exists (select from ${participants} p where p.invitation_id = ${invitations}.id)))`;

/**
 * The end of the time in which the one-time password of such a row can start; null: no password, or no end.
 */
export const LATEST_CODE_UNTIL = sql<Date | null>`case when ${HAS_END} then ${BY_AGE} end`.mapWith(
  invitations.lastInvitedAt,
);

/** The moment from which the latest code of such a row can start. */
const USABLE_FROM = sql`greatest(${invitations.lastInvitedAt}, ${OPENS_AT})`;

/**
 * It ends within the time of which administrators are warned, and most of its time has passed: nobody is late
 * an hour after the invitation, or before the opening. Or it has ended.
 */
export function isCodeEnding(now: Date): SQL {
  const { oneTimeCodeWarnDays: days, oneTimeCodeWarnFrom: share } = CODE_LIMITS;
  const warned = new Date(now.getTime() + days * 86_400_000);
  const late = sql`${USABLE_FROM} + (${BY_AGE} - ${USABLE_FROM}) * ${share}::float8`;
  return sql`(${BY_AGE} < ${warned.toISOString()}::timestamptz
    and ${late} <= ${now.toISOString()}::timestamptz and ${HAS_END})`;
}

export interface CodeHolder {
  invitationId: string;
  userId: string;
  quizId: string;
  email: string;
  codeId: string;
  codeCreatedAt: Date;
  /** When the invitation was revoked. */
  revokedAt: Date | null;
  /** A newer code took its place. */
  isReplaced: boolean;
  /** false: only the result of an attempt that was taken in `sessionId`. */
  opensResults: boolean;
  /** The latest session that it opened before the end, where it does not open every result. */
  sessionId: string | null;
  /** Wrong tries still block this account and address. */
  hasFailures: boolean;
}

export interface GivenCode {
  codeHash: Buffer;
  email: string;
  /** The throttle key of the account and address. */
  throttleKey: Buffer;
}

const CODE_HOLDERS_SQL = `
select g.n::int, i.id as "invitationId", i.user_id as "userId", i.quiz_id as "quizId", u.email,
  c.id as "codeId", c.created_at as "codeCreatedAt",
  c.opens_results as "opensResults", c.session_id as "sessionId",
  i.revoked_at as "revokedAt", c.revoked_at is not null as "isReplaced",
  exists (select from sign_in_failures f where f.key = g.throttle_key) as "hasFailures"
from unnest($1::bytea[], $2::text[], $3::bytea[], $4::text[]) with ordinality
  as g(code_hash, email, throttle_key, ascii_email, n)
join invitation_codes c on c.code_hash = g.code_hash
join invitations i on i.id = c.invitation_id
join users u on u.id = i.user_id and lower(u.email) in (g.email, g.ascii_email)`;

/**
 * The holders of one-time passwords, in order: by hash and address together; also of revoked ones, so
 * that their holders learn the reason.
 */
export async function findCodeHolders(
  db: Queryable,
  given: readonly GivenCode[],
): Promise<(CodeHolder | undefined)[]> {
  const rows = await runNamed<CodeHolder & { n: number }>(db, {
    name: 'code-holders',
    text: CODE_HOLDERS_SQL,
    values: [
      given.map((g) => g.codeHash),
      given.map((g) => emailKey(g.email)),
      given.map((g) => g.throttleKey),
      given.map((g) => asciiEmail(emailKey(g.email))),
    ],
  });
  const found = new Map(rows.map(({ n, ...holder }) => [n, holder]));
  return given.map((_, i) => found.get(i + 1));
}

/**
 * The locked invitations whose codes are still valid: revoking or replacing one requires the same lock, so
 * the result holds until the commit.
 */
export async function listLiveCodes(tx: Tx, ids: string[]): Promise<Set<string>> {
  const rows = await prepared(tx, 'live-codes', (on) =>
    on
      .select({ id: invitationCodes.id })
      .from(invitationCodes)
      .innerJoin(invitations, eq(invitations.id, invitationCodes.invitationId))
      .where(
        and(
          sql`${invitationCodes.id} = any (${sql.placeholder('ids')}::uuid[])`,
          isNull(invitationCodes.revokedAt),
          isNull(invitations.revokedAt),
        ),
      ),
  ).execute({ ids });
  return new Set(rows.map(({ id }) => id));
}

const CODE_SESSIONS_SQL = `
update invitation_codes c set session_id = o.session_id
from unnest($1::uuid[], $2::uuid[]) as o(id, session_id)
where c.id = o.id`;

/** Records which session each code has opened; their invitations are locked. */
export async function setCodeSessions(
  tx: Tx,
  opened: readonly { codeId: string; sessionId: string }[],
): Promise<void> {
  await runNamed(tx, {
    name: 'code-sessions',
    text: CODE_SESSIONS_SQL,
    values: [opened.map((one) => one.codeId), opened.map((one) => one.sessionId)],
  });
}

/** Whether a code that opens no results has opened a session, the latest it did. */
export async function isSessionForTakingOnly(
  db: Queryable,
  { id, invitationId }: { id: string; invitationId: string },
): Promise<boolean> {
  const own = await db.$count(
    invitationCodes,
    and(
      eq(invitationCodes.invitationId, invitationId),
      eq(invitationCodes.sessionId, id),
      eq(invitationCodes.opensResults, false),
    ),
  );
  return own > 0;
}

/** Forgets the sessions that the codes of an invitation have opened, but one. */
export async function keepCodeSession(tx: Tx, invitationId: string, sessionId: string) {
  await tx
    .update(invitationCodes)
    .set({ sessionId: null })
    .where(
      and(eq(invitationCodes.invitationId, invitationId), ne(invitationCodes.sessionId, sessionId)),
    );
}

/** Locks an invitation: sign-in, start and invite of one person at one quiz run one after the other. */
export async function lockInvitation(tx: Tx, invitationId: string) {
  const statement = prepared(tx, 'lock-invitation', (on) =>
    on
      .select()
      .from(invitations)
      .where(eq(invitations.id, sql.placeholder('id')))
      .for('no key update'),
  );
  const [row] = await statement.execute({ id: invitationId });
  return row;
}

/** Locks several invitations, in the same order for all batches. Those locked by others are missing. */
export async function lockFreeInvitations(tx: Tx, ids: string[]) {
  const rows = await prepared(tx, 'lock-free-invitations', (on) =>
    on
      .select()
      .from(invitations)
      .where(sql`${invitations.id} = any (${sql.placeholder('ids')}::uuid[])`)
      .orderBy(asc(invitations.id))
      .for('no key update', { skipLocked: true }),
  ).execute({ ids });
  return new Map(rows.map((row) => [row.id, row]));
}

/** An invitation's accommodations: sensors and extra time. */
export interface Accommodations {
  camera: boolean;
  microphone: boolean;
  faceCovered: boolean;
  extraTimeFactor: number;
}

export async function findAccommodations(
  db: Queryable,
  invitationId: string,
): Promise<Accommodations> {
  const [row] = await db
    .select({
      camera: invitations.cameraEnabled,
      microphone: invitations.microphoneEnabled,
      faceCovered: invitations.faceCovered,
      extraTimeFactor: invitations.extraTimeFactor,
    })
    .from(invitations)
    .where(eq(invitations.id, invitationId));
  return row ?? { camera: true, microphone: true, faceCovered: false, extraTimeFactor: 1 };
}

export async function recordFirstSignIn(tx: Tx, invitationId: string, now: Date): Promise<void> {
  await tx
    .update(invitations)
    .set({ firstSignInAt: now })
    .where(and(eq(invitations.id, invitationId), isNull(invitations.firstSignInAt)));
}

/** An administrator with the second step, in one query: unknown addresses must cost as much. */
export async function findAdminByEmail(db: Queryable, email: string) {
  const [row] = await db
    .select({ admin: admins, totp: adminTotp })
    .from(admins)
    .leftJoin(adminTotp, eq(adminTotp.adminId, admins.id))
    .where(inArray(sql`lower(${admins.email})`, emailSpellings(email)));
  return row;
}

export async function recordAdminSignIn(db: Queryable, adminId: string, now: Date): Promise<void> {
  await db.update(admins).set({ lastSignInAt: now }).where(eq(admins.id, adminId));
}
