import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAdmin } from '../../testing/factories.ts';
import { makeScoredQuiz, takeScoredQuiz } from '../../testing/scored-quiz.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

/** Of three right options; one of them selected earns a third. */
const third = (points: number): QuestionDefinition => ({
  type: 'multiple_response',
  format: 'plain',
  question: `For ${points} points`,
  options: ['a', 'b', 'c'].map((text) => ({ text, isCorrect: true })),
  points,
  rule: 'right_minus_wrong',
});

describe('fractions of points', () => {
  let app: TestApp;
  let admin: string;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
  });
  afterAll(() => app.stop());

  it('have at most four decimals, and no rounding errors, wherever they are shown', async () => {
    const points = [1, 0.25, 0.29, 7.77, 0.7];
    const quiz = await makeScoredQuiz(app, admin, points.map(third), {
      percent: 33.33,
      floor: 'total',
    });
    const attempt = await takeScoredQuiz(
      app,
      admin,
      quiz,
      points.map(() => '["a"]'),
    );
    await attempt.submit();
    const { participant, questions } = (await attempt.record()).body as ParticipantRecord;
    const pointsOf = new Map(questions.map((question) => [question.questionId, question.points]));
    expect(quiz.questionIds.map((id) => pointsOf.get(id))).toEqual([
      0.3333, 0.0833, 0.0967, 2.59, 0.2333,
    ]);
    expect(participant).toMatchObject({ points: 3.3367, maxPoints: 10.01, score: 0 });

    const params = { id: attempt.id };
    const report = { quizId: quiz.id, questions: 'true' };
    const replies = {
      record: await attempt.record(),
      list: await app.call('listParticipants', { as: admin, query: { quizId: quiz.id } }),
      row: await app.call('getParticipant', { as: admin, params }),
      answers: await app.call('listAnswers', { as: admin, params }),
      report: await app.call('exportParticipants', { as: admin, query: report }),
      dashboard: await app.call('getStats', { as: admin }),
      charts: await app.call('getStatsCharts', { as: admin, query: { quizId: quiz.id } }),
      person: await app.call('exportPerson', {
        as: admin,
        params: { id: attempt.candidate.userId },
      }),
    };
    for (const [where, { status, text }] of Object.entries(replies)) {
      expect(status, where).toBe(200);
      expect(text, where).not.toMatch(/\d\.\d{5,}/);
    }
    for (const where of ['record', 'list', 'row', 'report', 'dashboard', 'person'] as const) {
      expect(replies[where].text, where).toContain('3.3367');
    }
    // 33.33 percent: in the fourth bin, and the mean of the only attempt.
    expect(replies.dashboard.body.averageScore).toBe(33.3);
    expect(replies.charts.body.histogram).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  });
});
