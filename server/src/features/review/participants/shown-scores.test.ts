import type { Participant } from '@invigil/core/contract/review/participants';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeQuiz, signInAdmin } from '../../../testing/factories.ts';
import { storeAttempts } from '../../../testing/stored-attempts.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

describe('participants by score', () => {
  let app: TestApp;
  let admin: string;
  let quizId: string;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
    ({ id: quizId } = await makeQuiz(app, admin, { questions: [] }));
  });
  afterAll(() => app.stop());

  const list = async (query: Record<string, string | number>): Promise<Participant[]> =>
    (await app.call('listParticipants', { as: admin, query: { sort: 'score', ...query } })).body;
  const shown = (rows: Participant[]) => rows.map(({ score, points }) => points ?? score);

  it('are in the order of what the column shows: points, or right answers', async () => {
    const other = await makeQuiz(app, admin, { questions: [] });
    const startedAt = app.clock.now();
    const ended = { startedAt, endedAfter: 60 };
    const rich = { ...ended, maxPoints: 2_000_000 };
    await storeAttempts(app, quizId, [
      // Few points for many small questions, many for one large one.
      { email: 'a@example.org', ...rich, score: 2, points: 20_000 },
      { email: 'b@example.org', ...rich, score: 1, points: 1_000_000 },
      { email: 'c@example.org', ...rich, score: 0, points: 15_000 },
      { email: 'd@example.org', ...rich, score: 0, points: 0 },
      { email: 'e@example.org', startedAt, maxPoints: 2_000_000 },
    ]);
    await storeAttempts(app, other.id, [
      { email: 'f@example.org', ...ended, score: 7 },
      { email: 'g@example.org', ...ended, score: 0 },
      { email: 'h@example.org', startedAt },
    ]);
    expect(shown(await list({ quizId, order: 'desc' }))).toEqual([100, 2, 1.5, 0, null]);
    expect(shown(await list({ quizId, order: 'asc' }))).toEqual([null, 0, 1.5, 2, 100]);
    // Of all assessments together, too; page by page, from either end.
    const all = [100, 7, 2, 1.5, 0, 0, null, null];
    expect(shown(await list({ order: 'desc' }))).toEqual(all);
    const pages = await Promise.all(
      [0, 3, 6].map((offset) => list({ order: 'desc', limit: 3, offset })),
    );
    expect(shown(pages.flat())).toEqual(all);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(8);
  });

  it.each(['asc', 'desc'])('are read from an index, without sorting all: %s', async (order) => {
    const startedAt = app.clock.now();
    await storeAttempts(
      app,
      quizId,
      Array.from({ length: 2_000 }, (_, i) => ({
        email: `${order}${i}@example.org`,
        startedAt,
        endedAfter: 60,
        score: i % 11,
        ...(i % 3 === 0 ? { points: (i % 97) * 1_000, maxPoints: 100_000 } : {}),
      })),
    );
    await app.pool.query('vacuum analyze participants');
    const query = vi.spyOn(app.context.db.$client, 'query');
    await list({ order, limit: 10 });
    const calls = query.mock.calls.map(([call, values]) => ({ call: call as unknown, values }));
    query.mockRestore();
    const statements = calls.flatMap(({ call, values }) => {
      const text = typeof call === 'string' ? call : (call as { text: string }).text;
      return text.includes('coalesce("participants"."points"') ? { text, values } : [];
    });
    expect(statements).toHaveLength(1);
    const [{ text, values } = { text: '', values: undefined }] = statements;
    const { rows } = await app.pool.query(`explain ${text}`, values as unknown as unknown[]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Only Scan( Backward)? using participants_shown_scores/);
  });
});
