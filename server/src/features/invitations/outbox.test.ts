import {
  ADMIN,
  beginAttempt,
  confirmPassword,
  inviteForCodes,
  type MadeQuiz,
  mailServer,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OutboxRow, pageOutbox } from '../../db/queries/outbox.ts';
import { deliverMail } from '../../jobs/deliver-mail.ts';
import { openMessage } from './outbox.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('the outbox', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  let quiz: MadeQuiz;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin, { title: 'Networks <1>' });
  });
  beforeEach(async () => {
    // Resets to a state before any mail server; only the database's owner can do that.
    await app.pool.query(
      "delete from outbox; delete from smtp_settings; delete from audit_entries where action = 'smtp_settings.changed'",
    );
  });

  const list = (query: Record<string, string | number> = {}) =>
    app.call('listOutbox', { as: app.admin, query });
  const read = (id: string) => app.call('readOutboxMessage', { as: app.admin, params: { id } });
  const invite = (...emails: string[]) => inviteForCodes(app, app.admin, quiz.id, emails);
  const configureMail = (isActive: boolean) =>
    app.call('putSmtpSettings', {
      as: app.admin,
      body: mailServer(1, { isActive }),
    });

  it('lists messages without their content, newest first, in pages', async () => {
    const codes: string[] = [];
    for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) {
      codes.push(...(await invite(email)));
      app.clock.advance({ seconds: 1 });
    }
    const all = await list();
    expect(all.headers['x-total-count']).toBe('3');
    expect(all.body.map((m: { recipient: string }) => m.recipient)).toEqual([
      'c@example.org',
      'b@example.org',
      'a@example.org',
    ]);
    expect(all.body[0]).toEqual({
      id: expect.any(String),
      recipient: 'c@example.org',
      subject: 'Your assessment: Networks <1>',
      state: 'queued',
      attempts: 0,
      lastError: null,
      createdAt: expect.any(String),
      nextAttemptAt: expect.any(String),
      sentAt: null,
    });
    for (const code of codes) {
      expect(all.text).not.toContain(code);
      expect(all.text).not.toContain(code.replaceAll('-', ''));
    }
    const second = await list({ limit: 1, offset: 1 });
    expect(second.body).toEqual([all.body[1]]);
    expect(second.headers['x-total-count']).toBe('3');
    expect((await list({ offset: 3 })).body).toEqual([]);
  });

  it('stores codes unreadably', async () => {
    const [code = ''] = await invite('a@example.org');
    const { rows } = await app.pool.query(
      `select row_to_json(o)::text, encode(sealed_code, 'escape'), row_to_json(c)::text
       from outbox o join invitation_codes c on c.id = o.code_id`,
    );
    expect(rows).toHaveLength(1);
    for (const form of [code, code.replaceAll('-', ''), code.toLowerCase()]) {
      expect(JSON.stringify(rows)).not.toContain(form);
    }
  });

  it('shows a message while no mail server is configured, and audits each view', async () => {
    const [code = ''] = await invite('a@example.org');
    const [message] = (await list()).body;
    const views = async () =>
      (
        await app.pool.query(
          "select count(*)::int as n from audit_entries where action = 'outbox.message_read' and subject_id = $1",
          [message.id],
        )
      ).rows[0].n;
    const reply = await read(message.id);
    expect(reply).toMatchObject({
      status: 200,
      body: { id: message.id, recipient: 'a@example.org', subject: message.subject },
    });
    expect(reply.body.text).toContain(`One-time password: ${code}`);
    expect(reply.body.html).toContain(code);
    expect(reply.body.html).toContain('Networks &lt;1&gt;');
    expect(reply.body.html).not.toContain('Networks <1>');
    await read(message.id);
    expect(await views()).toBe(2);
    expect((await read(UNKNOWN)).status).toBe(404);
  });

  it('says the dates of the assessment as they are now, but to people in progress their own', async () => {
    const own = await makeQuiz(app, app.admin, { endDate: '2099-05-15T16:00:00.000Z' });
    const call = { as: app.admin, params: { id: own.id } };
    const { body: quizzes } = await app.call('listQuizzes', { as: app.admin });
    const { title, categoryId, duration, totalQuestions } = quizzes.find(
      ({ id }: { id: string }) => id === own.id,
    );
    const settings = { title, categoryId, duration, totalQuestions };
    const move = (dates: object) =>
      app.call('updateQuiz', { ...call, body: { ...settings, ...dates } });
    const textTo = async (email: string) =>
      (await read((await list({ search: email })).body[0].id)).body.text;
    const { candidate } = await beginAttempt(app, app.admin, own);
    const { body: invited } = await app.call('listInvitations', call);
    await app.call('resendInvitations', { ...call, body: { ids: [invited[0].id] } });
    const toWriter = await textTo(candidate.email);
    await inviteForCodes(app, app.admin, own.id, ['waits@example.org']);
    expect(await textTo('waits@example.org')).toContain('Complete it by:    Friday, 15 May 2099');

    await move({ opensAt: '2099-05-16T09:00:00.000Z', endDate: '2099-05-18T16:00:00.000Z' });
    const text = await textTo('waits@example.org');
    expect(text).toContain('Opens at:          Saturday, 16 May 2099 at 11:00');
    expect(text).toContain('Complete it by:    Monday, 18 May 2099 at 18:00');
    expect(text).toContain('is valid until Monday, 18 May 2099 at 18:00');
    await move({ opensAt: '2099-05-16T09:00:00.000Z', endDate: null });
    expect(await textTo('waits@example.org')).toContain(
      'is valid until Friday, 14 August 2099 at 11:00',
    );
    expect(await textTo(candidate.email)).toBe(toWriter);
  });

  it('shows no code once a mail server was configured, even when off or its row is gone', async () => {
    await invite('a@example.org');
    const [message] = (await list()).body;
    const expectSealed = async () => {
      const sealed = await read(message.id);
      expect(sealed).toMatchObject({ status: 403, body: { code: 'MESSAGE_SEALED' } });
      expect(sealed.text).not.toMatch(/One-time/);
    };
    await configureMail(true);
    await expectSealed();
    await configureMail(false);
    await expectSealed();
    await app.pool.query('delete from smtp_settings');
    await expectSealed();
  });

  it('shows a code after that only with the password, audited, with an email to the others', async () => {
    const [code = ''] = await invite('a@example.org');
    const [message] = (await list()).body;
    await configureMail(false);
    await signInAdmin(app, 'second@example.org');
    await signInAdmin(app, 'third@example.org');
    // An owner of another assessment, who may not see this one.
    const elsewhere = await signInAdmin(app, 'elsewhere@example.org');
    const { id: adminId } = (await app.call('me', { as: elsewhere })).body.user;
    const other = await makeQuiz(app, app.admin);
    await confirmPassword(app, app.admin);
    const grants = [{ role: 'owner', quizId: other.id }];
    const given = { as: app.admin, params: { id: adminId }, body: { grants } };
    expect((await app.call('setGrants', given)).status).toBe(200);
    const reveal = (currentPassword: string, id = message.id) =>
      app.call('revealOutboxMessage', { as: app.admin, params: { id }, body: { currentPassword } });
    const notified = async () =>
      (await list()).body
        .filter((row: { subject: string }) => row.subject.startsWith('An administrator'))
        .map((row: { recipient: string }) => row.recipient)
        .sort();
    const wrong = await reveal('not my password');
    expect(wrong).toMatchObject({ status: 400, body: { code: 'WRONG_PASSWORD' } });
    expect(wrong.text).not.toMatch(/One-time/);
    expect(await notified()).toEqual([]);
    app.clock.advance({ seconds: 1 });

    const reply = await reveal(ADMIN.password);
    expect(reply.body.text).toContain(`One-time password: ${code}`);
    expect(await notified()).toEqual(['second@example.org', 'third@example.org']);
    const { rows } = await app.pool.query(
      "select subject_id, details from audit_entries where action = 'outbox.message_revealed'",
    );
    expect(rows).toEqual([{ subject_id: message.id, details: null }]);
    const notice = await openMessage(
      app.context,
      (await pageOutbox(app.context.db, { limit: 1, offset: 0 })).rows[0] as OutboxRow,
    );
    expect(notice?.text).toContain(ADMIN.email);
    expect(notice?.text).not.toContain('a@example.org');
    expect(notice?.text).not.toContain(code);
    expect((await reveal(ADMIN.password, UNKNOWN)).status).toBe(404);
  });

  it('is not opened with a password from long ago', async () => {
    await invite('a@example.org');
    const [message] = (await list()).body;
    app.clock.advance({ minutes: 16 });
    expect(await read(message.id)).toMatchObject({
      status: 403,
      body: { code: 'CONFIRM_PASSWORD' },
    });
    await confirmPassword(app, app.admin);
    expect((await read(message.id)).status).toBe(200);
  });

  it('has deleted the code of a message that a newer invitation replaced', async () => {
    await invite('a@example.org');
    const [first] = (await list()).body;
    app.clock.advance({ seconds: 1 });
    await invite('a@example.org');
    expect(await read(first.id)).toMatchObject({ status: 409, body: { code: 'MESSAGE_GONE' } });
    const old = (await list()).body.find((m: { id: string }) => m.id === first.id);
    expect(old).toMatchObject({
      state: 'failed',
      lastError: 'Replaced by a newer invitation',
      isCanceled: true,
      nextAttemptAt: null,
    });
  });

  it('can be searched by recipient and subject, and filtered by state', async () => {
    await invite('a_1@example.org', 'ab1@example.org');
    app.clock.advance({ seconds: 1 });
    await invite('a_1@example.org');
    const found = async (query: Record<string, string | number>) => {
      const reply = await list(query);
      expect(reply.headers['x-total-count']).toBe(String(reply.body.length));
      return reply.body.map((m: { recipient: string; state: string }) => [m.recipient, m.state]);
    };
    expect(await found({ search: 'A_1' })).toEqual([
      ['a_1@example.org', 'queued'],
      ['a_1@example.org', 'failed'],
    ]);
    expect(await found({ search: 'networks <', state: 'failed' })).toEqual([
      ['a_1@example.org', 'failed'],
    ]);
    expect(await found({ state: 'sent' })).toEqual([]);
    expect((await list({ state: 'lost' })).status).toBe(400);
  });

  it('sends a waiting message at once instead of at its time', async () => {
    const send = (id: string) => app.call('sendOutboxMessage', { as: app.admin, params: { id } });
    await invite('a@example.org');
    const [{ id }] = (await list()).body;
    expect(await send(UNKNOWN)).toMatchObject({ status: 404 });
    expect(await send(id)).toMatchObject({ status: 409, body: { code: 'SMTP_NOT_CONFIGURED' } });
    await configureMail(false);
    expect(await send(id)).toMatchObject({ status: 409, body: { code: 'SMTP_NOT_CONFIGURED' } });
    await configureMail(true);
    await deliverMail(app.context);
    const [delayed] = (await list()).body;
    expect(delayed).toMatchObject({ state: 'queued', attempts: 1 });
    expect(Date.parse(delayed.nextAttemptAt)).toBeGreaterThan(app.clock.now().getTime());
    expect(await send(id)).toMatchObject({
      status: 200,
      body: { id, state: 'queued', nextAttemptAt: app.clock.now().toISOString() },
    });
    await deliverMail(app.context);
    expect((await list()).body).toMatchObject([{ attempts: 2 }]);
    await app.pool.query(
      "update outbox set state = 'failed', next_attempt_at = null, sealed_code = null",
    );
    expect(await send(id)).toMatchObject({ status: 409, body: { code: 'MESSAGE_NOT_WAITING' } });
  });
});
