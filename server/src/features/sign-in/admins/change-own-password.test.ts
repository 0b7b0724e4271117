import { ADMIN, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const NEW = 'another fine password';

describe('changing your own password', () => {
  const app = setUpApp();
  let admin: string;
  let email: string;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    email = `admin${n}@example.org`;
    admin = await signInAdmin(app, email);
  });

  const change = (currentPassword: unknown, newPassword: unknown, as = admin) =>
    app.call('changeOwnPassword', { as, body: { currentPassword, newPassword } });
  const login = (password: string) => app.call('login', { body: { email, password } });

  it.each([
    ['no current one', undefined, NEW, 'currentPassword'],
    ['an empty current one', '', NEW, 'currentPassword'],
    ['no new one', ADMIN.password, undefined, 'newPassword'],
    ['a short new one', ADMIN.password, 'short', 'newPassword'],
    ['a new one that is too long', ADMIN.password, 'x'.repeat(201), 'newPassword'],
    ['a new one like a one-time code', ADMIN.password, 'abcde fghjk mnpqr', 'newPassword'],
    ['a common new one', ADMIN.password, 'qwertyuiop1234', 'newPassword'],
    ['a new one like the address', ADMIN.password, 'admin@example.org', 'newPassword'],
    ['a wrong current one', 'not my password', NEW, 'currentPassword'],
  ])('is refused for %s, at its field', async (_, current, next, path) => {
    expect(await change(current, next)).toMatchObject({
      status: 400,
      body: { issues: [{ path }] },
    });
    await app.pool.query('delete from sign_in_failures');
    expect((await login(ADMIN.password)).status).toBe(200);
  });

  it('throttles wrong current passwords like wrong sign-ins: 1, 2, 4 seconds', async () => {
    for (const seconds of [1, 2, 4]) {
      expect(await change('not my password', NEW)).toMatchObject({
        status: 400,
        body: { code: 'WRONG_PASSWORD', message: 'The current password is incorrect' },
      });
      // The right one too: an open page must not be a place to guess.
      const blocked = await change(ADMIN.password, NEW);
      expect(blocked).toMatchObject({ status: 429, body: { code: 'THROTTLED' } });
      expect(blocked.headers['retry-after']).toBe(String(seconds));
      app.clock.advance({ seconds });
    }
    expect((await change(ADMIN.password, NEW)).status).toBe(200);
  });

  it('ends the other sessions, keeps this one, and invalidates the old password', async () => {
    const other = (await login(ADMIN.password)).cookie;
    const colleague = await signInAdmin(app, `colleague${n}@example.org`);
    expect(await change(ADMIN.password, NEW)).toMatchObject({ status: 200, body: { email } });
    expect((await app.call('me', { as: other })).status).toBe(401);
    expect((await app.call('me', { as: admin })).status).toBe(200);
    expect((await app.call('me', { as: colleague })).status).toBe(200);
    expect((await login(ADMIN.password)).status).toBe(401);
    await app.pool.query('delete from sign_in_failures');
    expect((await login(NEW)).status).toBe(200);
  });

  it('is audited without the password, which is stored only as a hash', async () => {
    await change(ADMIN.password, NEW);
    const { rows } = await app.pool.query(
      `select a.email, a.password_hash, e.details from audit_entries e join admins a on a.id = e.admin_id
       where e.action = 'admin.password_changed' and a.email = $1`,
      [email],
    );
    expect(rows).toEqual([
      { email, password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,/), details: null },
    ]);
  });
});
