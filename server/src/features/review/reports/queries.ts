import { and, eq, inArray } from 'drizzle-orm';
import type { Queryable } from '../../../db/database.ts';
import { answers, paperQuestions } from '../../../db/schema/attempts.ts';

/** What some attempts chose of each question of their paper, by the version that it holds. */
export function listChoices(db: Queryable, participantIds: string[]) {
  return db
    .select({
      participantId: paperQuestions.participantId,
      questionId: paperQuestions.questionId,
      version: paperQuestions.questionVersion,
      optionId: answers.optionId,
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
