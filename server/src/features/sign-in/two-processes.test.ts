import { call } from '@invigil/testkit/app';
import {
  ADMIN,
  type BegunAttempt,
  beginAttempt,
  setUpAppWithAdmin,
  setUpOtherProcess,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

describe('a session ended in one process', () => {
  const app = setUpAppWithAdmin();
  const other = setUpOtherProcess(app);
  let attempt: BegunAttempt;

  beforeEach(async () => {
    attempt = await beginAttempt(app, app.admin);
  });

  const there = {
    me: (as: string | undefined) => call(other, 'me', { as: as ?? '' }),
    heartbeat: () =>
      call(other, 'heartbeat', {
        as: attempt.candidate.cookie,
        params: { id: attempt.id },
        body: { seq: 1 },
      }),
    save: (revision: number) => {
      const { id: questionId = '', options = [] } = attempt.quiz.questions[0] ?? {};
      return call(other, 'saveAnswers', {
        as: attempt.candidate.cookie,
        params: { id: attempt.id },
        body: {
          answers: [{ questionId, selectedOption: options[0] ?? '', isFlagged: false, revision }],
        },
      });
    },
  };
  const signInAgain = async () =>
    (await app.call('login', { body: { email: ADMIN.email, password: ADMIN.password } })).cookie;

  it('by a sign-out is refused in the other, even with the token cached', async () => {
    expect([(await there.save(1)).status, (await there.heartbeat()).status]).toEqual([200, 200]);
    await app.call('logout', { as: attempt.candidate.cookie });
    expect([(await there.save(2)).status, (await there.heartbeat()).status]).toEqual([401, 401]);
    expect((await there.me(attempt.candidate.cookie)).status).toBe(401);
    const stored = await app.pool.query('select revision from answers where participant_id = $1', [
      attempt.id,
    ]);
    expect(stored.rows.map((row) => Number(row.revision))).toEqual([1]);
  });

  it('by a takeover is refused in the other', async () => {
    expect((await there.save(1)).status).toBe(200);
    await attempt.signIn();
    const taken = attempt.candidate.cookie;
    expect((await there.me(taken)).status).toBe(200);
  });

  it('of an administrator by sign-out, password change or deletion is refused in the other', async () => {
    const [out, gone] = [await signInAgain(), await signInAgain()];
    expect([(await there.me(out)).status, (await there.me(gone)).status]).toEqual([200, 200]);
    await app.call('logout', { as: out });
    expect((await there.me(out)).status).toBe(401);
    // Replayed at the process that ended it, and long after.
    expect((await app.call('me', { as: out })).status).toBe(401);
    const body = { currentPassword: ADMIN.password, newPassword: ADMIN.password };
    expect((await app.call('changeOwnPassword', { as: app.admin, body })).status).toBe(200);
    expect((await there.me(gone)).status).toBe(401);

    const deleted = await signInAdmin(app, 'deleted@example.org');
    const { id } = (await there.me(deleted)).body.user;
    await app.call('deleteAdmin', { as: app.admin, params: { id } });
    expect((await there.me(deleted)).status).toBe(401);
    const write = { as: deleted, body: { name: 'Never' } };
    expect((await call(other, 'createCategory', write)).status).toBe(401);
  });
});
