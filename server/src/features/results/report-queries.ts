import { and, eq, inArray } from 'drizzle-orm';
import type { Queryable } from '../../db/database.ts';
import { answers, paperQuestions, participants } from '../../db/schema/attempts.ts';

export type Choice = Awaited<ReturnType<typeof listChoices>>[number];

/** The questions that any paper of an assessment has had. */
export async function listDrawnQuestions(db: Queryable, quizId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: paperQuestions.questionId })
    .from(paperQuestions)
    .innerJoin(participants, eq(participants.id, paperQuestions.participantId))
    .where(eq(participants.quizId, quizId));
  return rows.map(({ id }) => id);
}

/**
 * The answers per question on the papers of some attempts, with the question's version and the inputs of its
 * points: the attempt's own negative marks, and whether it has points at all.
 */
export function listChoices(db: Queryable, participantIds: string[]) {
  return db
    .select({
      participantId: paperQuestions.participantId,
      questionId: paperQuestions.questionId,
      version: paperQuestions.questionVersion,
      optionId: answers.optionId,
      response: answers.response,
      maxPoints: participants.maxPoints,
      countsRight: participants.countsRight,
      negativeMarks: participants.negativeMarks,
    })
    .from(paperQuestions)
    .innerJoin(participants, eq(participants.id, paperQuestions.participantId))
    .leftJoin(
      answers,
      and(
        eq(answers.participantId, paperQuestions.participantId),
        eq(answers.questionId, paperQuestions.questionId),
      ),
    )
    .where(inArray(paperQuestions.participantId, participantIds));
}
