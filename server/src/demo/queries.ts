import { asc, desc, eq, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../db/database.ts';
import { categories, quizzes } from '../db/schema/assessments.ts';
import { answers, participants } from '../db/schema/attempts.ts';
import { invitations, users } from '../db/schema/invitations.ts';
import { outbox } from '../db/schema/mail.ts';

/** Whether there are no categories, assessments and attempts. */
export async function isDatabaseEmpty(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ empty: boolean }>(sql`
    select not exists (select from ${categories}) and not exists (select from ${quizzes})
      and not exists (select from ${participants}) as empty`);
  return onlyRow(rows).empty;
}

/** Answers as a browser saved them one by one. */
export async function insertAnswers(
  tx: Tx,
  rows: readonly (typeof answers.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await tx.insert(answers).values([...rows]);
}

/** The invitations of a quiz by address. */
export async function listInvitationsByEmail(tx: Tx, quizId: string) {
  const rows = await tx
    .select({ invitation: invitations, email: users.email })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId))
    .where(eq(invitations.quizId, quizId));
  return new Map(rows.map((row) => [row.email ?? '', row.invitation]));
}

/** Attempts in progress with their sessions. */
export async function listRunning(db: Queryable) {
  const rows = await db
    .select({ participantId: participants.id, sessionId: participants.sessionId })
    .from(participants)
    .where(eq(participants.status, 'in_progress'));
  return rows.flatMap(({ participantId, sessionId }) =>
    sessionId === null ? [] : [{ participantId, sessionId }],
  );
}

/** The first recipient, alphabetically, of the latest invitations that are still queued. */
export async function findWaitingCode(tx: Tx) {
  const [row] = await tx
    .select({
      id: outbox.id,
      recipient: outbox.recipient,
      sealedCode: outbox.sealedCode,
      title: quizzes.title,
    })
    .from(outbox)
    .innerJoin(invitations, eq(invitations.id, outbox.invitationId))
    .innerJoin(quizzes, eq(quizzes.id, invitations.quizId))
    .where(eq(outbox.state, 'queued'))
    .orderBy(desc(outbox.createdAt), asc(outbox.recipient))
    .limit(1);
  return row;
}
