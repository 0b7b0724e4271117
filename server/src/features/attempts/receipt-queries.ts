import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { quizzes } from '../../db/schema/assessments.ts';
import { participants } from '../../db/schema/attempts.ts';
import { users } from '../../db/schema/invitations.ts';

/** Recipients of receipts, for attempts that have just ended. */
export async function listReceiptRecipients(tx: Tx, participantIds: string[]) {
  return prepared(tx, 'receipt-recipients', selectRecipients).execute({ ids: participantIds });
}

function selectRecipients(db: Queryable) {
  return db
    .select({
      participantId: participants.id,
      invitationId: participants.invitationId,
      userId: participants.userId,
      quizId: participants.quizId,
      language: participants.language,
    })
    .from(participants)
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .innerJoin(users, eq(users.id, participants.userId))
    .where(
      and(
        sql`${participants.id} = any (${sql.placeholder('ids')}::uuid[])`,
        eq(quizzes.closingMail, true),
        isNotNull(users.email),
      ),
    );
}
