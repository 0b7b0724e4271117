import { call } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  beginAttempt,
  setUpAppWithAdmin,
  setUpOtherProcess,
} from '@invigil/testkit/factories';
import { startOtherProcess } from '@invigil/testkit/other-process';
import { Client } from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const PEOPLE = 12;

/** As after a restart: all arrive at once, and no session or paper is cached in this process. */
describe('many candidates at a process with empty caches', () => {
  const app = setUpAppWithAdmin();
  const started = setUpOtherProcess(app);
  const attempts: BegunAttempt[] = [];

  beforeAll(async () => {
    for (let i = 0; i < PEOPLE; i += 1) attempts.push(await beginAttempt(app, app.admin));
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
  const cookieOf = (i: number) => attempts[i]?.candidate.cookie;

  it('writes nothing with another’s, an ended or an unknown session', async () => {
    await app.call('logout', { as: cookieOf(0) });
    const statuses = await Promise.all(
      attempts.map(async (own, i) => {
        if (i === 0) return (await save(own, own.candidate.cookie)).status;
        if (i === 1) return (await save(own, 'invigil_session=nobody')).status;
        if (i < 4) return (await save(own, cookieOf(i + 1))).status;
        return (await save(own, own.candidate.cookie)).status;
      }),
    );
    expect(statuses).toEqual([401, 401, 404, 404, ...Array(PEOPLE - 4).fill(200)]);
    const { rows } = await app.pool.query('select participant_id as id from answers order by 1');
    expect(rows.map(({ id }) => id)).toEqual(
      attempts
        .slice(4)
        .map(({ id }) => id)
        .sort(),
    );
  });

  it('reads all sessions in a few statements', async () => {
    const fresh = await startOtherProcess(app);
    const query = vi.spyOn(Client.prototype, 'query');
    try {
      const replies = await Promise.all(
        attempts.slice(4).map((own) =>
          call(fresh, 'heartbeat', {
            as: own.candidate.cookie,
            params: { id: own.id },
            body: { seq: 1 },
          }),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(PEOPLE - 4).fill(200));
      // The first starts at once; all that arrive during it go into the second.
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
