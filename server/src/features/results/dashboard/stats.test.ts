import { QUIZ_STATUSES, type QuizTimes, statusOf } from '@invigil/core/domain/quiz-status';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import {
  inviteCandidate,
  inviteForCodes,
  makeQuiz,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { type StoredAttempt, storeAttempts } from '@invigil/testkit/stored';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOfDay, startOfWeek } from './week.ts';

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
    // Not open before its time.
    const opens = (minutes: number) =>
      makeQuiz(app, admin, {
        opensAt: new Date(app.clock.now().getTime() + minutes * 60_000).toISOString(),
      });
    await opens(60);
    await opens(-60);
    expect(await stats()).toMatchObject({ totalQuizzes: 6, activeQuizzes: 3 });
  });

  it('count as active what the portal calls so, whatever switch, opening and end are', async () => {
    const now = app.clock.now().getTime();
    const times = [undefined, now - 60_000, now, now + 60_000];
    for (const isActive of [true, false]) {
      for (const opensAt of times) {
        for (const endDate of times) {
          if (opensAt !== undefined && endDate !== undefined && opensAt >= endDate) continue;
          await makeQuiz(app, admin, {
            ...{ questions: [], isActive },
            ...(opensAt === undefined ? {} : { opensAt: new Date(opensAt).toISOString() }),
            ...(endDate === undefined ? {} : { endDate: new Date(endDate).toISOString() }),
          });
        }
      }
    }
    const { body: quizzes } = await app.call('listQuizzes', { as: admin });
    const statuses: string[] = quizzes.map((quiz: QuizTimes) =>
      statusOf(quiz, app.clock.now().getTime()),
    );
    expect(new Set(statuses).size).toBe(QUIZ_STATUSES.length);
    const active = statuses.filter((status) => status === 'active').length;
    expect(await stats()).toMatchObject({ totalQuizzes: quizzes.length, activeQuizzes: active });
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
      // The only question of this attempt was left out: it has no percentage.
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
        kind: 'ended',
        score: 7,
        totalMarks: 10,
        status: 'completed',
        at: ago(5).toISOString(),
      },
      {
        participantId: expect.any(String),
        description: 'c@example.org started Networks',
        kind: 'started',
        score: null,
        totalMarks: null,
        status: 'in_progress',
        at: ago(10).toISOString(),
      },
      {
        participantId: expect.any(String),
        description: 'b@example.org was dismissed from Networks',
        kind: 'ended',
        score: 2,
        totalMarks: 10,
        status: 'dismissed',
        at: ago(19).toISOString(),
      },
      expect.objectContaining({
        description: 'b@example.org started Networks',
        kind: 'started',
        status: 'dismissed',
      }),
      expect.objectContaining({
        description: 'a@example.org started Networks',
        kind: 'started',
        score: null,
      }),
      expect.objectContaining({ description: 'old0@example.org started Networks' }),
    ]);
    expect(JSON.stringify(recentActivity)).not.toContain('"old@example.org');
  });

  it('say of each assessment how far its people are, and what happened last', async () => {
    const [quiz, other] = [
      await makeQuiz(app, admin, { title: 'Networks', questions: [] }),
      await makeQuiz(app, admin, { questions: [] }),
    ];
    await storeAttempts(app, quiz.id, [
      { email: 'a@example.org', startedAt: ago(9), endedAfter: 60, replaced: true },
      { email: 'a@example.org', startedAt: ago(8), endedAfter: 60 },
      { email: 'b@example.org', startedAt: ago(7) },
    ]);
    await inviteForCodes(app, admin, quiz.id, ['c@example.org', 'd@example.org']);
    await app.pool.query(
      `update invitations set revoked_at = now() from users
       where users.id = user_id and email = 'd@example.org'`,
    );
    await app.pool.query(
      `update participants set tab_switches = 1 where quiz_id = $1 and status = 'completed'`,
      [quiz.id],
    );
    const figures = (await app.call('listQuizFigures', { as: admin })).body;
    expect(figures).toContainEqual({
      quizId: quiz.id,
      invited: 3,
      started: 2,
      finished: 1,
      toReview: 1,
    });
    expect(figures).toContainEqual({
      quizId: other.id,
      invited: 0,
      started: 0,
      finished: 0,
      toReview: 0,
    });
    const activityOf = (id: string) => app.call('getQuizActivity', { as: admin, params: { id } });
    const { body } = await activityOf(quiz.id);
    expect(body.activity.map((each: { description: string }) => each.description)).toEqual([
      'b@example.org started Networks',
      'a@example.org completed Networks',
      'a@example.org started Networks',
    ]);
    expect((await activityOf(other.id)).body).toMatchObject({
      activity: [],
      timeZone: 'Europe/Berlin',
    });
    await app.call('deleteQuiz', { as: admin, params: { id: other.id } });
    expect((await activityOf(other.id)).status).toBe(404);
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
    await invite(ends.id, ['a', 'b'], 20);
    // No one is late who was invited today, however soon it ends.
    await invite((await make('Today', inDays(3))).id, ['a']);
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

  it('name a person, where a name is known', async () => {
    const { id } = await makeQuiz(app, admin, { questions: [] });
    await storeAttempts(app, id, [{ email: 'a@example.org', startedAt: ago(5), endedAfter: 60 }]);
    await app.pool.query(`update users set given_name = 'Ada', family_name = 'King'`);
    const { topScorers, recentActivity } = await stats();
    expect(topScorers[0].name).toBe('Ada King');
    expect(recentActivity[0].description).toMatch(/^Ada King completed /);
    // Isolates keep the words between two names that are read from the right in their place.
    await app.pool.query(`update users set given_name = 'محمد', family_name = ''`);
    await app.pool.query(`update quizzes set title = 'قانون' where id = $1`, [id]);
    expect((await stats()).recentActivity[0].description).toBe(
      '\u2068محمد\u2069 completed \u2068قانون\u2069',
    );
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

describe('the start of this week', () => {
  it('is the last Monday 00:00 local time, in every zone and at every moment', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'Europe/London',
      'America/New_York',
      'America/St_Johns',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'Pacific/Apia',
    ];
    const localTime = new Map(
      zones.map((timeZone) => [
        timeZone,
        new Intl.DateTimeFormat('en-GB', {
          timeZone,
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
          hourCycle: 'h23',
        }),
      ]),
    );
    const moment = fc.date({
      min: new Date('2015-01-01T00:00:00Z'),
      max: new Date('2037-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), (now, zone) => {
        const start = startOfWeek(now, zone);
        expect(localTime.get(zone)?.format(start)).toBe('Mon 00:00:00');
        const ageMs = now.getTime() - start.getTime();
        expect(ageMs).toBeGreaterThanOrEqual(0);
        // A week in which daylight-saving time ends is an hour longer.
        expect(ageMs).toBeLessThan((7 * 24 + 1) * 3_600_000);
      }),
      { numRuns: 400 },
    );
  });

  // The days on which clocks went from midnight to one o'clock, west and east of Greenwich.
  it.each([
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ])('begins a day without midnight with the first time that exists: %s %s', (zone, day, start) => {
    expect(startOfDay(day, zone).toISOString()).toBe(start);
  });
});
