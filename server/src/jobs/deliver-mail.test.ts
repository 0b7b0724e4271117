import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeQuiz, signInAdmin } from '../testing/factories.ts';
import { type SmtpSink, startSmtpSink } from '../testing/smtp-sink.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { deliverMail, retryDelayMs } from './deliver-mail.ts';

describe('the mail path', () => {
  let app: TestApp;
  let admin: string;
  let quiz: string;
  let sink: SmtpSink;

  beforeAll(async () => {
    app = await startTestApp({
      SMTP_ALLOWED_HOSTS: '127.0.0.1',
      PUBLIC_URL: 'https://tests.example.org',
    });
    admin = await signInAdmin(app);
    quiz = (
      await makeQuiz(app, admin, {
        title: 'Netz & <Grundlagen>',
        duration: 45,
        endDate: '2026-05-20T16:00:00.000Z',
      })
    ).id;
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    await app.pool.query('delete from outbox');
    sink = await startSmtpSink();
    return () => sink.close();
  });

  const useSink = async () => {
    const reply = await app.call('putSmtpSettings', {
      as: admin,
      body: {
        host: '127.0.0.1',
        port: sink.port,
        username: 'u',
        password: 'p',
        fromEmail: 'exams@example.org',
      },
    });
    expect(reply.status).toBe(200);
  };
  const invite = (...emails: string[]) =>
    app.call('inviteToQuiz', { as: admin, params: { id: quiz }, body: { emails } });
  const outbox = async () => (await app.call('listOutbox', { as: admin })).body;

  it('keeps every message until there is a mail server, readable by an admin and audited', async () => {
    await app.pool.query('delete from smtp_settings');
    await invite('waiting@example.org');
    await deliverMail(app.context);
    const [row] = await outbox();
    expect(row).toMatchObject({ recipient: 'waiting@example.org', state: 'queued', attempts: 0 });
    const read = await app.call('readOutboxMessage', { as: admin, params: { id: row.id } });
    expect(read.body.text).toMatch(/One-time password: [A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}/);
    const { rows } = await app.pool.query(
      "select * from audit_entries where action = 'outbox.message_read'",
    );
    expect(rows).toMatchObject([{ subject_id: row.id }]);
    await useSink();
    const sealed = await app.call('readOutboxMessage', { as: admin, params: { id: row.id } });
    expect(sealed).toMatchObject({ status: 403, body: { code: 'MESSAGE_SEALED' } });
  });

  it('delivers text and HTML with code, address, title, duration, end and zone, and wipes the code', async () => {
    await useSink();
    await invite('a.rahman@example.org');
    await deliverMail(app.context);
    const [received] = sink.mails;
    expect(received).toMatchObject({ from: 'exams@example.org', to: ['a.rahman@example.org'] });
    const { text = '', html = '', subject } = received?.mail ?? {};
    expect(subject).toBe('Your assessment: Netz & <Grundlagen>');
    const code = text.match(/[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}/)?.[0] ?? 'no code';
    for (const part of [
      code,
      'https://tests.example.org/login',
      '45 minutes',
      'Wednesday 20 May 2026 at 18:00 (Europe/Berlin',
    ]) {
      expect(text.replace('Wednesday, ', 'Wednesday ')).toContain(part);
      expect(html.replace('Wednesday, ', 'Wednesday ')).toContain(part);
    }
    expect(html).toContain('Netz &amp; &lt;Grundlagen&gt;');
    expect(html).not.toContain('<Grundlagen>');
    const [row] = await outbox();
    expect(row).toMatchObject({ state: 'sent', attempts: 1, lastError: null });
    const { rows } = await app.pool.query('select sealed_code from outbox');
    expect(rows).toEqual([{ sealed_code: null }]);
    const signIn = await app.call('login', {
      headers: { origin: 'https://tests.example.org' },
      body: { email: 'a.rahman@example.org', password: code },
    });
    expect(signIn.status).toBe(200);
    expect(signIn.headers['set-cookie']).toMatch(/; Secure/);
  });

  it('shows a permanent refusal and does not try again', async () => {
    await useSink();
    sink.mischief.push({ at: 'rcpt', code: 550, text: 'No such mailbox' });
    await invite('nobody@example.org');
    await deliverMail(app.context);
    const [row] = await outbox();
    expect(row).toMatchObject({ state: 'failed', attempts: 1, nextAttemptAt: null });
    expect(row.lastError).toContain('No such mailbox');
  });

  it('tries again after a temporary refusal, with the same code and Message-ID', async () => {
    await useSink();
    sink.mischief.push({ at: 'data', code: 451, text: 'Try later' });
    await invite('busy@example.org');
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'queued', attempts: 1 }]);
    await deliverMail(app.context);
    expect(sink.mails).toHaveLength(0);
    app.clock.advance({ seconds: 5 });
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  it('calls a dropped line after the message uncertain, and repeats it word for word', async () => {
    await useSink();
    sink.mischief.push({ at: 'after-data', drop: true });
    await invite('dropped@example.org');
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'uncertain' }]);
    app.clock.advance({ seconds: 5 });
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'sent' }]);
    const [first, second] = sink.mails.map(({ mail }) => ({ id: mail.messageId, text: mail.text }));
    expect(second).toEqual(first);
  });

  it('gives up after 24 hours, and says what the last answer was', async () => {
    await useSink();
    await sink.close();
    await invite('never@example.org');
    await deliverMail(app.context);
    app.clock.advance({ days: 1, seconds: 1 });
    await deliverMail(app.context);
    admin = await signInAdmin(app, 'next-day@example.org');
    const [row] = await outbox();
    expect(row.state).toBe('failed');
    expect(row.lastError).toContain('Given up after 24 hours');
  });

  it('takes up a message whose sender died, as uncertain', async () => {
    await useSink();
    await invite('orphan@example.org');
    await app.pool.query(
      "update outbox set state = 'sending', next_attempt_at = null, claimed_until = $1, attempts = 1",
      [app.clock.now()],
    );
    await deliverMail(app.context);
    expect(sink.mails).toHaveLength(0);
    app.clock.advance({ seconds: 1 });
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  it('waits 5 s, 10 s … 15 min between tries', () => {
    expect([1, 2, 3, 9, 20].map(retryDelayMs)).toEqual([5_000, 10_000, 20_000, 900_000, 900_000]);
  });
});
