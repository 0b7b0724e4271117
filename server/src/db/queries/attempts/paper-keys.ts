import type { Reach } from '@invigil/core/domain/rights';
import type { SQL } from 'drizzle-orm';
import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../database.ts';
import { prepared } from '../../prepared.ts';
import { questionVersions, quizzes } from '../../schema/assessments.ts';
import { paperQuestions, participants } from '../../schema/attempts.ts';
import { invitations, users } from '../../schema/invitations.ts';
import { keyColumns } from '../questions.ts';
import { nameColumns } from '../seen-people.ts';
import { resultColumns } from './attempt-filter.ts';

export type PaperKey = Awaited<ReturnType<typeof selectPaperKeys>>[number];

/** The keys of several papers; for scoring, never for a response to a candidate. */
export async function listPaperKeys(tx: Queryable, participantIds: string[]) {
  return prepared(tx, 'paper-keys', selectPaperKeys).execute({ ids: participantIds });
}

function selectPaperKeys(db: Queryable) {
  return db
    .select({
      participantId: paperQuestions.participantId,
      ...keyColumns,
      position: paperQuestions.position,
      questionVersion: paperQuestions.questionVersion,
      /** Kept as text: it is compared and never parsed. */
      optionOrder: sql<string>`${paperQuestions.optionOrder}::text`,
    })
    .from(paperQuestions)
    .innerJoin(
      questionVersions,
      and(
        eq(questionVersions.questionId, paperQuestions.questionId),
        eq(questionVersions.version, paperQuestions.questionVersion),
      ),
    )
    .where(sql`${paperQuestions.participantId} = any (${sql.placeholder('ids')}::uuid[])`);
}

/**
 * Attempts whose paper holds a question, with the version they hold, locked against their end. For those
 * in progress only the key is locked: saves and heartbeats continue. Ended ones are locked exclusively,
 * because two concurrent rescorings would each write a score without the other's key.
 */
export async function listHoldersOf(tx: Tx, sees: Reach, questionId: string) {
  await selectHolders(tx, sees, eq(paperQuestions.questionId, questionId)).for('key share', {
    of: participants,
  });
  await selectHolders(
    tx,
    sees,
    and(eq(paperQuestions.questionId, questionId), ne(participants.status, 'in_progress')),
  ).for('no key update', { of: participants });
  return selectHolders(tx, sees, eq(paperQuestions.questionId, questionId));
}

function selectHolders(tx: Tx, sees: Reach, where: SQL | undefined) {
  return tx
    .select({
      id: participants.id,
      userId: participants.userId,
      quizId: participants.quizId,
      userEmail: users.email,
      ...nameColumns(sees),
      ...resultColumns,
      negativeMarks: participants.negativeMarks,
      resultRules: quizzes.resultRules,
      questionVersion: paperQuestions.questionVersion,
    })
    .from(paperQuestions)
    .innerJoin(participants, eq(participants.id, paperQuestions.participantId))
    .innerJoin(users, eq(users.id, participants.userId))
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .innerJoin(quizzes, eq(quizzes.id, participants.quizId))
    .where(where)
    .orderBy(asc(participants.id));
}
