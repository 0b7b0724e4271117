import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type App, createApp } from '../../boot/app.ts';
import { type BegunAttempt, beginAttempt } from '../../testing/begun-attempt.ts';
import { signInAdmin } from '../../testing/factories.ts';
import { silentLog } from '../../testing/silent-log.ts';
import { call, startTestApp, type TestApp } from '../../testing/test-app.ts';

const PEOPLE = 12;

/** As after a restart: everybody comes at once, and this process knows no one's session or paper. */
describe('a hall that comes to a process that knows no one', () => {
  let app: TestApp;
  let started: App;
  const hall: BegunAttempt[] = [];

  beforeAll(async () => {
    app = await startTestApp();
    const admin = await signInAdmin(app);
    for (let i = 0; i < PEOPLE; i += 1) hall.push(await beginAttempt(app, admin));
    const { config, keys } = app.context;
    const { pool, clock } = app;
    started = await createApp({ config, pool, clock, keys, log: silentLog, webDist: null });
  });
  afterAll(async () => {
    await started.close();
    await app.stop();
  });

  const save = (of: BegunAttempt, as: string | undefined) => {
    const { id: questionId = '', options = [] } = of.quiz.questions[0] ?? {};
    const answers = [
      { questionId, selectedOption: options[0] ?? '', isFlagged: false, revision: 1 },
    ];
    return call(started, 'saveAnswers', {
      as: as ?? '',
      params: { id: of.id },
      body: { answers },
    });
  };
  const cookieOf = (i: number) => hall[i]?.candidate.cookie;

  it('lets no one write with the session of another, an ended one or none', async () => {
    await app.call('logout', { as: cookieOf(0) });
    const statuses = await Promise.all(
      hall.map(async (own, i) => {
        if (i === 0) return (await save(own, own.candidate.cookie)).status;
        if (i === 1) return (await save(own, 'invigil_session=nobody')).status;
        if (i < 4) return (await save(own, cookieOf(i + 1))).status;
        return (await save(own, own.candidate.cookie)).status;
      }),
    );
    expect(statuses).toEqual([401, 401, 404, 404, ...Array(PEOPLE - 4).fill(200)]);
    const { rows } = await app.pool.query('select participant_id as id from answers order by 1');
    expect(rows.map(({ id }) => id)).toEqual(
      hall
        .slice(4)
        .map(({ id }) => id)
        .sort(),
    );
  });

  it('asks for all sessions in a few statements', async () => {
    const { config, keys } = app.context;
    const { pool, clock } = app;
    const fresh = await createApp({ config, pool, clock, keys, log: silentLog, webDist: null });
    const query = vi.spyOn(Client.prototype, 'query');
    try {
      const replies = await Promise.all(
        hall.slice(4).map((own) =>
          call(fresh, 'heartbeat', {
            as: own.candidate.cookie,
            params: { id: own.id },
            body: { seq: 1 },
          }),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(PEOPLE - 4).fill(200));
      // The first one starts at once; everybody who came in the meantime goes into the second.
      const asked = query.mock.calls.map(([what]) => (what as { name?: string }).name);
      const times = asked.filter((name) => name === 'sessions').length;
      expect(times).toBeGreaterThanOrEqual(1);
      expect(times).toBeLessThanOrEqual(3);
    } finally {
      query.mockRestore();
      await fresh.close();
    }
  });
});
