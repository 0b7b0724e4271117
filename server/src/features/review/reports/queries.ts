import { and, eq, inArray } from 'drizzle-orm';
import type { Queryable } from '../../../db/database.ts';
import { answers, paperQuestions } from '../../../db/schema/attempts.ts';

/** The selected option per question on the papers of some attempts, with the question's version. */
export function listChoices(db: Queryable, participantIds: string[]) {
  return db
    .select({
      participantId: paperQuestions.participantId,
      questionId: paperQuestions.questionId,
      version: paperQuestions.questionVersion,
      optionId: answers.optionId,
      response: answers.response,
      optionOrder: paperQuestions.optionOrder,
    })
    .from(paperQuestions)
    .leftJoin(
      answers,
      and(
        eq(answers.participantId, paperQuestions.participantId),
        eq(answers.questionId, paperQuestions.questionId),
      ),
    )
    .where(inArray(paperQuestions.participantId, participantIds));
}
