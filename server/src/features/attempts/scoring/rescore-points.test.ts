import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginAttempt } from '../../../testing/begun-attempt.ts';
import { makeQuiz, signInAdmin } from '../../../testing/factories.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

const primes: QuestionDefinition = {
  type: 'multiple_response',
  format: 'plain',
  question: 'Which are prime?',
  options: ['2', '3', '9', '15'].map((text) => ({ text, isCorrect: text !== '15' })),
  points: 2,
  rule: 'per_option',
};
const corrected: QuestionDefinition = {
  ...primes,
  options: primes.options.map((o) => ({ ...o, isCorrect: o.text === '2' || o.text === '3' })),
  points: 4,
};
const typed: QuestionDefinition = {
  type: 'numeric',
  format: 'plain',
  question: 'g?',
  options: [],
  points: 1,
  rule: 'all_or_nothing',
  numeric: { accepted: [{ value: '9.8' }] },
};

describe('rescoring questions with points', () => {
  let app: TestApp;
  let admin: string;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
  });
  afterAll(() => app.stop());

  const edit = (id: string, definition: QuestionDefinition) =>
    app.call('changeBankQuestion', { as: admin, params: { id }, body: { definition } });
  const rescore = (quizId: string, questionId: string, dryRun: boolean) =>
    app.call('rescoreQuestion', {
      as: admin,
      params: { id: quizId, questionId },
      body: { dryRun, reason: 'wrong key' },
    });

  it('applies a corrected key and new points to papers that were drawn before', async () => {
    const add = async (definition: QuestionDefinition) =>
      (await app.call('addToBank', { as: admin, body: { definition } })).body.id as string;
    const [several, number] = [await add(primes), await add(typed)];
    const quiz = await makeQuiz(app, admin, { questions: [] });
    const others = [];
    for (let i = 0; i < 3; i += 1) others.push(await add({ ...typed, question: `other ${i}` }));
    const items = [several, number, ...others].map((questionId) => ({ questionId }));
    const structure = { sections: [{ title: 'All', isShuffled: false, items }] };
    const set = { structure, negativeMarks: null };
    const params = { id: quiz.id };
    expect((await app.call('setStructure', { as: admin, params, body: set })).status).toBe(200);

    const attempt = await beginAttempt(app, admin, quiz);
    const as = attempt.candidate.cookie;
    const query = { forAssessment: 'true' };
    const paper: PaperQuestion[] = (await app.call('listQuestions', { as, params, query })).body;
    const answer = (questionId: string, selectedOption: string) => ({
      questionId,
      selectedOption,
      isFlagged: false,
      revision: 1,
    });
    expect(paper.map((question) => question.id)).toEqual([several, number, ...others]);
    const answers = [answer(several, '["2","3"]'), answer(number, '9,81')];
    await app.call('saveAnswers', { as, params: { id: attempt.id }, body: { answers } });
    await attempt.submit();
    const points = async () => {
      const { participant, questions } = (await attempt.record()).body;
      return {
        points: participant.points,
        maxPoints: participant.maxPoints,
        score: participant.score,
        first: questions[0].points,
        isBroken: (await attempt.record()).body.hasBrokenSeal ?? false,
      };
    };
    expect(await points()).toEqual({
      points: 1.5,
      maxPoints: 6,
      score: 0,
      first: 1.5,
      isBroken: false,
    });

    await edit(several, corrected);
    const change = { before: 0, after: 1, pointsBefore: 1.5, pointsAfter: 4, maxPoints: 8 };
    const dryRun = await rescore(quiz.id, several, true);
    expect(dryRun.body).toMatchObject({
      participants: 1,
      unchanged: 0,
      applied: false,
      changes: [change],
    });
    expect((await points()).points).toBe(1.5);
    expect((await rescore(quiz.id, several, false)).body.changes).toMatchObject([change]);
    expect(await points()).toEqual({
      points: 4,
      maxPoints: 8,
      score: 1,
      first: 4,
      isBroken: false,
    });

    await edit(number, {
      ...typed,
      numeric: { accepted: [{ value: '9.8', tolerancePercent: '1' }] },
    });
    await rescore(quiz.id, number, false);
    expect(await points()).toMatchObject({ points: 5, score: 2, isBroken: false });
  });

  it('is refused for an assessment that has nothing to do with the question', async () => {
    const { body } = await app.call('addToBank', { as: admin, body: { definition: primes } });
    const quiz = await makeQuiz(app, admin);
    expect((await rescore(quiz.id, body.id, true)).status).toBe(404);
  });
});
