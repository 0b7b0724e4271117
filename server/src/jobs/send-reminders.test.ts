import {
  inviteCandidate,
  mailServer,
  makeQuiz,
  setUpApp,
  setUpOtherProcess,
  signInAdmin,
} from '@invigil/testkit/factories';
import { type SmtpSink, startSmtpSink } from '@invigil/testkit/mail-servers';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderMail } from '../deliveries/mails/mail.ts';
import { reminder } from '../deliveries/mails/reminder.ts';
import { MESSAGES } from '../trust/row-kinds.ts';
import { deliverMail } from './deliver-mail.ts';
import { sendReminders } from './send-reminders.ts';

const HOUR_MS = 3_600_000;

describe('reminders by rule', () => {
  const app = setUpApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const other = setUpOtherProcess(app);
  let n = 0;
  let admin: string;
  let sink: SmtpSink;

  beforeEach(async () => {
    sink = await startSmtpSink();
    await signIn();
    const body = mailServer(sink.port, { fromEmail: 'exams@example.org' });
    await must('putSmtpSettings', { body });
    await app.pool.query('delete from outbox');
    return () => sink.close();
  });

  // A session of an administrator ends after half an hour without a call.
  const signIn = async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
  };
  const must = async (...[name, input]: Parameters<typeof app.call>) => {
    const reply = await app.call(name, { as: admin, ...input });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const inHours = (hours: number) =>
    new Date(app.clock.now().getTime() + hours * HOUR_MS).toISOString();
  const pass = async (hours: number) => {
    app.clock.advance({ minutes: hours * 60 });
    await signIn();
  };
  const setReminders = async (
    id: string,
    reminders: { beforeOpening: number | null; beforeEnd: number | null } | null,
    more: object = {},
  ) => {
    const params = { id };
    const quiz = await must('getQuiz', { params });
    return must('updateQuiz', { params, body: { ...quiz, reminders, ...more } });
  };
  const invite = (id: string, ...emails: string[]) =>
    must('inviteToQuiz', { params: { id }, body: { emails } });
  const timesOf = async (id: string, email: string, window: object) => {
    const rows = await must('listInvitations', { params: { id } });
    const found = rows.find((row: { email: string }) => row.email === email);
    const body = { ownTimes: { window }, reason: 'r' };
    await must('updateInvitation', { params: { id: found.id }, body });
    return found.id as string;
  };
  /** Who is reminded of what by a run of the job. */
  const run = async () => {
    const { rows: before } = await app.pool.query("select id from outbox where kind = 'reminder'");
    await sendReminders(app.context, app.clock.now());
    const { rows } = await app.pool.query(
      `select recipient, variables ->> 'before' as before from outbox
       where kind = 'reminder' and id <> all ($1) order by recipient`,
      [before.map(({ id }) => id)],
    );
    return rows.map(({ recipient, before: of }) => `${recipient} ${of}`);
  };

  it('are off, and come once each by the times of each person', async () => {
    const quiz = await makeQuiz(app, admin, { opensAt: inHours(48), endDate: inHours(96) });
    expect(await must('getQuiz', { params: { id: quiz.id } })).not.toHaveProperty('reminders');
    await setReminders(quiz.id, { beforeOpening: 24, beforeEnd: 12 });
    await invite(quiz.id, 'a@example.org', 'late@example.org');
    await timesOf(quiz.id, 'late@example.org', { opensAt: inHours(72), endDate: inHours(74) });
    expect(await run()).toEqual([]);
    await pass(23.9);
    expect(await run()).toEqual([]);
    await pass(0.1);
    // Two processes that both lead for a moment.
    const first = run();
    await sendReminders(other.context, app.clock.now());
    expect([await first, await run()].flat()).toHaveLength(1);
    await pass(24);
    expect(await run()).toEqual(['late@example.org opening']);
    await pass(24);
    // Before the end comes not before the opening.
    expect(await run()).toEqual(['late@example.org end']);
    await pass(11.9);
    expect(await run()).toEqual([]);
    await pass(0.1);
    expect(await run()).toEqual(['a@example.org end']);
    await pass(1);
    expect(await run()).toEqual([]);
    expect(await must('getQuiz', { params: { id: quiz.id } })).toMatchObject({
      reminders: { beforeOpening: 24, beforeEnd: 12 },
    });
  });

  it('move with the window, and are not late for who is invited, or set, after their moment', async () => {
    const quiz = await makeQuiz(app, admin, { opensAt: inHours(10), endDate: inHours(30) });
    await invite(quiz.id, 'a@example.org', 'b@example.org');
    await pass(1);
    // Set after the moment.
    await setReminders(quiz.id, { beforeOpening: 10, beforeEnd: null });
    expect(await run()).toEqual([]);
    await timesOf(quiz.id, 'b@example.org', { opensAt: inHours(11), endDate: inHours(30) });
    await pass(1);
    await invite(quiz.id, 'new@example.org');
    expect(await run()).toEqual(['b@example.org opening']);
    await setReminders(quiz.id, { beforeOpening: 10, beforeEnd: null }, { opensAt: inHours(15) });
    expect(await run()).toEqual([]);
    await pass(5);
    expect(await run()).toEqual(['a@example.org opening', 'new@example.org opening']);
    // Moved once more: each is sent once.
    await setReminders(quiz.id, { beforeOpening: 10, beforeEnd: null }, { opensAt: inHours(12) });
    await pass(2);
    expect(await run()).toEqual([]);
    await setReminders(quiz.id, null);
    expect(await must('getQuiz', { params: { id: quiz.id } })).not.toHaveProperty('reminders');
  });

  it('come to no one who has begun or finished, is revoked or erased, nor without a mail server', async () => {
    const quiz = await makeQuiz(app, admin, { endDate: inHours(3), duration: 30 });
    await setReminders(quiz.id, { beforeOpening: null, beforeEnd: 1 });
    const people = ['begun', 'done', 'gone', 'erased', 'waits', 'starts'].map(
      (name) => `${name}${n}@example.org`,
    );
    const [begun, done] = [
      await inviteCandidate(app, admin, quiz.id, people[0]),
      await inviteCandidate(app, admin, quiz.id, people[1]),
    ];
    await invite(quiz.id, ...people.slice(2, 5));
    const starts = await inviteCandidate(app, admin, quiz.id, people[5]);
    const rows = await must('listInvitations', { params: { id: quiz.id } });
    const of = (at: number) => rows.find(({ email }: { email: string }) => email === people[at]);
    await must('revokeInvitations', { params: { id: quiz.id }, body: { ids: [of(2).id] } });
    await must('erasePerson', {
      params: { id: of(3).userId },
      body: { confirmEmail: people[3], reason: 'r' },
    });
    const attempt = await app.call('startParticipant', { as: done.cookie, body: {} });
    const params = { id: attempt.body.id };
    await app.call('submitParticipant', { as: done.cookie, params, body: {} });
    app.clock.advance({ minutes: 115 });
    const again = await app.call('login', { body: { email: begun.email, password: begun.code } });
    expect((await app.call('startParticipant', { as: again.cookie, body: {} })).status).toBe(201);
    app.clock.advance({ minutes: 5 });
    await app.pool.query('update smtp_settings set is_active = false');
    expect(await run()).toEqual([]);
    await app.pool.query('update smtp_settings set is_active = true');
    expect(await run()).toEqual([`${people[5]} end`, `${people[4]} end`]);
    // One who starts while the message waits gets none, and it is not counted as a failure.
    const back = await app.call('login', { body: { email: starts.email, password: starts.code } });
    expect((await app.call('startParticipant', { as: back.cookie, body: {} })).status).toBe(201);
    await app.pool.query("delete from outbox where kind <> 'reminder'");
    await deliverMail(app.context);
    expect(sink.mails.map(({ to }) => to)).toEqual([[people[4]]]);
    await signIn();
    const messages = await must('listOutbox', { query: { limit: 100 } });
    expect(
      messages.find((one: { recipient: string }) => one.recipient === people[5]),
    ).toMatchObject({
      ...{ state: 'failed', isCanceled: true },
      lastError: 'The person has started, or can no longer start',
    });
    expect(await must('getMailProblems', {})).toMatchObject({ other: 0 });
  });

  it('say when, in the language of their reader, with the calendar and without a password', async () => {
    await must('putInstitution', {
      body: { name: 'Aurora College', timeZone: null, publicUrl: null, languages: ['en', 'de'] },
    });
    const quiz = await makeQuiz(app, admin, {
      ...{ title: 'Networks', opensAt: inHours(2), languages: ['en', 'de'] },
    });
    await setReminders(quiz.id, { beforeOpening: 1, beforeEnd: null });
    const people = [{ email: 'de@example.org', givenName: 'Ada', language: 'de' }];
    await must('importPeople', { body: { people, dryRun: false } });
    await invite(quiz.id, 'de@example.org', 'en@example.org');
    await pass(1);
    await run();
    const { rows } = await app.pool.query(
      "select id, variables from outbox where kind = 'reminder' order by recipient",
    );
    const [german, english] = rows.map(({ variables }) =>
      renderMail(reminder, variables, undefined),
    );
    expect(german?.text).toContain('Ada');
    expect(german?.text).toContain('Einmalpasswort');
    expect(english?.subject).toBe('Reminder: your assessment: Networks');
    expect(english?.text).toContain('the one-time password of your invitation');
    expect(english?.text).toMatch(/Opens at:/);
    expect(english?.text).not.toMatch(/[A-Z0-9]{5}-[A-Z0-9]{5}/);
    expect(english?.calendar).toContain('BEGIN:VEVENT');
    // The message that waits follows the times, under its seal.
    await setReminders(quiz.id, { beforeOpening: 1, beforeEnd: null }, { opensAt: inHours(30) });
    await app.pool.query("delete from outbox where kind <> 'reminder'");
    await deliverMail(app.context);
    const stored = await MESSAGES.read(
      app.context.db,
      rows.map(({ id }) => id),
    );
    expect(stored.map(({ state }) => state)).toEqual(['sent', 'sent']);
    for (const row of stored) {
      expect(row.variables).toMatchObject({ opensAt: inHours(30) });
      expect(MESSAGES.isWhole(app.context.keys.integrity, row)).toBe(true);
    }
  });

  it('are whole hours up to thirty days, and a problem is told at its field', async () => {
    const quiz = await makeQuiz(app, admin);
    const known = await must('getQuiz', { params: { id: quiz.id } });
    for (const beforeEnd of [0, 1.5, 721]) {
      const body = { ...known, reminders: { beforeOpening: null, beforeEnd } };
      const reply = await app.call('updateQuiz', { as: admin, params: { id: quiz.id }, body });
      expect(reply.body.issues).toMatchObject([{ path: 'reminders.beforeEnd' }]);
    }
    const off = await setReminders(quiz.id, { beforeOpening: null, beforeEnd: null });
    expect(off).not.toHaveProperty('reminders');
  });
});
