import { mailServer, makeQuiz, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { type SmtpSink, startSmtpSink } from '@invigil/testkit/mail-servers';
import { beforeEach, describe, expect, it } from 'vitest';
import { countMail } from '../metrics/shared-queries.ts';
import { deliverMail } from './deliver-mail.ts';

const DAILY = { code: 550, text: '5.4.5 Daily user sending limit exceeded' };
const RATE = { code: 450, text: '4.7.1 Error: too many messages, slow down' };
const WINDOW_MS = 60_000;

describe('a limit or fault of the own account', () => {
  const app = setUpApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  let admin: string;
  let quiz: string;
  let sink: SmtpSink;
  beforeEach(async (context) => {
    await app.pool.query('delete from outbox');
    admin = await signInAdmin(app, `${context.task.id}@example.org`);
    quiz = (await makeQuiz(app, admin, { title: 'Networks' })).id;
    sink = await startSmtpSink();
    await useSink();
    return () => sink.close();
  });

  const useSink = () => app.call('putSmtpSettings', { as: admin, body: mailServer(sink.port) });
  const invite = (count: number, name = 'c') =>
    app.call('inviteToQuiz', {
      as: admin,
      params: { id: quiz },
      body: { emails: Array.from({ length: count }, (_, i) => `${name}${i}@example.net`) },
    });
  const problems = async () => (await app.call('getMailProblems', { as: admin })).body;
  const states = async () =>
    Object.fromEntries(
      (
        await app.pool.query<{ state: string; n: number }>(
          'select state, count(*)::int as n from outbox group by state',
        )
      ).rows.map(({ state, n }) => [state, n]),
    );
  /** Runs the job as often as it runs, until a moment. */
  const play = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 2_000) {
      app.clock.advance({ ms: 2_000 });
      await deliverMail(app.context);
    }
  };

  it('pauses the queue, fails nothing, and sends the same codes when it is lifted', async () => {
    sink.limit = () => DAILY;
    await invite(40);
    const codes = () => app.pool.query('select code_id from outbox order by recipient');
    const before = (await codes()).rows;
    expect(await deliverMail(app.context)).toBe(5);
    expect(await deliverMail(app.context)).toBe(0);
    expect(await states()).toEqual({ queued: 40 });
    expect(await problems()).toMatchObject({
      quizzes: [],
      delayed: 0,
      paused: {
        waiting: 40,
        reason:
          'Your mail provider takes no more messages from this account today: 550 5.4.5 Daily user sending limit exceeded',
        advice: expect.stringContaining('continues by itself'),
      },
    });
    // The provider needs two days: beyond the 24 hours that a message has for its recipient.
    let tries = 0;
    for (let hour = 0; hour < 48; hour += 4) {
      app.clock.advance({ minutes: 240 });
      tries += await deliverMail(app.context);
    }
    expect(tries).toBe(12);
    const { retryingSeconds } = await countMail(app.context.db, app.clock.now());
    expect(retryingSeconds).toBe(48 * 3_600);
    expect(await states()).toEqual({ queued: 40 });
    sink.limit = undefined;
    app.clock.advance({ minutes: 66 });
    await deliverMail(app.context);
    expect(await states()).toEqual({ sent: 40 });
    expect((await codes()).rows).toEqual(before);
    admin = await signInAdmin(app, 'days-later@example.org');
    expect((await problems()).paused).toBeUndefined();
  });

  it('does not let a message that alone meets a fault hold up those that come after it', async () => {
    const denied = { code: 554, text: '5.7.1 Relay access denied' };
    sink.limit = (to) => (to.startsWith('odd') ? denied : undefined);
    await invite(1, 'odd');
    for (let tries = 0; tries < 10; tries += 1) {
      await deliverMail(app.context);
      app.clock.advance({ minutes: 70 });
    }
    await deliverMail(app.context);
    admin = await signInAdmin(app, 'ten-hours-later@example.org');
    app.clock.advance({ ms: 1_000 });
    await invite(3, 'fine');
    await deliverMail(app.context);
    expect(await states()).toEqual({ queued: 1, sent: 3 });
  });

  it('does not let a link to set a password do so either, which slows others down for half an hour only', async () => {
    const denied = { code: 554, text: '5.7.1 Relay access denied' };
    sink.limit = (to) => (to.startsWith('odd') ? denied : undefined);
    await signInAdmin(app, 'odd@example.org');
    await app.call('requestPasswordReset', { body: { email: 'odd@example.org' } });
    await expect.poll(states).toEqual({ queued: 1 });
    await deliverMail(app.context);
    app.clock.advance({ ms: 1_000 });
    await invite(3, 'fine');
    await deliverMail(app.context);
    expect(await states()).toEqual({ queued: 1, sent: 3 });
    // The link goes first in its first half hour once the account is free, and pauses it again.
    app.clock.advance({ ms: 1_000 });
    await invite(40, 'more');
    app.clock.advance({ ms: 1_000 });
    await deliverMail(app.context);
    expect(await states()).toEqual({ queued: 36, sent: 8 });
    app.clock.advance({ minutes: 31 });
    await deliverMail(app.context);
    expect(await states()).toEqual({ queued: 1, sent: 43 });
  });

  it.each([
    ['the sign-in', { at: 'auth', code: 535, text: '5.7.8 Username and Password not accepted' }],
    ['the sender', { at: 'mail', code: 553, text: '5.7.1 Sender address rejected' }],
  ] as const)('is told once for %s, and corrected settings send at once', async (_, fault) => {
    await invite(3);
    sink.faults.push(fault, fault, fault);
    await deliverMail(app.context);
    expect(await states()).toEqual({ queued: 3 });
    const { paused } = await problems();
    expect(paused.reason).toContain(String(fault.code));
    expect(paused.reason).toMatch(/^Your mail provider/);
    await useSink();
    expect((await problems()).paused).toBeUndefined();
    await deliverMail(app.context);
    expect(await states()).toEqual({ sent: 3 });
  });

  it.each([
    [
      'a refused sign-in',
      { at: 'auth', code: 535, text: '5.7.8 Username and Password not accepted' },
    ],
    [
      'a blocked account',
      { at: 'mail', code: 550, text: '5.1.8 Access denied, bad outbound sender' },
    ],
  ] as const)('tries %s by its pauses only, whatever arrives meanwhile', async (_, fault) => {
    await invite(1);
    sink.faults.push(...Array.from({ length: 100 }, () => fault));
    const left = sink.faults.length;
    await deliverMail(app.context);
    for (let i = 0; i < 10; i += 1) {
      await invite(1, `new-${i}-`);
      app.clock.advance({ ms: 30_000 });
      await deliverMail(app.context);
    }
    // Five minutes: at once, and after one and three minutes.
    expect(left - sink.faults.length).toBeLessThanOrEqual(3);
    expect((await problems()).paused.reason).toContain(String(fault.code));
    sink.faults.length = 0;
    app.clock.advance({ minutes: 5 });
    await deliverMail(app.context);
    expect(await states()).toEqual({ sent: 11 });
  });

  it('ends when a test message is taken', async () => {
    sink.limit = () => DAILY;
    await invite(1);
    await deliverMail(app.context);
    sink.limit = undefined;
    const test = await app.call('testSmtpSettings', { as: admin, body: { to: 'me@example.org' } });
    expect(test.body).toMatchObject({ delivered: true });
    await deliverMail(app.context);
    expect(await states()).toEqual({ sent: 1 });
  });

  it('is tried at once when an administrator asks for it', async () => {
    sink.limit = () => DAILY;
    await invite(1);
    await deliverMail(app.context);
    sink.limit = undefined;
    await deliverMail(app.context);
    expect(await states()).toEqual({ queued: 1 });
    const [{ id }] = (await app.call('listOutbox', { as: admin })).body;
    await app.call('sendOutboxMessage', { as: admin, params: { id } });
    await deliverMail(app.context);
    expect(await states()).toEqual({ sent: 1 });
  });

  it('does not use up the time that a recipient has', async () => {
    await invite(1, 'busy');
    sink.faults.push({ at: 'rcpt', code: 450, text: 'Come back later' });
    await deliverMail(app.context);
    sink.limit = () => DAILY;
    await invite(1, 'other');
    await deliverMail(app.context);
    app.clock.advance({ days: 2 });
    sink.limit = undefined;
    sink.faults.push({ at: 'rcpt', code: 450, text: 'Come back later', to: 'busy0@example.net' });
    await deliverMail(app.context);
    expect(await states()).toEqual({ queued: 1, sent: 1 });
    app.clock.advance({ seconds: 10 });
    await deliverMail(app.context);
    expect(await states()).toEqual({ sent: 2 });
  });

  it('does not keep a link to set a password behind the invitations', async () => {
    sink.limit = () => RATE;
    await invite(30);
    await deliverMail(app.context);
    await app.pool.query(
      "update outbox set kind = 'password_reset', next_attempt_at = $1 where recipient = 'c29@example.net'",
      [app.clock.now()],
    );
    sink.limit = undefined;
    await play(6_000);
    // Made up here, it cannot be rendered: what counts is that it was tried before most others.
    const { rows } = await app.pool.query(
      "select attempts from outbox where recipient = 'c29@example.net'",
    );
    expect(rows).toEqual([{ attempts: 1 }]);
    expect((await states()).sent ?? 0).toBeLessThan(10);
  });

  /** 30 in any minute, as the service's clock has it. */
  const limitTo = (most: number) => {
    const taken: number[] = [];
    sink.limit = () => {
      const now = app.clock.now().getTime();
      if (taken.filter((t) => t > now - WINDOW_MS).length >= most) return RATE;
      taken.push(now);
      return undefined;
    };
    return taken;
  };

  /** How many messages the limit has refused since. */
  const countRefused = () => {
    let refused = 0;
    const { limit } = sink;
    sink.limit = () => {
      const answer = limit?.('');
      if (answer) refused += 1;
      return answer;
    };
    return () => refused;
  };

  it('is shared by all processes', async () => {
    const taken = limitTo(30);
    await invite(120);
    await deliverMail(app.context);
    const refused = countRefused();
    for (let passed = 0; passed < 90_000; passed += 2_000) {
      app.clock.advance({ ms: 2_000 });
      await Promise.all([1, 2, 3].map(() => deliverMail(app.context)));
    }
    expect(taken.length).toBeGreaterThan(30);
    // The probes of the pause; without a shared pace the three would be refused all the time.
    expect(refused()).toBeLessThanOrEqual(8);
  });
});
