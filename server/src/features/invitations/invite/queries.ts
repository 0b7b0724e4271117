import { leftWhenReinstated } from '@invigil/core/domain/attempt';
import { emailKey, emailSpellings } from '@invigil/core/domain/email-address';
import { isSetAside } from '@invigil/core/domain/retakes';
import type { CanceledCode } from '@invigil/core/texts/mail-problems';
import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import type { SensorSwitches } from '../../../db/queries/attempts/attempts.ts';
import { canceled } from '../../../db/queries/outbox.ts';
import { insertPeople, type NewPerson } from '../../../db/queries/people.ts';
import { type ScheduleChange, storeSchedules } from '../../../db/queries/schedules.ts';
import { participants } from '../../../db/schema/attempts.ts';
import {
  type Entered,
  invitationCodes,
  invitations,
  users,
} from '../../../db/schema/invitations.ts';
import { outbox } from '../../../db/schema/mail.ts';

/** Creates people for unknown addresses, as `made` has them, and returns the ids of all, by address key. */
export async function ensureUsers(
  tx: Tx,
  emails: string[],
  made: (email: string) => NewPerson,
): Promise<Map<string, string>> {
  // A fixed order prevents a deadlock of concurrent calls that create the same people.
  const byKey = new Map(emails.map((email) => [emailKey(email), email]));
  const keys = [...byKey.keys()].sort();
  const known = await listUsers(tx, keys);
  const added = keys.filter((key) => !known.has(key));
  if (added.length === 0) return known;
  await insertPeople(
    tx,
    added.map((key) => made(byKey.get(key) ?? key)),
    { isIfNew: true },
  );
  return listUsers(tx, keys);
}

/** Locks those of some people who are invited to a quiz already, before the people themselves. */
export async function lockInvitationsTo(tx: Tx, quizId: string, emails: string[]): Promise<void> {
  const known = await listUsers(tx, emails.map(emailKey));
  await lockOf(tx, quizId, inArray(invitations.userId, [...known.values()]));
}

/** The invitations of the person with an address, in whichever spelling, that are not revoked: by assessment. */
export async function listInvitedAt(
  tx: Tx,
  email: string,
): Promise<{ quizId: string; ids: string[] }[]> {
  const rows = await tx
    .select({ id: invitations.id, quizId: invitations.quizId })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId))
    .where(
      and(
        inArray(sql`lower(${users.email})`, emailSpellings(email)),
        isNull(invitations.revokedAt),
      ),
    )
    .orderBy(asc(invitations.quizId));
  const byQuiz = Map.groupBy(rows, ({ quizId }) => quizId);
  return [...byQuiz].map(([quizId, some]) => ({ quizId, ids: some.map(({ id }) => id) }));
}

/** The ids by address key, in whichever spelling of its domain each is stored. */
async function listUsers(tx: Tx, keys: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(sql`lower(${users.email})`, keys.flatMap(emailSpellings)));
  return new Map(rows.map((row) => [emailKey(row.email ?? ''), row.id]));
}

export type InvitationRow = typeof invitations.$inferSelect;

/**
 * Creates or renews people's invitations to a quiz and locks them, in the order of the people, so that
 * concurrent calls cannot deadlock. A sign-in or start of one of them waits.
 *
 * @param entered what a new invitation has of its person
 * @returns all of them, and whom of the new ones invite
 */
export async function ensureInvitations(
  tx: Tx,
  quizId: string,
  userIds: string[],
  entered: (userId: string) => Entered | null,
  invitedBy: string,
  now: Date,
): Promise<{ rows: InvitationRow[]; added: string[] }> {
  const sorted = [...userIds].sort();
  const added = await tx
    .insert(invitations)
    .values(
      sorted.map((userId) => ({
        id: newId(),
        userId,
        quizId,
        extraTimeFactor: 1,
        cameraEnabled: true,
        microphoneEnabled: true,
        invitedBy,
        entered: entered(userId),
        createdAt: now,
        lastInvitedAt: now,
        revokedAt: null,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: invitations.id, userId: invitations.userId });
  await storeSchedules(tx, { invitationIds: added.map(({ id }) => id) });
  const rows = await lockOf(tx, quizId, inArray(invitations.userId, userIds));
  return { rows, added: added.map(({ userId }) => userId) };
}

/** Locks some invitations of a quiz, in the order of the people. */
function lockOf(tx: Tx, quizId: string, which: SQL): Promise<InvitationRow[]> {
  return tx
    .select()
    .from(invitations)
    .where(and(eq(invitations.quizId, quizId), which))
    .orderBy(asc(invitations.userId))
    .for('no key update');
}

/**
 * Whether one of them was erased; waits for an erasure in progress, and locks them where they are changed.
 */
export async function isAnyErased(
  tx: Tx,
  userIds: string[],
  { isChanging }: { isChanging: boolean },
): Promise<boolean> {
  const rows = await tx
    .select({ email: users.email })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(asc(users.id))
    .for(isChanging ? 'no key update' : 'share');
  return rows.some(({ email }) => email === null);
}

/** A person's attempts at a quiz, as they matter for an invitation. */
export interface AttemptOf {
  /** The attempt that counts, or that runs. */
  id?: string | undefined;
  /** Status of the current attempt; undefined before the first one, and after another was allowed. */
  status?: string | undefined;
  deadlineAt?: Date | undefined;
  /** It has ended, and another one may follow. */
  mayRetake?: true | undefined;
  /** Milliseconds of one that was reinstated and is not resumed yet, and when that was. */
  continuesMs?: number | undefined;
  replacedAt?: Date | null | undefined;
}

/** The latest attempts of people at a quiz, by the person. */
export async function listLatestAttempts(
  tx: Tx,
  quizId: string,
  userIds: string[],
): Promise<Map<string, AttemptOf>> {
  const { userId, attempt, status, deadlineAt, pausedUntil, submittedAt } = participants;
  const { replacedAt, replacedHow, addedMinutes } = participants;
  const counting = sql<string>`(select c.id from participants c
    where c.user_id = participants.user_id and c.quiz_id = participants.quiz_id and c.replaced_at is null)`;
  const rows = await tx
    .selectDistinctOn([userId], {
      ...{
        id: counting,
        userId,
        status,
        deadlineAt,
        pausedUntil,
        submittedAt,
        replacedAt,
        replacedHow,
        addedMinutes,
      },
    })
    .from(participants)
    .where(and(eq(participants.quizId, quizId), inArray(userId, userIds)))
    .orderBy(userId, desc(attempt));
  return new Map(
    rows.map((row) => [
      row.userId,
      !isSetAside(row)
        ? { id: row.id, status: row.status, deadlineAt: row.deadlineAt }
        : row.replacedHow === 'reinstate'
          ? { continuesMs: leftWhenReinstated(row), replacedAt: row.replacedAt }
          : {},
    ]),
  );
}

/** Makes invitations valid again and records when they were last sent. */
export async function renewInvitations(tx: Tx, ids: string[], now: Date): Promise<void> {
  await tx
    .update(invitations)
    .set({ lastInvitedAt: now, revokedAt: null })
    .where(inArray(invitations.id, ids));
}

/** Revokes every earlier code, at once (I22). */
export async function revokeCodes(tx: Tx, invitationIds: string[], now: Date): Promise<void> {
  await tx
    .update(invitationCodes)
    .set({ revokedAt: now })
    .where(
      and(inArray(invitationCodes.invitationId, invitationIds), isNull(invitationCodes.revokedAt)),
    );
}

export async function insertCodes(tx: Tx, rows: (typeof invitationCodes.$inferInsert)[]) {
  await tx.insert(invitationCodes).values(rows);
}

/** Cancels waiting messages whose code no longer works. */
export async function cancelWaitingMessages(
  tx: Tx,
  invitationIds: string[],
  why: CanceledCode,
): Promise<void> {
  await tx
    .update(outbox)
    .set(canceled(why))
    .where(
      and(
        inArray(outbox.invitationId, invitationIds),
        eq(outbox.kind, 'invitation'),
        inArray(outbox.state, ['queued', 'uncertain']),
      ),
    );
}

/** The invitations that have a message that is not settled yet. */
export async function findWaiting(tx: Tx, invitationIds: string[]): Promise<Set<string | null>> {
  const rows = await tx
    .select({ id: outbox.invitationId })
    .from(outbox)
    .where(
      and(
        inArray(outbox.invitationId, invitationIds),
        eq(outbox.kind, 'invitation'),
        inArray(outbox.state, ['queued', 'sending', 'uncertain']),
      ),
    );
  return new Set(rows.map((row) => row.id));
}

/** Locks invitations in the order of `ensureInvitations`. */
export const lockInvitations = (tx: Tx, quizId: string, ids: string[]) =>
  lockOf(tx, quizId, inArray(invitations.id, ids));

export async function setRevoked(tx: Tx, ids: string[], now: Date): Promise<void> {
  await tx.update(invitations).set({ revokedAt: now }).where(inArray(invitations.id, ids));
}

/** Gives people times of their own, by their locked invitations. Returns whose times have changed. */
export async function setOwnTimes(
  tx: Tx,
  rows: readonly Pick<InvitationRow, 'id' | 'ownTimes'>[],
): Promise<ScheduleChange[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const times = rows.map(({ ownTimes }) => ownTimes && JSON.stringify(ownTimes));
  await tx.execute(sql`
    update ${invitations} set own_times = n.own_times
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(times)}::jsonb[]) as n(id, own_times)
    where ${invitations.id} = n.id`);
  return storeSchedules(tx, { invitationIds: ids });
}

export async function setAccommodations(
  tx: Tx,
  ids: readonly string[],
  set: Partial<
    Pick<
      InvitationRow,
      'extraTimeFactor' | 'breaks' | 'breakMinutes' | 'ownTimes' | keyof SensorSwitches
    >
  >,
): Promise<void> {
  await tx
    .update(invitations)
    .set(set)
    .where(inArray(invitations.id, [...ids]));
  if (set.ownTimes !== undefined) await storeSchedules(tx, { invitationIds: ids });
}
