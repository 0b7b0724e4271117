import { ADMIN, mailServer, setUpApp, setUpTotp, signInAdmin } from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';
import { pageOutbox } from '../../../db/queries/outbox.ts';
import { storedSubject } from '../../../deliveries/mails.ts';
import { openMessage } from '../../invitations/outbox.ts';

const NEW = 'granite lantern otter';

const app = setUpApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
let admin: string;
let email: string;
let n = 0;
beforeEach(async () => {
  n += 1;
  email = `admin${n}@example.org`;
  admin = await signInAdmin(app, email);
});
const login = (password: string) => app.call('login', { body: { email, password } });

describe('a forgotten password', () => {
  beforeEach(async () => {
    await app.pool.query('delete from outbox; delete from sign_in_failures');
    const body = mailServer(1);
    expect((await app.call('putSmtpSettings', { as: admin, body })).status).toBe(200);
  });

  const request = (of = email, address = '192.0.2.1') =>
    app.call('requestPasswordReset', { body: { email: of }, address });
  const set = (token: string, newPassword: string = NEW) =>
    app.call('setResetPassword', { body: { token, newPassword } });
  const messages = async () =>
    (await pageOutbox(app.context.db, { limit: 100, offset: 0 })).rows.filter(
      (row) => row.recipient === email,
    );

  /** The token of the newest link, read from the message. */
  async function tokenOf(many = 1): Promise<string> {
    await expect.poll(async () => (await messages()).length).toBe(many);
    const [newest] = await messages();
    const message = newest && (await openMessage(app.context, newest));
    return /\/reset-password#(\S+)/.exec(message?.text ?? '')?.[1] ?? '';
  }

  it('is reset with the link, once, and ends every session', async () => {
    expect((await request(email.toUpperCase())).status).toBe(202);
    const token = await tokenOf();
    expect(token).toMatch(/^[\w-]{43}$/);
    for (const weak of ['short', 'qwertyuiop1234', 'ABCDE-FGHJK-23456']) {
      expect(await set(token, weak)).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'newPassword' }] },
      });
    }
    expect((await app.call('me', { as: admin })).status).toBe(200);
    const [first, second] = await Promise.all([set(token), set(token, 'other lantern otter')]);
    expect([first.status, second.status].sort()).toEqual([200, 401]);
    expect((await app.call('me', { as: admin })).status).toBe(401);
    expect((await login(ADMIN.password)).status).toBe(401);
    app.clock.advance({ seconds: 1 });
    expect((await login(first.status === 200 ? NEW : 'other lantern otter')).status).toBe(200);
    expect(await set(token)).toMatchObject({ status: 401, body: { code: 'RESET_LINK_EXPIRED' } });
    const subjects = (await messages()).map(storedSubject);
    expect(subjects).toEqual(['Your password was changed', 'Set a new password']);
    const { rows } = await app.pool.query(
      "select action, details from audit_entries where action like 'admin.%reset%' order by at, id",
    );
    expect(rows.slice(-2)).toEqual([
      { action: 'admin.reset_requested', details: null },
      { action: 'admin.password_reset', details: { by: 'mail' } },
    ]);
  });

  it('is not reset with an old, replaced or invented link', async () => {
    await request();
    const first = await tokenOf();
    app.clock.advance({ seconds: 1 });
    await request();
    const second = await tokenOf(2);
    expect((await set(first)).status).toBe(401);
    expect((await set('x'.repeat(43))).status).toBe(401);
    app.clock.advance({ minutes: 30 });
    expect((await set(second)).status).toBe(401);
    expect((await login(ADMIN.password)).status).toBe(200);
  });

  it('is not reset by who can only write to the database', async () => {
    await app.pool.query('delete from password_resets');
    await signInAdmin(app, 'colleague@example.org');
    const write = (set: string) => app.pool.query(`update ${set} where email = $1`, [email]);
    await write("admins set email = 'x-' || email");
    email = `x-${email}`;
    expect((await request()).status).toBe(202);
    await expect.poll(() => app.context.trust.brokenSeals.administrator).toBeGreaterThan(0);
    expect(await messages()).toEqual([]);
    await write('admins set email = substr(email, 3)');
    email = email.slice(2);
    await request();
    const token = await tokenOf();
    const moves = [
      "expires_at = expires_at + interval '1 day'",
      'admin_id = (select id from admins where email <> $1 limit 1)',
    ];
    for (const move of moves) {
      const { rows } = await app.pool.query('select * from password_resets');
      await app.pool.query(
        `update password_resets set ${move}`,
        move.includes('$1') ? [email] : [],
      );
      expect((await set(token)).status).toBe(401);
      await app.pool.query('update password_resets set expires_at = $1, admin_id = $2', [
        rows[0].expires_at,
        rows[0].admin_id,
      ]);
    }
    expect((await set(token)).status).toBe(200);
  });

  it('is not reset by a link sent before the password changed', async () => {
    await request();
    const token = await tokenOf();
    const body = { currentPassword: ADMIN.password, newPassword: NEW };
    expect((await app.call('changeOwnPassword', { as: admin, body })).status).toBe(200);
    expect((await set(token, 'other lantern otter')).status).toBe(401);
  });

  it('gets the same answer for every address, and writes nothing for an unknown one', async () => {
    const replies = [await request(), await request('nobody@example.org'), await request('x')];
    const seen = replies.map(({ status, text, headers }) => {
      const { date: _, ...rest } = headers;
      return JSON.stringify([status, text, rest]);
    });
    expect(new Set(seen).size).toBe(1);
    await tokenOf();
    const { rows } = await app.pool.query('select recipient from outbox');
    expect(rows).toEqual([{ recipient: email }]);
  });

  it('can be requested three times an hour per account, existing or not', async () => {
    for (const typed of [email, 'nobody@example.org']) {
      const statuses: number[] = [];
      for (let i = 0; i < 60; i += 1) {
        statuses.push((await request(typed, `10.9.0.${i}`)).status);
        app.clock.advance({ minutes: 1 });
      }
      expect(statuses.filter((status) => status === 202)).toHaveLength(2);
      expect(statuses[2]).toBe(429);
    }
    expect((await app.pool.query('select from password_resets')).rows.length).toBeLessThanOrEqual(
      n,
    );
  });

  it('cannot be read in the outbox, even with the password', async () => {
    await request();
    await tokenOf();
    const [row] = await messages();
    const params = { id: row?.id ?? '' };
    const body = { currentPassword: ADMIN.password };
    expect((await app.call('readOutboxMessage', { as: admin, params })).status).toBe(403);
    expect(await app.call('revealOutboxMessage', { as: admin, params, body })).toMatchObject({
      status: 403,
      body: { code: 'MESSAGE_SEALED' },
    });
    const kept = await app.pool.query('select * from password_resets');
    expect(JSON.stringify(kept.rows)).not.toContain(await tokenOf());
  });

  it('keeps the second step, and needs a mail server', async () => {
    await setUpTotp(app, admin);
    await request();
    expect((await set(await tokenOf())).status).toBe(200);
    expect((await login(NEW)).status).toBe(202);
    expect((await app.call('getPasswordResetWays')).body).toEqual({ byMail: true });
    await app.pool.query('update smtp_settings set is_active = false');
    expect((await app.call('getPasswordResetWays')).body).toEqual({ byMail: false });
    expect((await request()).status).toBe(409);
  });
});

describe('changing your own password', () => {
  const change = (currentPassword: unknown, newPassword: unknown, as = admin) =>
    app.call('changeOwnPassword', { as, body: { currentPassword, newPassword } });
  it.each([
    ['no current one', undefined, NEW, 'currentPassword'],
    ['no new one', ADMIN.password, undefined, 'newPassword'],
    ['a new one that is too long', ADMIN.password, 'x'.repeat(201), 'newPassword'],
    ['a new one like a one-time code', ADMIN.password, 'abcde fghjk mnpqr', 'newPassword'],
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
