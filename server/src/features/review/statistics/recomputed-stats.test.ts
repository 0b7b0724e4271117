import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { makeQuiz, signInAdmin } from '@invigil/testkit/factories';
import { type StoredAttempt, storeAttempts } from '@invigil/testkit/stored';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

const DAY_MS = 86_400_000;

/** An attempt in one of two assessments that ended `endedAgo` whole seconds before now. */
interface Case {
  quiz: 0 | 1;
  endedAgo: number;
  took: number;
  status: 'in_progress' | 'completed' | 'dismissed';
  replaced: boolean;
  score: number;
  totalMarks: number;
}

const cases = fc.array(
  fc.record<Case>({
    quiz: fc.constantFrom(0, 1),
    // Often near the beginning of a day or week, where off-by-one errors occur.
    endedAgo: fc.oneof(
      fc.integer({ min: 1, max: 12 * 86_400 }),
      fc
        .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: -2, max: 2 }))
        .map(([days, seconds]) => Math.max(1, days * 86_400 + 36_000 + seconds)),
    ),
    took: fc.integer({ min: 1, max: 9_000 }),
    status: fc.constantFrom('in_progress', 'completed', 'completed', 'completed', 'dismissed'),
    replaced: fc.boolean(),
    score: fc.integer({ min: 0, max: 10 }),
    totalMarks: fc.integer({ min: 1, max: 10 }),
  }),
  { minLength: 0, maxLength: 30 },
);

describe('the statistics', () => {
  let app: TestApp;
  afterEach(() => app.stop());

  it.each([
    // 10:00 local time, so that 36,000 s ago is midnight there.
    ['Europe/Berlin', '2026-05-14T08:00:00.000Z'],
    ['Asia/Kathmandu', '2026-05-13T04:15:00.000Z'],
    // A Monday after a daylight-saving change.
    ['America/New_York', '2026-03-09T14:00:00.000Z'],
    ['Pacific/Apia', '2026-05-09T21:00:00.000Z'],
  ])('equal a recomputation from the attempts, in %s', async (zone, start) => {
    app = await startTestApp({ TIME_ZONE: zone });
    app.clock.advance({ ms: Date.parse(start) - app.clock.now().getTime() });
    const admin = await signInAdmin(app);
    const quizzes = [
      await makeQuiz(app, admin, { title: 'One', questions: [] }),
      await makeQuiz(app, admin, { title: 'Two', questions: [] }),
    ];
    const now = app.clock.now();
    const dayOf = (at: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);
    const today = dayOf(now);
    const dayAgo = (days: number) =>
      new Date(Date.parse(`${today}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
    const monday = dayAgo((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7);

    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 15 }), async (drawn, days) => {
        for (const table of ['participant_events', 'participants', 'invitations']) {
          await app.pool.query(`delete from ${table}`);
        }
        const attempts = drawn.map((c, i) => {
          const submittedAt = new Date(now.getTime() - c.endedAgo * 1_000);
          const took = c.took + i / 1_000;
          return {
            ...c,
            name: `p${i}@example.org`,
            score: Math.min(c.score, c.totalMarks),
            took,
            submittedAt,
            startedAt: new Date(submittedAt.getTime() - Math.round(took * 1_000)),
            current: !c.replaced || c.status === 'in_progress',
          };
        });
        for (const [index, quiz] of quizzes.entries()) {
          const stored = attempts
            .filter((a) => a.quiz === index)
            .map(
              (a): StoredAttempt => ({
                email: a.name,
                startedAt: a.startedAt,
                score: a.score,
                totalMarks: a.totalMarks,
                replaced: !a.current,
                ...(a.status === 'in_progress' ? {} : { endedAfter: a.took, status: a.status }),
              }),
            );
          if (stored.length > 0) await storeAttempts(app, quiz.id, stored);
        }

        const stats = (await app.call('getStats', { as: admin })).body;
        const current = attempts.filter((a) => a.current);
        const completed = current.filter((a) => a.status === 'completed');
        expect(stats.totalParticipants).toBe(current.length);
        const list = await app.call('listParticipants', { as: admin });
        expect(list.headers['x-total-count']).toBe(String(current.length));
        const sum = completed.reduce((total, a) => total + (100 * a.score) / a.totalMarks, 0);
        const mean = completed.length === 0 ? 0 : sum / completed.length;
        expect(Math.abs(stats.averageScore - mean)).toBeLessThan(0.0501);
        expect(Math.round(stats.averageScore * 10) / 10).toBe(stats.averageScore);
        const best = completed
          .filter((a) => dayOf(a.submittedAt) >= monday)
          .sort((a, b) => b.score / b.totalMarks - a.score / a.totalMarks || a.took - b.took)
          .slice(0, 3);
        expect(stats.topScorers).toEqual(
          best.map((a) => ({
            name: a.name,
            quiz: a.quiz === 0 ? 'One' : 'Two',
            score: a.score,
            totalMarks: a.totalMarks,
            timeSpent: Math.floor(a.took),
          })),
        );
        expect(stats.recentActivity).toHaveLength(
          Math.min(10, current.length + current.filter((a) => a.status !== 'in_progress').length),
        );

        for (const quiz of [undefined, 0, 1]) {
          const query = {
            days,
            ...(quiz === undefined ? {} : { quizId: quizzes[quiz]?.id ?? '' }),
          };
          const charts = (await app.call('getStatsCharts', { as: admin, query })).body;
          const mine = (a: (typeof attempts)[number]) => quiz === undefined || a.quiz === quiz;
          const histogram = Array(10).fill(0);
          const isOfPeriod = (a: (typeof attempts)[number]) =>
            a.submittedAt !== null && dayOf(a.submittedAt) >= dayAgo(days - 1);
          for (const a of completed.filter((one) => mine(one) && isOfPeriod(one))) {
            histogram[Math.min(9, Math.floor((10 * a.score) / a.totalMarks))] += 1;
          }
          const ended = current.filter((a) => mine(a) && a.status !== 'in_progress');
          expect(charts).toEqual({
            histogram,
            completions: Array.from({ length: days }, (_, i) => {
              const day = dayAgo(days - 1 - i);
              return { day, count: ended.filter((a) => dayOf(a.submittedAt) === day).length };
            }),
            timeZone: app.context.config.timeZone,
          });
        }
      }),
      { numRuns: inForm({ short: 4, long: 25 }) },
    );
  });
});
