import {
  inviteCandidate,
  inviteForCodes,
  makeQuiz,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { storeAttempts } from '@invigil/testkit/stored';
import { beforeEach, describe, expect, it } from 'vitest';

describe('the statistics of the dashboard', () => {
  const app = setUpApp({ TIME_ZONE: 'Europe/Berlin' });
  let admin: string;
  const stats = async () => (await app.call('getStats', { as: admin })).body;
  const ago = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60_000);

  // Tests of one file share a database; each begins without the others' rows.
  beforeEach(async () => {
    await app.pool.query(
      'truncate participants, participant_events, invitations, quizzes, users, categories, admins cascade',
    );
    admin = await signInAdmin(app);
  });

  it('are zeros and empty lists on a new database, never null', async () => {
    expect(await stats()).toEqual({
      totalQuizzes: 0,
      totalParticipants: 0,
      activeQuizzes: 0,
      averageScore: 0,
      recentActivity: [],
      topScorers: [],
      endingSoon: [],
      codesEnding: [],
      timeZone: 'Europe/Berlin',
    });
  });

  it('count assessments, of which open ones are active, and current attempts', async () => {
    const later = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const open = await makeQuiz(app, admin, { questions: [] });
    await makeQuiz(app, admin, { questions: [], endDate: later });
    await makeQuiz(app, admin, { questions: [], isActive: false });
    await makeQuiz(app, admin, { questions: [], endDate: app.clock.now().toISOString() });
    const archived = await makeQuiz(app, admin, { questions: [] });
    await storeAttempts(app, open.id, [
      { email: 'a@example.org', startedAt: ago(5), endedAfter: 60, replaced: true },
      { email: 'a@example.org', startedAt: ago(4) },
      { email: 'b@example.org', startedAt: ago(3), endedAfter: 60 },
    ]);
    await storeAttempts(app, archived.id, [{ email: 'a@example.org', startedAt: ago(2) }]);
    await app.call('deleteQuiz', { as: admin, params: { id: archived.id } });
    const statistics = await stats();
    expect(statistics).toMatchObject({ totalQuizzes: 4, activeQuizzes: 2, totalParticipants: 3 });
    const list = await app.call('listParticipants', { as: admin });
    expect(list.headers['x-total-count']).toBe(String(statistics.totalParticipants));
  });

  it('average the percentages of completed attempts, to one decimal', async () => {
    const { id } = await makeQuiz(app, admin, { questions: [] });
    const attempt = (email: string, score: number, totalMarks: number, more = {}) => ({
      email: `${email}@example.org`,
      startedAt: ago(60 * 24 * 30),
      endedAfter: 60,
      score,
      totalMarks,
      ...more,
    });
    await storeAttempts(app, id, [
      attempt('a', 1, 3),
      attempt('b', 20, 20),
      attempt('c', 0, 5),
      // Its only question was left out: it has no percentage.
      attempt('g', 0, 1, { points: 0, maxPoints: 0 }),
      // None of these is a completed, current attempt.
      attempt('d', 5, 5, { status: 'dismissed' }),
      attempt('e', 5, 5, { endedAfter: null }),
      attempt('f', 5, 5, { replaced: true }),
    ]);
    // (33.33 + 100 + 0) / 3
    expect((await stats()).averageScore).toBe(44.4);
  });

  it('describe the last ten starts and ends, newest first', async () => {
    const { id } = await makeQuiz(app, admin, { title: 'Networks', questions: [] });
    await storeAttempts(app, id, [
      { email: 'old@example.org', startedAt: ago(100), endedAfter: 10, replaced: true },
      ...Array.from({ length: 8 }, (_, i) => ({
        email: `old${i}@example.org`,
        startedAt: ago(60 + i),
      })),
      { email: 'a@example.org', startedAt: ago(30), endedAfter: 25 * 60, score: 7 },
      { email: 'b@example.org', startedAt: ago(20), endedAfter: 60, status: 'dismissed', score: 2 },
      { email: 'c@example.org', startedAt: ago(10) },
    ]);
    const { recentActivity } = await stats();
    expect(recentActivity).toHaveLength(10);
    expect(recentActivity.slice(0, 6)).toEqual([
      {
        participantId: expect.any(String),
        description: 'a@example.org completed Networks',
        score: 7,
        totalMarks: 10,
        status: 'completed',
        at: ago(5).toISOString(),
      },
      {
        participantId: expect.any(String),
        description: 'c@example.org started Networks',
        score: null,
        totalMarks: null,
        status: 'in_progress',
        at: ago(10).toISOString(),
      },
      {
        participantId: expect.any(String),
        description: 'b@example.org was dismissed from Networks',
        score: 2,
        totalMarks: 10,
        status: 'dismissed',
        at: ago(19).toISOString(),
      },
      expect.objectContaining({
        description: 'b@example.org started Networks',
        status: 'dismissed',
      }),
      expect.objectContaining({ description: 'a@example.org started Networks', score: null }),
      expect.objectContaining({ description: 'old0@example.org started Networks' }),
    ]);
    expect(JSON.stringify(recentActivity)).not.toContain('"old@example.org');
  });

  it('list the open assessments that end soon, with the people invited and started', async () => {
    const inDays = (days: number) =>
      new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
    const later = await makeQuiz(app, admin, { title: 'Later', endDate: inDays(13) });
    const soon = await makeQuiz(app, admin, { title: 'Soon', endDate: inDays(2) });
    await makeQuiz(app, admin, { title: 'Far', endDate: inDays(15) });
    await makeQuiz(app, admin, { title: 'Over', endDate: inDays(-1) });
    await makeQuiz(app, admin, { title: 'Off', endDate: inDays(1), isActive: false });
    await makeQuiz(app, admin, { title: 'Open' });
    const candidate = await inviteCandidate(app, admin, soon.id, 'first@example.org');
    await inviteCandidate(app, admin, soon.id, 'second@example.org');
    await app.call('startParticipant', { as: candidate.cookie, body: {} });
    expect((await stats()).endingSoon).toEqual([
      { quizId: soon.id, title: 'Soon', endDate: inDays(2), invited: 2, started: 1 },
      { quizId: later.id, title: 'Later', endDate: inDays(13), invited: 0, started: 0 },
    ]);
  });

  it('list the open assessments whose unused one-time passwords end within a week', async () => {
    const inDays = (days: number) =>
      new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
    const invite = async (quizId: string, names: string[], daysAgo = 0) => {
      await inviteForCodes(
        app,
        admin,
        quizId,
        names.map((name) => `${name}@example.org`),
      );
      await app.pool.query('update invitations set last_invited_at = $1 where quiz_id = $2', [
        inDays(-daysAgo),
        quizId,
      ]);
    };
    const make = (title: string, endDate: string | null) =>
      makeQuiz(app, admin, { title, endDate });
    const ends = await make('Ends', inDays(6));
    await invite(ends.id, ['a', 'b']);
    const old = await make('Old', null);
    await invite(old.id, ['a', 'b'], 88);
    await invite((await make('Far', inDays(8))).id, ['a']);
    await invite((await make('Dead', null)).id, ['a'], 91);
    await invite((await make('Fresh', null)).id, ['a']);
    const started = await make('Started', inDays(1));
    const candidate = await inviteCandidate(app, admin, started.id, 'c@example.org');
    await app.call('startParticipant', { as: candidate.cookie, body: {} });
    await app.pool.query(
      `update invitations set revoked_at = $1
       where quiz_id = $2 and user_id = (select id from users where email = 'b@example.org')`,
      [inDays(0), old.id],
    );
    expect((await stats()).codesEnding).toEqual([
      { quizId: old.id, title: 'Old', people: 1, until: inDays(2) },
      { quizId: ends.id, title: 'Ends', people: 2, until: inDays(6) },
    ]);
  });

  it('show an erased person as Unknown', async () => {
    const { id } = await makeQuiz(app, admin, { questions: [] });
    await storeAttempts(app, id, [{ email: 'a@example.org', startedAt: ago(5), endedAfter: 60 }]);
    await app.pool.query('update users set email = null');
    const { topScorers, recentActivity } = await stats();
    expect(topScorers[0].name).toBe('Unknown');
    expect(recentActivity[0].description).toMatch(/^Unknown completed /);
  });

  const charts = (query: Record<string, string | number> = {}) =>
    app.call('getStatsCharts', { as: admin, query });

  it.each([{ days: 0 }, { days: 367 }, { days: 1.5 }, { days: 'week' }, { quizId: 'all' }])(
    'have charts that refuse %j',
    async (query) => {
      const reply = await charts(query);
      const [path] = Object.keys(query);
      expect(reply).toMatchObject({ status: 400, body: { issues: [{ path }] } });
    },
  );

  it('have charts of zeros without ended attempts, and for an unknown assessment', async () => {
    for (const query of [{}, { quizId: '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c' }]) {
      const { body } = await charts(query);
      expect(body.histogram).toEqual(Array(10).fill(0));
      expect(body.completions).toHaveLength(30);
      expect(body.completions.at(-1)).toEqual({ day: '2026-05-14', count: 0 });
      expect(body.completions[0].day).toBe('2026-04-15');
    }
  });
});
