import type { Answer } from '@invigil/core/contract/attempts/answers';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAdmin } from '../../../testing/factories.ts';
import { makeScoredQuiz, takeScoredQuiz } from '../../../testing/scored-quiz.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

const weighted = (...weights: number[]): QuestionDefinition => ({
  type: 'multiple_response',
  format: 'plain',
  question: `Weights ${weights}`,
  options: weights.map((weight, i) => ({ text: `option ${i}`, isCorrect: weight > 0, weight })),
  points: 3,
  rule: 'weights',
});

describe('whether an answer is fully right', () => {
  let app: TestApp;
  let admin: string;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
  });
  afterAll(() => app.stop());

  it('is the same in record, score, answers and rescoring', async () => {
    // Thirds as Moodle exports them; and all weights with a wrong selection that weighs nothing.
    const definitions = [weighted(33.33333, 33.33333, 33.33333), weighted(50, 50, 0)];
    const quiz = await makeScoredQuiz(app, admin, definitions, { percent: 50, floor: 'total' });
    const all = '["option 0","option 1","option 2"]';
    const attempt = await takeScoredQuiz(app, admin, quiz, [all, all]);
    await attempt.submit();
    const { participant, questions } = (await attempt.record()).body as ParticipantRecord;
    const inRecord = new Map(questions.map((question) => [question.questionId, question]));
    expect(quiz.questionIds.map((id) => inRecord.get(id))).toMatchObject([
      { points: 3, isCorrect: true },
      { points: 1.5, isCorrect: false },
    ]);
    expect(participant).toMatchObject({ score: 1, points: 4.5, maxPoints: 6 });
    const params = { id: attempt.id };
    const answers = (await app.call('listAnswers', { as: admin, params })).body as Answer[];
    const isCorrectOf = new Map(answers.map((answer) => [answer.questionId, answer.isCorrect]));
    expect(quiz.questionIds.map((id) => isCorrectOf.get(id))).toEqual([true, false]);
    const [questionId = ''] = quiz.questionIds;
    const rescored = await app.call('rescoreQuestion', {
      as: admin,
      params: { id: quiz.id, questionId },
      body: { dryRun: true },
    });
    expect(rescored.body).toMatchObject({ participants: 1, changes: [] });
  });
});
