import { setTimeout as delay } from 'node:timers/promises';
import {
  beginAttempt,
  mailServer,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { type SmtpSink, startSilentServer, startSmtpSink } from '@invigil/testkit/mail-servers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MESSAGES } from '../trust/row-kinds.ts';
import { deliverMail, retryDelayMs } from './deliver-mail.ts';

describe('mail delivery', () => {
  const app = setUpAppWithAdmin({
    SMTP_ALLOWED_HOSTS: '127.0.0.1',
    PUBLIC_URL: 'https://tests.example.org',
  });
  let quiz: string;
  let sink: SmtpSink;

  beforeAll(async () => {
    quiz = (
      await makeQuiz(app, app.admin, {
        title: 'Netz & <Grundlagen>',
        duration: 45,
        endDate: '2026-05-20T16:00:00.000Z',
      })
    ).id;
  });
  beforeEach(async () => {
    await app.pool.query('delete from outbox');
    sink = await startSmtpSink();
    return () => sink.close();
  });

  const useSink = () => usePort(sink.port);
  const usePort = async (port: number) => {
    const body = mailServer(port, { fromEmail: 'exams@example.org' });
    const reply = await app.call('putSmtpSettings', { as: app.admin, body });
    expect(reply.status).toBe(200);
  };
  const invite = (...emails: string[]) =>
    app.call('inviteToQuiz', { as: app.admin, params: { id: quiz }, body: { emails } });
  const outbox = async () => (await app.call('listOutbox', { as: app.admin })).body;

  it('queues every message until there is a mail server', async () => {
    await app.pool.query('delete from smtp_settings');
    await invite('waiting@example.org');
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([
      { recipient: 'waiting@example.org', state: 'queued', attempts: 0 },
    ]);
  });

  it('sends nothing of an invitation whose commit fails', async () => {
    await useSink();
    await app.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create constraint trigger refuse after insert on outbox
        deferrable initially deferred for each row execute function refuse()`);
    try {
      expect((await invite('never@example.org')).status).toBe(500);
    } finally {
      await app.pool.query('drop function refuse() cascade');
    }
    await deliverMail(app.context);
    expect(sink.mails).toEqual([]);
    expect(await outbox()).toEqual([]);
  });

  it('sends text and HTML with code, address, title, duration, end and time zone, and deletes the code', async () => {
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

  it('shows a permanent refusal and does not retry', async () => {
    await useSink();
    sink.faults.push({ at: 'rcpt', code: 550, text: 'No such mailbox' });
    await invite('nobody@example.org');
    await deliverMail(app.context);
    const [row] = await outbox();
    expect(row).toMatchObject({ state: 'failed', attempts: 1, nextAttemptAt: null });
    expect(row.lastError).toContain('No such mailbox');
  });

  it('retries after a temporary refusal, with the same code and Message-ID', async () => {
    await useSink();
    sink.faults.push({ at: 'data', code: 451, text: 'Try later' });
    await invite('busy@example.org');
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'queued', attempts: 1 }]);
    await deliverMail(app.context);
    expect(sink.mails).toHaveLength(0);
    app.clock.advance({ seconds: 5 });
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  it('marks a message as uncertain if the connection drops after it, and repeats it unchanged', async () => {
    await useSink();
    sink.faults.push({ at: 'after-data', drop: true });
    await invite('dropped@example.org');
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'uncertain' }]);
    app.clock.advance({ seconds: 5 });
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'sent' }]);
    const [first, second] = sink.mails.map(({ mail }) => ({ id: mail.messageId, text: mail.text }));
    expect(second).toEqual(first);
  });

  it('gives up after 24 hours, and shows the last answer', async () => {
    await useSink();
    await sink.close();
    await invite('never@example.org');
    await deliverMail(app.context);
    app.clock.advance({ days: 1, seconds: 1 });
    await deliverMail(app.context);
    app.admin = await signInAdmin(app, 'next-day@example.org');
    const [row] = await outbox();
    expect(row.state).toBe('failed');
    expect(row.lastError).toContain('Given up after 24 hours');
  });

  it('sends at once what failed with the previous settings when they are corrected', async () => {
    await useSink();
    await invite('held@example.org');
    await app.pool.query(
      "update outbox set state = 'sending', next_attempt_at = null, claimed_until = $1",
      [new Date(app.clock.now().getTime() + 60_000)],
    );
    await invite('unlucky@example.org');
    sink.faults.push({ at: 'rcpt', code: 450, text: 'Come back later' });
    await deliverMail(app.context);
    const states = async () =>
      (await outbox()).map((row: { recipient: string; state: string }) => [
        row.recipient,
        row.state,
      ]);
    expect(await states()).toEqual([
      ['unlucky@example.org', 'queued'],
      ['held@example.org', 'sending'],
    ]);
    await useSink();
    await deliverMail(app.context);
    expect(await states()).toEqual([
      ['unlucky@example.org', 'sent'],
      ['held@example.org', 'sending'],
    ]);
  });

  it('gives a message that was queued for days its 24 hours nevertheless', async () => {
    await app.pool.query('delete from smtp_settings');
    await invite('queued@example.org');
    app.clock.advance({ days: 3 });
    app.admin = await signInAdmin(app, 'days-later@example.org');
    await useSink();
    sink.faults.push({ at: 'rcpt', code: 450, text: 'Come back later' });
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'queued', attempts: 1 }]);
    app.clock.advance({ seconds: 5 });
    await deliverMail(app.context);
    expect(await outbox()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  it('drops deliveries to a silent server at shutdown, and leaves them queued', async () => {
    const silent = await startSilentServer();
    await usePort(silent.port);
    await invite(...Array.from({ length: 12 }, (_, i) => `silent${i}@example.org`));
    const stop = new AbortController();
    const delivering = deliverMail(app.context, stop.signal);
    while (silent.taken < 5) await delay(20);
    const began = performance.now();
    stop.abort();
    expect(await delivering).toBe(5);
    expect(performance.now() - began).toBeLessThan(4_000);
    expect(silent.taken).toBe(5);
    await silent.close();
    const rows = await outbox();
    expect(rows.map((r: { state: string }) => r.state)).toEqual(Array(12).fill('queued'));
    await useSink();
    await deliverMail(app.context);
    expect(sink.mails).toHaveLength(12);
  });

  it('marks a message as uncertain if its connection is closed at shutdown', {
    tags: 'long',
  }, async () => {
    await useSink();
    sink.faults.push({ at: 'after-data', drop: false });
    await invite('taken@example.org');
    const stop = new AbortController();
    const delivering = deliverMail(app.context, stop.signal);
    while (sink.mails.length === 0) await delay(20);
    stop.abort();
    await delivering;
    expect(await outbox()).toMatchObject([{ state: 'uncertain', attempts: 1 }]);
  });

  it('stores what was sent when the database is back, and sends it only once', async () => {
    await useSink();
    await app.pool.query(`
      create function be_unavailable() returns trigger language plpgsql as
        $$ begin raise exception 'shutting down' using errcode = '57P01'; end $$;
      create trigger unavailable before update on outbox for each row
        when (new.state = 'sent') execute function be_unavailable()`);
    await invite('once@example.org');
    const delivering = deliverMail(app.context);
    while (sink.mails.length === 0) await delay(20);
    await delay(700);
    await app.pool.query('drop function be_unavailable cascade');
    await delivering;
    expect(await outbox()).toMatchObject([{ state: 'sent', attempts: 1 }]);
    app.clock.advance({ minutes: 5 });
    await deliverMail(app.context);
    expect(sink.mails).toHaveLength(1);
  });

  it('is not held up by a message that cannot be rendered', async () => {
    await useSink();
    await invite('broken@example.org', 'whole@example.org');
    await app.pool.query(
      "update outbox set variables = '{}' where recipient = 'broken@example.org'",
    );
    await deliverMail(app.context);
    expect(sink.mails.map((m) => m.to)).toEqual([['whole@example.org']]);
    const { rows } = await app.pool.query('select recipient, state from outbox order by 1');
    expect(rows).toEqual([
      { recipient: 'broken@example.org', state: 'queued' },
      { recipient: 'whole@example.org', state: 'sent' },
    ]);
  });

  it('says the times that its reader has when it is sent, and keeps them under its seal', async () => {
    await useSink();
    const { id } = await makeQuiz(app, app.admin);
    const [email, params] = ['moved@example.org', { id }] as const;
    const join = (groups: string[]) => {
      const body = { people: [{ email, groups }], replacesGroups: true, dryRun: false };
      return app.call('importPeople', { as: app.admin, body });
    };
    await join(['A']);
    const window = { opensAt: null, endDate: '2026-07-01T10:00:00.000Z' };
    const rules = [{ group: 'Late', window, minutes: 7 }];
    await app.call('setSchedule', { as: app.admin, params, body: { rules, dryRun: false } });
    await app.call('inviteToQuiz', { as: app.admin, params, body: { emails: [email] } });
    await join(['Late']);
    // The end of the assessment has passed, but not that of the person.
    const ended = new Date(app.clock.now().getTime() - 60_000);
    await app.pool.query('update quizzes set end_date = $1 where id = $2', [ended, id]);
    await deliverMail(app.context);
    expect(sink.mails.map(({ mail }) => mail.text)).toEqual([
      expect.stringMatching(/Duration: +7 minutes[\s\S]*1 July 2026 at 12:00/),
    ]);
    const { rows: sent } = await app.pool.query('select id from outbox');
    const [row] = await MESSAGES.read(app.context.db, [sent[0].id]);
    expect(row?.variables).toMatchObject({ durationMinutes: 7, endDate: window.endDate });
    expect(row && MESSAGES.isWhole(app.context.keys.integrity, row)).toBe(true);
  });

  it('retries a message whose sender died, as uncertain', async () => {
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

  it('waits 5 s, 10 s … 15 min between attempts', () => {
    expect([1, 2, 3, 9, 20].map(retryDelayMs)).toEqual([5_000, 10_000, 20_000, 900_000, 900_000]);
  });

  describe('does not send a useless code', () => {
    const waiting = async (email: string, quizId = quiz) => {
      await app.pool.query('delete from smtp_settings');
      await app.call('inviteToQuiz', {
        as: app.admin,
        params: { id: quizId },
        body: { emails: [email] },
      });
    };
    const codes = async () =>
      (await app.pool.query('select sealed_code is not null as there from outbox')).rows;

    it('for a deleted assessment, with the reason in the outbox', async () => {
      const { id } = await makeQuiz(app, app.admin);
      await waiting('gone@example.org', id);
      await app.call('deleteQuiz', { as: app.admin, params: { id } });
      const failed = { state: 'failed', lastError: 'The assessment was deleted' };
      expect(await outbox()).toMatchObject([failed]);
      expect(await codes()).toEqual([{ there: false }]);
      // One that was being sent at that time and returns to the queue.
      await app.pool.query("update outbox set state = 'queued', next_attempt_at = $1", [
        app.clock.now(),
      ]);
      await useSink();
      await deliverMail(app.context);
      expect(sink.mails).toHaveLength(0);
      expect(await outbox()).toMatchObject([{ ...failed, attempts: 0 }]);
    });

    it('but does send another code to someone whose attempt still runs', async () => {
      const made = await makeQuiz(app, app.admin);
      const attempt = await beginAttempt(app, app.admin, made);
      await app.pool.query('delete from outbox; delete from smtp_settings');
      const params = { id: made.id };
      const [invitation] = (await app.call('listInvitations', { as: app.admin, params })).body;
      const body = { ids: [invitation.id] };
      await app.call('resendInvitations', { as: app.admin, params, body });
      await app.call('deleteQuiz', { as: app.admin, params });
      await useSink();
      await deliverMail(app.context);
      expect(sink.mails.map((mail) => mail.to)).toEqual([[attempt.candidate.email]]);
    });

    it('to an assessment that has ended', async () => {
      const endDate = new Date(app.clock.now().getTime() + 60_000).toISOString();
      const { id } = await makeQuiz(app, app.admin, { endDate });
      await waiting('late@example.org', id);
      app.clock.advance({ seconds: 61 });
      await useSink();
      await deliverMail(app.context);
      expect(sink.mails).toEqual([]);
      expect(await outbox()).toMatchObject([
        {
          state: 'failed',
          lastError: 'The assessment had ended. If its end date moves, send a new one',
        },
      ]);
    });

    it('that is older than 90 days and without an attempt', async () => {
      const { id } = await makeQuiz(app, app.admin);
      await waiting('late@example.org', id);
      app.clock.advance({ days: 90 });
      app.admin = await signInAdmin(app, 'ninety-days-later@example.org');
      await waiting('fresh@example.org', id);
      app.clock.advance({ seconds: 1 });
      await useSink();
      await deliverMail(app.context);
      expect(sink.mails.map((mail) => mail.to)).toEqual([['fresh@example.org']]);
      const rows = await outbox();
      expect(
        rows.find((r: { recipient: string }) => r.recipient === 'late@example.org'),
      ).toMatchObject({
        state: 'failed',
        nextAttemptAt: null,
        lastError: 'Its one-time password is no longer valid. Send a new one',
      });
    });
  });
});
