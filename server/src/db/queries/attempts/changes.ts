import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../database.ts';
import { participants } from '../../schema/attempts.ts';
import type { Row } from './attempts.ts';

/** Ended attempts whose verdict an administrator recorded. */
export async function listReviewedBy(tx: Tx, adminId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(eq(participants.verdictBy, adminId))
    .orderBy(asc(participants.id))
    .for('no key update');
  return rows.map((row) => row.id);
}

/** The totals of the violations so far. */
export async function setViolationCounts(
  tx: Tx,
  id: string,
  counts: Pick<Row, 'countedViolations' | 'fullscreenExits' | 'tabSwitches'>,
): Promise<void> {
  await tx.update(participants).set(counts).where(eq(participants.id, id));
}

/** Counts one more flag for review. */
export async function addReviewFlag(tx: Tx, id: string): Promise<void> {
  await tx
    .update(participants)
    .set({ reviewFlags: sql`${participants.reviewFlags} + 1` })
    .where(eq(participants.id, id));
}

/** Counts one more call of the counter. */
export async function addViolationCall(tx: Tx, id: string): Promise<void> {
  await tx
    .update(participants)
    .set({ violationCalls: sql`${participants.violationCalls} + 1` })
    .where(eq(participants.id, id));
}

/** Since when the candidate asks for help; null: no longer. */
export async function setHelp(tx: Tx, id: string, helpAt: Date | null): Promise<void> {
  await tx.update(participants).set({ helpAt }).where(eq(participants.id, id));
}

export async function setNote(tx: Tx, id: string, note: string): Promise<void> {
  await tx.update(participants).set({ note }).where(eq(participants.id, id));
}

export async function setVerdict(
  tx: Tx,
  id: string,
  given: { verdict: string; verdictNote: string; verdictAt: Date; verdictBy: string },
): Promise<void> {
  await tx.update(participants).set(given).where(eq(participants.id, id));
}

/**
 * Records that the page is back after a reload or on another device; its monitor restarts. After a gap it
 * has all of its time again. Without one a silence continues, or repeated starts would hide it.
 */
export async function recordReturn(tx: Tx, id: string, now: Date, wasAway: boolean): Promise<void> {
  const at = now.toISOString();
  const monitor = wasAway
    ? { monitorAt: now, silentSince: null, checksStalledSince: now }
    : {
        checksStalledSince: sql`coalesce(${participants.checksStalledSince}, ${at}::timestamptz)`,
      };
  await tx
    .update(participants)
    .set({ lastSeenAt: now, monitorChecks: null, ...monitor })
    .where(eq(participants.id, id));
}

/** Assigns an attempt to a session: from this commit on only that session's saves are accepted. */
export async function setParticipantSession(tx: Tx, id: string, sessionId: string): Promise<void> {
  await tx.update(participants).set({ sessionId }).where(eq(participants.id, id));
}

/** The language of a person's current attempt at a quiz, if there is one. */
export async function setAttemptLanguage(
  db: Queryable,
  { userId, quizId }: { userId: string; quizId: string },
  language: string,
): Promise<void> {
  await db
    .update(participants)
    .set({ language })
    .where(
      and(
        eq(participants.userId, userId),
        eq(participants.quizId, quizId),
        isNull(participants.replacedAt),
      ),
    );
}

/** The device that the attempt is taken on now. */
export async function setDevice(
  tx: Tx,
  id: string,
  seen: Pick<Row, 'device' | 'isPhone' | 'usedComputer'>,
): Promise<void> {
  await tx.update(participants).set(seen).where(eq(participants.id, id));
}

/** Removes an ending session from the attempt that it held. Returns whether it held one. */
export async function leaveParticipantSession(tx: Tx, sessionId: string): Promise<boolean> {
  const held = tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.sessionId, sessionId), eq(participants.status, 'in_progress')))
    .for('update');
  const { rowCount } = await tx
    .update(participants)
    .set({ sessionId: null })
    .where(inArray(participants.id, held));
  return rowCount === 1;
}
