import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Tx } from '../../db/database.ts';
import { outbox, participants, quizzes, users } from '../../db/schema.ts';

/** Whom to send a receipt, of attempts that have just ended. */
export async function listReceiptRecipients(tx: Tx, participantIds: string[]) {
  const rows = await tx
    .select({
      participantId: participants.id,
      invitationId: participants.invitationId,
      email: users.email,
      title: quizzes.title,
    })
    .from(participants)
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .innerJoin(users, eq(users.id, participants.userId))
    .where(
      and(
        inArray(participants.id, participantIds),
        eq(quizzes.closingMail, true),
        isNotNull(users.email),
      ),
    );
  return rows.flatMap(({ email, ...row }) => (email === null ? [] : [{ ...row, email }]));
}

/** One per attempt, however often its end is tried. */
export async function insertReceiptMessages(
  tx: Tx,
  rows: (typeof outbox.$inferInsert)[],
): Promise<void> {
  await tx.insert(outbox).values(rows).onConflictDoNothing();
}
