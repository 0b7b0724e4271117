import { and, asc, eq, lt, notInArray, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { prepared } from '../../prepared.ts';
import { participants } from '../../schema/attempts.ts';
import type { ParticipantView } from './attempts.ts';
import { findCurrentParticipant } from './attempts.ts';

/** Takes those of several attempts alone that no one else holds, in an order that all batches keep. */
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
 * Takes an attempt alone: no save is on its way when this returns, and none starts before the end.
 * Anyone who changes status, `closeAt` or session of an attempt holds it like this first: saves lock
 * its key alone, and an update by itself would not wait for them.
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
 * The current attempt of a person at a quiz, taken alone where it can still change, and read again
 * then: it may have ended in the meantime. Always taken before its session, as every end does; the other
 * way round, a sign-in and an end would wait for each other.
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
 * Locks attempts that are past their due time, oldest first. Those that someone else holds are left
 * for the next round: a submit that is under way will end them itself.
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

/** The attempt under way of an invitation, held, if there is one. */
export async function findRunningOf(tx: Tx, invitationId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.invitationId, invitationId), eq(participants.status, 'in_progress')))
    .for('update');
  return row?.id;
}
