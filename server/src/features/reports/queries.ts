import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Queryable } from '../../db/database.ts';
import { answers, paperQuestions } from '../../db/schema.ts';

/** What some attempts chose, by the version of the question that their paper holds. */
export function listChoices(db: Queryable, participantIds: string[]) {
  return db
    .select({
      participantId: answers.participantId,
      questionId: answers.questionId,
      version: paperQuestions.questionVersion,
      optionId: answers.optionId,
    })
    .from(answers)
    .innerJoin(
      paperQuestions,
      and(
        eq(paperQuestions.participantId, answers.participantId),
        eq(paperQuestions.questionId, answers.questionId),
      ),
    )
    .where(and(inArray(answers.participantId, participantIds), isNotNull(answers.optionId)));
}
