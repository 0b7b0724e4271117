import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';
import { type BegunAttempt, beginAttempt } from './begun-attempt.ts';
import { makeQuiz } from './factories.ts';
import type { TestApp } from './test-app.ts';

/** An open assessment with questions of its own, made through the API. */
export interface ScoredQuiz {
  id: string;
  /** In the order of the definitions. */
  questionIds: string[];
}

export async function makeScoredQuiz(
  app: TestApp,
  admin: string,
  definitions: readonly QuestionDefinition[],
  negativeMarks: NegativeMarks | null = null,
): Promise<ScoredQuiz> {
  const { id } = await makeQuiz(app, admin, {
    questions: [],
    totalQuestions: Math.max(5, definitions.length),
  });
  const questionIds: string[] = [];
  for (const definition of definitions) {
    const body = { definition, quizId: id };
    const reply = await app.call('addToBank', { as: admin, body });
    if (reply.status !== 201) throw new Error(`a question was not made: ${reply.text}`);
    questionIds.push(reply.body.id);
  }
  await setNegativeMarks(app, admin, id, negativeMarks);
  return { id, questionIds };
}

export async function setNegativeMarks(
  app: TestApp,
  admin: string,
  quizId: string,
  negativeMarks: NegativeMarks | null,
): Promise<void> {
  const body = { structure: null, negativeMarks };
  const reply = await app.call('setStructure', { as: admin, params: { id: quizId }, body });
  if (reply.status !== 200) throw new Error(`negative marks were not set: ${reply.text}`);
}

/** An attempt that has answered, by the order of the questions; '' leaves a question blank. */
export async function takeScoredQuiz(
  app: TestApp,
  admin: string,
  quiz: ScoredQuiz,
  selected: readonly string[],
): Promise<BegunAttempt> {
  const attempt = await beginAttempt(app, admin, { id: quiz.id, questions: [] });
  const answers = selected.map((selectedOption, i) => ({
    questionId: quiz.questionIds[i] ?? '',
    selectedOption,
    isFlagged: false,
    revision: 1,
  }));
  const as = attempt.candidate.cookie;
  const reply = await app.call('saveAnswers', {
    as,
    params: { id: attempt.id },
    body: { answers },
  });
  if (reply.status !== 200) throw new Error(`answers were not saved: ${reply.text}`);
  return attempt;
}
