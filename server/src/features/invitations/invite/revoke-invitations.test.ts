import {
  beginAttempt,
  confirmPassword,
  inviteForCodes,
  type MadeQuiz,
  mailServer,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
  setUpSmtpSink,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliverMail } from '../../../jobs/deliver-mail.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('revoking an invitation', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const sink = setUpSmtpSink();
  let quiz: MadeQuiz;

  beforeEach(async () => {
    quiz = await makeQuiz(app, app.admin);
    await app.pool.query('delete from sign_in_failures');
    await app.pool.query('delete from outbox');
    await app.pool.query('delete from smtp_settings');
    sink.mails.length = 0;
  });

  const revoke = (ids: unknown, id = quiz.id) =>
    app.call('revokeInvitations', { as: app.admin, params: { id }, body: { ids } });
  const list = async () =>
    (await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } })).body;
  const idOf = async (email: string): Promise<string> =>
    (await list()).find((row: { email: string }) => row.email === email).id;
  const login = (email: string, password: string) =>
    app.call('login', { body: { email, password } });
  const configureMail = async () => {
    await confirmPassword(app, app.admin);
    return app.call('putSmtpSettings', {
      as: app.admin,
      body: mailServer(sink.port),
    });
  };

  it('is refused without ids, and as a whole with one that is another assessment’s', async () => {
    const [code = ''] = await inviteForCodes(app, app.admin, quiz.id, ['kept@example.org']);
    const own = await idOf('kept@example.org');
    for (const ids of [[], undefined, ['x'], [7]]) expect((await revoke(ids)).status).toBe(400);
    expect((await revoke([own, UNKNOWN])).status).toBe(404);
    expect((await revoke([own], UNKNOWN)).status).toBe(404);
    const other = await makeQuiz(app, app.admin);
    expect((await revoke([own], other.id)).status).toBe(404);
    expect((await login('kept@example.org', code)).status).toBe(200);
  });

  it('invalidates its code at once, and counts each once', async () => {
    const emails = ['a@example.org', 'b@example.org', 'c@example.org'];
    const codes = await inviteForCodes(app, app.admin, quiz.id, emails);
    const ids = [await idOf('a@example.org'), await idOf('b@example.org')];
    expect((await revoke([...ids, ...ids])).body).toEqual({ revoked: 2 });
    const audited = "select details from audit_entries where action = 'invitations.revoked'";
    expect((await app.pool.query(audited)).rows.at(-1)).toEqual({ details: { count: 2 } });
    expect((await revoke(ids)).body).toEqual({ revoked: 0 });
    const statuses = await Promise.all(emails.map((email, i) => login(email, codes[i] ?? '')));
    expect(statuses.map((r) => r.status)).toEqual([401, 401, 200]);
    const revokedAt = Object.fromEntries(
      (await list()).map((row: { email: string; revokedAt: string }) => [row.email, row.revokedAt]),
    );
    const now = app.clock.now().toISOString();
    expect(revokedAt).toEqual({
      'a@example.org': now,
      'b@example.org': now,
      'c@example.org': null,
    });
  });

  it('lets an attempt in progress continue to its end in its session', async () => {
    const attempt = await beginAttempt(app, app.admin, quiz);
    expect((await revoke([await idOf(attempt.candidate.email)])).status).toBe(200);
    expect((await login(attempt.candidate.email, attempt.candidate.code)).status).toBe(401);
    expect((await attempt.save(0, 1, 1)).status).toBe(200);
    expect((await attempt.heartbeat()).body.status).toBe('in_progress');
    await passTime(app, { minutes: 20 });
    expect((await attempt.submit()).body.summary).toMatchObject({ answeredCount: 1 });
  });

  it('racing a start has one order, and both replies reflect it', async () => {
    const email = 'race@example.org';
    const [code = ''] = await inviteForCodes(app, app.admin, quiz.id, [email]);
    const { cookie } = await login(email, code);
    const id = await idOf(email);
    const [revoked, started] = await Promise.all([
      revoke([id]),
      app.call('startParticipant', { as: cookie, body: {} }),
    ]);
    expect(revoked.body).toEqual({ revoked: 1 });
    expect([201, 401]).toContain(started.status);
    const status = started.status === 201 ? 'in_progress' : 'not_started';
    expect((await list())[0]).toMatchObject({ status });
  });

  it('cancels waiting messages and deletes their codes', async () => {
    await inviteForCodes(app, app.admin, quiz.id, ['queued@example.org']);
    await revoke([await idOf('queued@example.org')]);
    await configureMail();
    app.clock.advance({ minutes: 10 });
    await deliverMail(app.context);
    expect(sink.mails).toEqual([]);
    expect((await list())[0].mail).toMatchObject({
      state: 'failed',
      lastError: 'The invitation was revoked',
      sentAt: null,
    });
    const { rows } = await app.pool.query('select sealed_code from outbox');
    expect(rows).toEqual([{ sealed_code: null }]);
  });

  it('does not retry a message that was being sent', async () => {
    await inviteForCodes(app, app.admin, quiz.id, ['onitsway@example.org']);
    // The state that a sender leaves when it is sending, and then fails.
    const dueAt = app.clock.now();
    await app.pool.query(
      "update outbox set state = 'sending', next_attempt_at = null, claimed_until = $1",
      [dueAt],
    );
    await revoke([await idOf('onitsway@example.org')]);
    await app.pool.query(
      "update outbox set state = 'queued', next_attempt_at = $1, claimed_until = null",
      [dueAt],
    );
    await configureMail();
    await deliverMail(app.context);
    expect(sink.mails).toEqual([]);
    expect((await list())[0].mail).toMatchObject({
      state: 'failed',
      lastError: 'Its one-time password was replaced or revoked',
      isCanceled: true,
    });
  });
});
