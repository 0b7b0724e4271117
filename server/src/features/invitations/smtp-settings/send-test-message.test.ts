import { mailServer, setUpAppWithAdmin, setUpSmtpSink } from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

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
  const test = (to: unknown = 'me@example.org', as = app.admin) =>
    app.call('testSmtpSettings', { as, body: { to } });

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
