import { and, asc, eq, lt, ne, notInArray, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { prepared } from '../../prepared.ts';
import { participants } from '../../schema/attempts.ts';
import type { ParticipantView, Taker } from './attempts.ts';
import { findCurrentParticipant, listAttemptsOf, ofTakers } from './attempts.ts';

/** Locks those of several attempts that no one else has locked, in the same order for all batches. */
export async function lockFreeParticipants(tx: Tx, ids: string[]): Promise<string[]> {
  const rows = await prepared(tx, 'lock-free-participants', (on) =>
    on
      .select({ id: participants.id })
      .from(participants)
      .where(sql`${participants.id} = any (${sql.placeholder('ids')}::uuid[])`)
      .orderBy(asc(participants.id))
      .for('update', { skipLocked: true }),
  ).execute({ ids });
  return rows.map((row) => row.id);
}

/**
 * Locks an attempt exclusively: no save is in progress when this returns, and none starts before the
 * transaction ends. Any change of an attempt's status, `closeAt` or session needs this lock first: saves
 * lock only its key, and a plain update would not wait for them.
 */
export async function lockParticipant(tx: Tx, id: string): Promise<void> {
  await prepared(tx, 'lock-participant', (on) =>
    on
      .select({ id: participants.id })
      .from(participants)
      .where(eq(participants.id, sql.placeholder('id')))
      .for('update'),
  ).execute({ id });
}

/**
 * All attempts of some people, the oldest of each first, read after those that have ended were locked. A running one
 * is left to its end, which looks at the others last.
 */
export async function lockAttemptsOf(tx: Tx, takers: readonly Taker[]): Promise<ParticipantView[]> {
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(ofTakers(takers), ne(participants.status, 'in_progress')))
    .orderBy(asc(participants.id))
    .for('no key update');
  return listAttemptsOf(tx, takers);
}

/**
 * The current attempt of a person at a quiz, locked while it can still change, and then read again, as it
 * may have ended while waiting. Always locked before its session, as every end does; the reverse order
 * would deadlock.
 */
export async function lockCurrentParticipant(
  tx: Tx,
  userId: string,
  quizId: string,
): Promise<ParticipantView | undefined> {
  const found = await findCurrentParticipant(tx, userId, quizId);
  if (found?.status !== 'in_progress') return found;
  await lockParticipant(tx, found.id);
  return findCurrentParticipant(tx, userId, quizId);
}

/**
 * Locks attempts that are past their due time, oldest first. Those locked by others are left for the next
 * run: a submit in progress will end them itself.
 *
 * @param except those that were tried and could not be ended
 */
export async function lockDueParticipants(
  tx: Tx,
  now: Date,
  most: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const rows = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(
        eq(participants.status, 'in_progress'),
        lt(participants.closeAt, now),
        notInArray(participants.id, [...except]),
      ),
    )
    .orderBy(asc(participants.closeAt))
    .limit(most)
    .for('update', { skipLocked: true });
  return rows.map((row) => row.id);
}

/** The running attempt of an invitation, locked, if there is one. */
export async function findRunningOf(tx: Tx, invitationId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.invitationId, invitationId), eq(participants.status, 'in_progress')))
    .for('update');
  return row?.id;
}
