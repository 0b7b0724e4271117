import { startTestApp } from '@invigil/testkit/app';
import {
  confirmPassword,
  mailServer,
  setUpAppWithAdmin,
  setUpSmtpSink,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { findSmtpSettings } from '../../db/queries/smtp-settings.ts';
import { bootstrapSmtpSettings, mailServerOf } from './smtp-settings.ts';

describe('mail settings', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1,198.18.0.25,198.18.0.26' });
  // An IP address, so that no test needs DNS.
  const good = {
    host: '198.18.0.25',
    port: 587,
    username: 'invigil',
    password: 'very secret',
    fromEmail: 'tests@example.org',
  };
  beforeEach(async () => {
    await app.pool.query('delete from smtp_settings');
  });

  const put = (change: object = {}) =>
    app.call('putSmtpSettings', { as: app.admin, body: { ...good, ...change } });
  const get = () => app.call('getSmtpSettings', { as: app.admin });
  const storedPassword = async () => {
    const row = await findSmtpSettings(app.context.db);
    return row && mailServerOf(app.context, row)?.password;
  };

  describe('are refused', () => {
    it.each(['localhost', '127.0.0.2', '::ffff:169.254.169.254'])(
      'for loopback and link-local hosts: %s',
      async (host) => {
        const reply = await put({ host });
        expect(reply).toMatchObject({
          status: 400,
          body: { code: 'FORBIDDEN_HOST', issues: [{ path: 'host' }] },
        });
        expect(reply.body.details.setting).toBe(
          `SMTP_ALLOWED_HOSTS=127.0.0.1,198.18.0.25,198.18.0.26,${host}`,
        );
        expect((await get()).body).toBeNull();
      },
    );

    it('without a password the first time', async () => {
      expect(await put({ password: undefined })).toMatchObject({
        status: 400,
        body: {
          code: 'PASSWORD_NEEDED',
          message: 'Enter a password',
          issues: [{ path: 'password', message: 'Enter a password' }],
        },
      });
    });

    it.each([
      ['host', { host: '198.18.0.26' }],
      ['port', { port: 2_525 }],
      ['user', { username: 'someone-else' }],
    ])('without the password when the %s changes', async (_, change) => {
      await put();
      expect(await put({ ...change, password: undefined })).toMatchObject({
        status: 400,
        body: {
          code: 'PASSWORD_NEEDED',
          message: 'Enter the password again: host, port or username changed',
        },
      });
      expect((await get()).body).toMatchObject({ host: good.host, port: 587, username: 'invigil' });
      expect((await put({ ...change, password: 'another' })).status).toBe(200);
      expect(await storedPassword()).toBe('another');
    });
  });

  it('are null before they are set', async () => {
    const reply = await get();
    expect([reply.status, reply.text]).toEqual([200, 'null']);
  });

  it('may name an unknown host, which delivery then reports', async () => {
    expect((await put({ host: 'mail.invalid' })).status).toBe(200);
  });

  it('never reveal the password, which is stored unreadably', async () => {
    const reply = await put();
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id: expect.any(String),
      host: good.host,
      port: 587,
      username: 'invigil',
      hasPassword: true,
      fromEmail: 'tests@example.org',
      isActive: true,
      testedAt: null,
    });
    expect((await get()).body).toEqual(reply.body);
    for (const { text } of [reply, await get()]) expect(text).not.toContain('very secret');
    const { rows } = await app.pool.query(
      "select row_to_json(s)::text as text, encode(sealed_password, 'escape') as bytes from smtp_settings s",
    );
    expect(JSON.stringify(rows)).not.toContain('very secret');
    expect(await storedPassword()).toBe('very secret');
    const audit = await app.pool.query('select * from audit_entries');
    expect(JSON.stringify(audit.rows)).not.toContain('very secret');
  });

  it('keep the password while only the rest changes', async () => {
    const first = (await put()).body;
    const second = await put({
      password: undefined,
      fromEmail: 'new@example.org',
      isActive: false,
    });
    expect(second).toMatchObject({
      status: 200,
      body: { id: first.id, fromEmail: 'new@example.org', isActive: false, hasPassword: true },
    });
    expect(await storedPassword()).toBe('very secret');
  });

  it('do not open when the sealed password was moved to another row', async () => {
    await put();
    const row = await findSmtpSettings(app.context.db);
    if (!row) throw new Error('nothing is stored');
    expect(mailServerOf(app.context, { ...row, id: 'another' })).toBeNull();
  });

  it('are one row, however many saves are concurrent', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) => put({ username: `user${i}`, password: `p${i}` })),
    );
    expect(new Set(replies.map((r) => r.status))).toEqual(new Set([200]));
    expect(new Set(replies.map((r) => r.body.id)).size).toBe(1);
    const { body } = await get();
    expect(await storedPassword()).toBe(`p${body.username.slice(-1)}`);
  });

  it('default to port 587', async () => {
    expect((await put({ port: undefined })).body.port).toBe(587);
    expect((await put({ port: '465' })).body.port).toBe(465);
  });

  it('come from SMTP_URL only where none are stored', async () => {
    const own = await startTestApp({
      SMTP_ALLOWED_HOSTS: '127.0.0.1',
      SMTP_URL: 'smtp://user:p%40ss@127.0.0.1:2525?from=boot%40example.org',
    });
    try {
      const as = await signInAdmin(own);
      await bootstrapSmtpSettings(own.context);
      expect((await own.call('getSmtpSettings', { as })).body).toMatchObject({
        host: '127.0.0.1',
        port: 2_525,
        username: 'user',
      });
      const row = await findSmtpSettings(own.context.db);
      expect(row && mailServerOf(own.context, row)?.password).toBe('p@ss');
      const warn = vi.spyOn(own.context.log, 'warn').mockImplementation(() => undefined);
      await bootstrapSmtpSettings(own.context);
      expect(warn).not.toHaveBeenCalled();
      await own.call('putSmtpSettings', {
        as,
        body: { ...good, host: '127.0.0.1', port: 2_526 },
      });
      await bootstrapSmtpSettings(own.context);
      expect((await own.call('getSmtpSettings', { as })).body.port).toBe(2_526);
      expect(warn).toHaveBeenCalledExactlyOnceWith(
        { differs: ['port', 'username', 'password', 'fromEmail'] },
        expect.stringContaining('SMTP_URL is ignored'),
      );
    } finally {
      await own.stop();
    }
  });
});

describe('the test message', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const sink = setUpSmtpSink();

  beforeEach(async () => {
    await app.pool.query('delete from smtp_settings');
    sink.mails.length = 0;
    sink.faults.length = 0;
  });

  const configure = (more: object = {}) =>
    app.call('putSmtpSettings', {
      as: app.admin,
      body: mailServer(sink.port, { password: 'very secret', ...more }),
    });
  const test = (to: unknown = 'me@example.org', settings?: object) =>
    app.call('testSmtpSettings', { as: app.admin, body: { to, settings } });
  const testedAt = async () =>
    (await app.call('getSmtpSettings', { as: app.admin })).body?.testedAt ?? null;

  it('is refused before there are settings', async () => {
    expect(await test()).toMatchObject({
      status: 409,
      body: { code: 'SMTP_NOT_CONFIGURED', message: 'No mail server is configured yet' },
    });
  });

  it.each([
    undefined,
    '',
    'nobody',
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    ['a@example.org'],
    `${'a'.repeat(250)}@example.org`,
  ])('is refused for %j', async (to) => {
    await configure();
    expect(await test(to ?? null)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'to' }] },
    });
    expect(sink.mails).toEqual([]);
  });

  it('reaches the recipient, even while the mail server is switched off', async () => {
    await configure({ isActive: false });
    expect(await test()).toMatchObject({
      status: 200,
      body: { delivered: true, stage: 'done', serverAnswer: expect.stringContaining('250') },
    });
    expect(sink.mails).toMatchObject([{ to: ['me@example.org'], from: 'tests@example.org' }]);
    const [{ mail } = { mail: undefined }] = sink.mails;
    expect(mail?.subject).toBe('Invigil test message');
    expect(mail?.text).toContain(app.context.config.publicUrl);
    expect((await app.call('listOutbox', { as: app.admin })).body).toEqual([]);
  });

  it('can come before the settings are stored, which then count as tested', async () => {
    const typed = mailServer(sink.port, { password: 'very secret' });
    const { body } = await test('me@example.org', typed);
    expect([body.delivered, sink.mails.length, await testedAt()]).toEqual([true, 1, null]);
    const at = app.clock.now().toISOString();
    app.clock.advance({ seconds: 5 });
    const forOthers = [{ proof: undefined }, { proof: 'x' }, { fromEmail: 'other@example.org' }];
    for (const change of forOthers) {
      await configure({ proof: body.proof, ...change });
      expect(await testedAt(), JSON.stringify(change)).toBeNull();
    }
    await configure({ proof: body.proof });
    expect(await testedAt()).toBe(at);
  });

  it('is taken without a sign-in by a server that needs none', async () => {
    sink.faults.push({ at: 'auth', code: 535, text: 'No sign-in here' });
    const { password: _, ...open } = mailServer(sink.port, { username: null });
    const put = await app.call('putSmtpSettings', { as: app.admin, body: open });
    expect(put.body).toMatchObject({ username: '', hasPassword: false });
    expect((await test()).body).toMatchObject({ delivered: true });
    // An empty name is still a missing one, and a stored password goes with its account.
    expect((await configure({ username: '' })).body.message).toBe('Enter a username');
    const named = { ...open, username: 'mailer' };
    expect((await app.call('putSmtpSettings', { as: app.admin, body: named })).body.code).toBe(
      'PASSWORD_NEEDED',
    );
  });

  it('marks the stored settings as tested until one of them changes', async () => {
    await configure();
    await test();
    const at = app.clock.now().toISOString();
    expect(await testedAt()).toBe(at);
    app.clock.advance({ seconds: 5 });
    sink.faults.push({ at: 'rcpt', code: 550, text: 'No such person' });
    await test();
    await configure({ password: undefined, isActive: false });
    expect(await testedAt()).toBe(at);
    await configure({ fromEmail: 'other@example.org' });
    expect(await testedAt()).toBeNull();
  });

  it.each([
    ['PASSWORD_NEEDED', { password: undefined, username: 'another' }],
    ['FORBIDDEN_HOST', { host: '127.0.0.2' }],
    ['CONFIRM_PASSWORD', { host: '198.18.0.25', port: 587 }],
  ])('needs with other settings what storing them needs: %s', async (code, change) => {
    await configure();
    app.clock.advance({ minutes: 16 });
    const settings = { ...mailServer(sink.port, { password: 'p' }), ...change };
    expect((await test('me@example.org', settings)).body.code).toBe(code);
    expect(sink.mails).toEqual([]);
    await confirmPassword(app, app.admin);
  });

  it('reports the stage that failed, with the server’s text', async () => {
    await configure();
    sink.faults.push({ at: 'rcpt', code: 550, text: 'No such person' });
    expect((await test()).body).toMatchObject({
      delivered: false,
      stage: 'recipient',
      serverAnswer: expect.stringContaining('No such person'),
    });
    sink.faults.push({ at: 'data', code: 554, text: 'Looks like spam' });
    expect((await test()).body).toMatchObject({ delivered: false, stage: 'message' });
  });

  it('is audited with its stage, without revealing the password', async () => {
    await configure();
    const reply = await test();
    expect(reply.text).not.toContain('very secret');
    const { rows } = await app.pool.query(
      "select details from audit_entries where action = 'smtp_settings.tested' order by id desc limit 1",
    );
    expect(rows).toEqual([{ details: { stage: 'done' } }]);
  });
});
