import { startTestApp } from '@invigil/testkit/app';
import {
  ADMIN,
  inviteCandidate,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureFirstAdmin } from './admins.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';
const PASSWORD = 'a long enough password';

describe('administrators', () => {
  const app = setUpAppWithAdmin();
  let ownId: string;

  beforeAll(async () => {
    ownId = (await app.call('me', { as: app.admin })).body.user.id;
  });
  afterEach(async () => {
    await app.pool.query('delete from admins where id <> $1', [ownId]);
    await app.pool.query('delete from sign_in_failures');
  });

  const add = (body: unknown, as = app.admin) => app.call('createAdmin', { as, body });
  const remove = (id: string, as = app.admin) => app.call('deleteAdmin', { as, params: { id } });
  const list = async () => (await app.call('listAdmins', { as: app.admin })).body;
  const login = (email: string, password: string) =>
    app.call('login', { body: { email, password } });

  it('are not created at the first start with a common password, which is reported', async () => {
    const own = await startTestApp({ ADMIN_EMAIL: 'a@b.org', ADMIN_PASSWORD: 'qwertyuiop1234' });
    try {
      await expect(ensureFirstAdmin(own.context)).rejects.toThrow(
        'ADMIN_PASSWORD is a common or leaked password',
      );
      expect((await own.pool.query('select from admins')).rows).toEqual([]);
    } finally {
      await own.stop();
    }
  });

  describe('are not added', () => {
    it.each([
      ['without an address', { password: PASSWORD }, 'email'],
      ['with an invalid address', { email: 'nobody', password: PASSWORD }, 'email'],
      ['with a list', { email: ['a@example.org'], password: PASSWORD }, 'email'],
      [
        'with an address longer than mail allows',
        { email: `${'a'.repeat(250)}@example.org`, password: PASSWORD },
        'email',
      ],
      ['without a password', { email: 'a@example.org' }, 'password'],
      ['with a short one', { email: 'a@example.org', password: 'elevenchars' }, 'password'],
      ['with a very long one', { email: 'a@example.org', password: 'x'.repeat(201) }, 'password'],
      ['with a number', { email: 'a@example.org', password: 123_456_789_012 }, 'password'],
      [
        'with one shaped like a code',
        { email: 'a@example.org', password: 'ABCDE-fghjk 23456' },
        'password',
      ],
      ['with a common one', { email: 'a@example.org', password: 'Password1234!' }, 'password'],
      [
        'with one derived from the address',
        { email: 'maria.keller@example.org', password: 'keller.maria1' },
        'password',
      ],
    ])('%s', async (_, body, path) => {
      expect(await add(body)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
      expect(await list()).toHaveLength(1);
    });

    it('with the specified message for a password like a one-time code', async () => {
      expect(await add({ email: 'a@example.org', password: 'ABCDE-FGHJK-23456' })).toMatchObject({
        body: {
          code: 'LOOKS_LIKE_CODE',
          message: 'This looks like a one-time password. Use a different one.',
        },
      });
    });

    it('twice with one address, in any case and however many requests arrive at once', async () => {
      expect((await add({ email: 'Twin@example.org', password: PASSWORD })).status).toBe(201);
      for (const email of ['twin@example.org', ' TWIN@EXAMPLE.ORG ']) {
        expect(await add({ email, password: PASSWORD })).toMatchObject({
          status: 409,
          body: { code: 'ADMIN_EXISTS', issues: [{ path: 'email' }] },
        });
      }
      const replies = await Promise.all(
        ['x', 'X', 'x'].map((name) => add({ email: `${name}@example.org`, password: PASSWORD })),
      );
      expect(replies.map((r) => r.status).sort()).toEqual([201, 409, 409]);
    });
  });

  it('are added, can sign in, and are listed oldest first with their last sign-in', async () => {
    app.clock.advance({ seconds: 1 });
    const reply = await add({ email: ' New.Admin@example.org ', password: PASSWORD });
    const createdAt = app.clock.now().toISOString();
    expect(reply).toMatchObject({ status: 201 });
    expect(reply.body).toEqual({
      id: expect.any(String),
      email: 'New.Admin@example.org',
      name: '',
      grants: [{ role: 'owner' }],
      createdAt,
      lastSignInAt: null,
      hasTotp: false,
    });
    app.clock.advance({ seconds: 5 });
    expect(await login('new.admin@example.org', PASSWORD)).toMatchObject({
      status: 200,
      body: { role: 'admin' },
    });
    const listed = await app.call('listAdmins', { as: app.admin });
    expect(listed.body).toEqual([
      expect.objectContaining({ id: ownId, email: ADMIN.email }),
      { ...reply.body, lastSignInAt: app.clock.now().toISOString() },
    ]);
    expect(listed.text).not.toMatch(/password|argon2/i);
  });

  it('are not deleted when it is oneself, the last one, or an unknown one', async () => {
    expect(await remove(ownId)).toMatchObject({
      status: 409,
      body: { code: 'OWN_ACCOUNT', message: 'You cannot delete your own account' },
    });
    expect((await remove(UNKNOWN)).status).toBe(404);
    expect((await remove('x')).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  it('are deleted with their sessions at once, and what they created remains', async () => {
    const { body } = await add({ email: 'gone@example.org', password: PASSWORD });
    const theirs = (await login('gone@example.org', PASSWORD)).cookie ?? '';
    const quiz = await makeQuiz(app, theirs);
    const candidate = await inviteCandidate(app, theirs, quiz.id, 'invited@example.org');
    expect((await remove(body.id)).status).toBe(204);
    expect((await app.call('listQuizzes', { as: theirs })).status).toBe(401);
    expect((await app.call('me', { as: theirs })).status).toBe(401);
    expect((await login('gone@example.org', PASSWORD)).status).toBe(401);
    expect((await remove(body.id)).status).toBe(404);
    const { rows } = await app.pool.query(
      'select action, admin_id, details from audit_entries where subject_id = $1 order by id',
      [body.id],
    );
    expect(rows).toEqual([
      { action: 'admin.added', admin_id: ownId, details: null },
      { action: 'admin.deleted', admin_id: ownId, details: null },
    ]);
    const quizzes = (await app.call('listQuizzes', { as: app.admin })).body;
    expect(quizzes.map((q: { id: string }) => q.id)).toContain(quiz.id);
    expect((await app.call('startParticipant', { as: candidate.cookie, body: {} })).status).toBe(
      201,
    );
  });

  it('that delete each other concurrently leave one', async () => {
    const { body } = await add({ email: 'other@example.org', password: PASSWORD });
    const theirs = (await login('other@example.org', PASSWORD)).cookie ?? '';
    const replies = await Promise.all([remove(body.id), remove(ownId, theirs)]);
    const statuses = replies.map((r) => r.status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    const { rows } = await app.pool.query('select id from admins');
    expect(rows).toHaveLength(1);
    if (rows[0].id !== ownId) {
      // Restores the administrator that the other tests use.
      await app.pool.query('delete from admins');
      app.admin = await signInAdmin(app);
      ownId = (await app.call('me', { as: app.admin })).body.user.id;
    }
  });

  it('who are deleted while their own request waits delete no one', async () => {
    const [second, third] = [
      (await add({ email: 'second@example.org', password: PASSWORD })).body,
      (await add({ email: 'third@example.org', password: PASSWORD })).body,
    ];
    const theirs = (await login('second@example.org', PASSWORD)).cookie ?? '';
    // The table is locked while both requests arrive; the deletion of the second is ahead.
    const held = await HeldWindow.open(
      app.pool,
      'lock table admins in share row exclusive mode',
      [],
    );
    const first = remove(second.id);
    await held.untilStuck(app.pool, 1);
    const late = remove(third.id, theirs);
    await held.untilStuck(app.pool, 2);
    await held.release();
    expect((await first).status).toBe(204);
    expect(await late).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
    expect((await list()).map((a: { id: string }) => a.id)).toContain(third.id);
  });
});
