import { startTestApp } from '@invigil/testkit/app';
import {
  inviteCandidate,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { storeAttempts } from '@invigil/testkit/stored';
import { describe, expect, it } from 'vitest';

describe('the charts of the dashboard', () => {
  const app = setUpAppWithAdmin({ TIME_ZONE: 'Europe/Berlin' });
  const charts = (query: Record<string, string | number> = {}, as = app.admin) =>
    app.call('getStatsCharts', { as, query });

  it.each([{ days: 0 }, { days: 367 }, { days: 1.5 }, { days: 'week' }, { quizId: 'all' }])(
    'refuse %j',
    async (query) => {
      const reply = await charts(query);
      const [path] = Object.keys(query);
      expect(reply).toMatchObject({ status: 400, body: { issues: [{ path }] } });
    },
  );

  it('are refused to candidates', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const { cookie } = await inviteCandidate(app, app.admin, quiz.id);
    expect((await charts({}, cookie)).status).toBe(403);
  });

  it('are zeros without ended attempts, and for an unknown assessment', async () => {
    for (const query of [{}, { quizId: '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c' }]) {
      const { body } = await charts(query);
      expect(body.histogram).toEqual(Array(10).fill(0));
      expect(body.completions).toHaveLength(30);
      expect(body.completions.at(-1)).toEqual({ day: '2026-05-14', count: 0 });
      expect(body.completions[0].day).toBe('2026-04-15');
    }
  });

  it('count 100 % with 90 %, and each edge in the bin that it begins', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const scores = [0, 9, 10, 19, 50, 89, 90, 99, 100];
    await storeAttempts(
      app,
      quiz.id,
      scores.map((score) => ({
        email: `s${score}@example.org`,
        startedAt: new Date(app.clock.now().getTime() - 60_000),
        endedAfter: 30,
        score,
        totalMarks: 100,
      })),
    );
    const { body } = await charts({ quizId: quiz.id, days: 1 });
    expect(body.histogram).toEqual([2, 2, 0, 0, 0, 1, 0, 0, 1, 3]);
    expect(body.completions).toEqual([{ day: '2026-05-14', count: scores.length }]);
  });

  it('have every day once across a daylight-saving change', async () => {
    const own = await startTestApp({ TIME_ZONE: 'Europe/Berlin' });
    try {
      const as = await signInAdmin(own);
      const quiz = await makeQuiz(own, as, { questions: [] });
      // Daylight-saving time ended on 25 October 2026 at 03:00: that day had 25 hours.
      own.clock.advance({ ms: Date.parse('2026-10-26T09:00:00Z') - own.clock.now().getTime() });
      const { cookie } = await own.call('login', {
        body: { email: 'admin@example.org', password: 'correct horse battery' },
      });
      await storeAttempts(
        own,
        quiz.id,
        [
          '2026-10-24T21:59:59Z',
          '2026-10-24T22:00:00Z',
          '2026-10-25T22:59:59Z',
          '2026-10-25T23:00:00Z',
        ].map((at, i) => ({
          email: `p${i}@example.org`,
          startedAt: new Date(Date.parse(at) - 1_000),
          endedAfter: 1,
        })),
      );
      const { body } = await own.call('getStatsCharts', { as: cookie, query: { days: 3 } });
      expect(body.completions).toEqual([
        { day: '2026-10-24', count: 1 },
        { day: '2026-10-25', count: 2 },
        { day: '2026-10-26', count: 1 },
      ]);
    } finally {
      await own.stop();
    }
  });
});
