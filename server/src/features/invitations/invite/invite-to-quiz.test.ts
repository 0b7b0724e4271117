import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import {
  inviteCandidate,
  type MadeQuiz,
  mailServer,
  makeQuiz,
  newestCodes,
  setUpAppWithAdmin,
  setUpSmtpSink,
  signInCandidate,
} from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliverMail } from '../../../jobs/deliver-mail.ts';

const app = setUpAppWithAdmin();

describe('the checks before inviting', () => {
  const check = async (id: string) =>
    (await app.call('checkInviting', { as: app.admin, params: { id } })).body;

  it('say where emails lead, what they say, and that none was sent', async () => {
    const endDate = '2099-05-14T16:00:00.000Z';
    const quiz = await makeQuiz(app, app.admin, { endDate });
    expect(await check(quiz.id)).toEqual({
      timeZone: 'Europe/Berlin',
      signInUrl: expect.stringMatching(/^http:.*\/login$/),
      drafts: 0,
      isMailTested: false,
      opensAt: null,
      completeBy: expect.stringMatching(/^Thursday,? 14 May 2099 at \d\d:00 \(/),
    });
  });

  it('count questions without a key', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const definition = plainDefinition('Q', ['a', 'b'], 'a');
    const options = definition.options.map((option) => ({ ...option, isCorrect: false }));
    const body = { quizId: quiz.id, definition: { ...definition, format: 'markdown', options } };
    const made = await app.call('addToBank', { as: app.admin, body });
    expect(made.status).toBe(201);
    expect(await check(quiz.id)).toMatchObject({ drafts: 1, completeBy: 'No end date' });
  });
});

describe('a new mail server', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const sink = setUpSmtpSink();

  it('is not tested, whatever an earlier one delivered', async () => {
    const params = { id: (await makeQuiz(app, app.admin)).id };
    const isTested = async () =>
      (await app.call('checkInviting', { as: app.admin, params })).body.isMailTested;
    const configure = async (fromEmail: string) => {
      const body = mailServer(sink.port, { fromEmail });
      expect((await app.call('putSmtpSettings', { as: app.admin, body })).status).toBe(200);
      app.clock.advance({ seconds: 1 });
    };
    await configure('one@example.org');
    await app.call('sendTestInvitation', { as: app.admin, params, body: {} });
    expect(await isTested()).toBe(false);
    await deliverMail(app.context);
    expect(await isTested()).toBe(true);
    await configure('two@example.org');
    expect(await isTested()).toBe(false);
  });
});

describe('inviting', () => {
  let quiz: string;

  beforeAll(async () => {
    quiz = (await makeQuiz(app, app.admin)).id;
  });
  const invite = (emails: unknown, id = quiz) =>
    app.call('inviteToQuiz', { as: app.admin, params: { id }, body: { emails } });

  it.each([[[]], [['', '   ']], [null], [undefined]])('refuses %j', async (emails) => {
    expect(await invite(emails)).toMatchObject({
      status: 400,
      body: { code: 'NO_EMAILS', message: 'Please enter at least one email address' },
    });
  });

  it('refuses more than 1,000 addresses, and accepts 1,000', async () => {
    const emails = Array.from({ length: 1_001 }, (_, i) => `p${i}@example.org`);
    expect(await invite(emails)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'emails' }] },
    });
    const reply = await invite(emails.slice(1));
    expect(reply.body.invitations).toHaveLength(1_000);
    expect(new Set(reply.body.invitations.map((i: { status: string }) => i.status))).toEqual(
      new Set(['queued']),
    );
    const { rows } = await app.pool.query('select count(*)::int as n from outbox');
    expect(rows[0].n).toBe(1_000);
  });

  it('replies per address, with duplicates merged case-insensitively', async () => {
    const done = await inviteCandidate(app, app.admin, quiz, 'done@example.org');
    const attempt = await app.call('startParticipant', { as: done.cookie, body: {} });
    await app.call('submitParticipant', {
      as: done.cookie,
      params: { id: attempt.body.id },
      body: {},
    });
    const busy = await inviteCandidate(app, app.admin, quiz, 'busy@example.org');
    await app.call('startParticipant', { as: busy.cookie, body: {} });

    const reply = await invite([
      ' new@example.org ',
      'NEW@example.org',
      'not an address',
      'done@example.org',
      'Busy@example.org',
      '',
    ]);
    expect(reply.body.invitations).toMatchObject([
      { email: 'new@example.org', status: 'queued' },
      { email: 'not an address', status: 'invalid', reason: 'Not an email address' },
      { email: 'done@example.org', status: 'already_completed' },
      { email: 'Busy@example.org', status: 'in_progress' },
    ]);
    expect(reply.body.invitations[1]).not.toHaveProperty('id');
    // Nothing was sent to the candidate in progress, whose code still works.
    expect((await signInCandidate(app, busy.email, busy.code)).userId).toBe(busy.userId);
  });
});

describe('concurrent invitations of the same people', () => {
  it('succeed in any order of addresses, even crossing each other', async () => {
    const one = await makeQuiz(app, app.admin);
    const two = await makeQuiz(app, app.admin);
    const emails = Array.from({ length: 7 }, (_, i) => `crossing${i}@example.org`);
    const invite = (quizId: string, list: string[]) =>
      app.call('inviteToQuiz', { as: app.admin, params: { id: quizId }, body: { emails: list } });

    // A third connection is inserting the middle address: both calls wait for it, one with the
    // first half done, one with the second. Then it rolls back.
    const held = await HeldWindow.open(
      app.pool,
      'insert into users (id, email, created_at) values (gen_random_uuid(), $1, $2)',
      [emails[3], app.clock.now()],
    );
    const calls = [invite(one.id, emails), invite(two.id, emails.toReversed())];
    await held.untilStuck(app.pool, calls.length);
    await held.release();
    for (const reply of await Promise.all(calls)) {
      expect(reply.status).toBe(200);
      const states = reply.body.invitations.map((i: { status: string }) => i.status);
      expect(states).toEqual(emails.map(() => 'queued'));
    }
    const { rows } = await app.pool.query(
      "select count(*)::int as n from users where email like 'crossing%'",
    );
    expect(rows).toEqual([{ n: 7 }]);
  });

  it('create a new person for one who is being erased', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const email = 'erased-during-invite@example.org';
    const params = { id: quiz.id };
    const invite = () =>
      app.call('inviteToQuiz', { as: app.admin, params, body: { emails: [email] } });
    const [before] = (await invite()).body.invitations;
    // An erasure does the same: it locks the invitation and removes the address.
    const held = await HeldWindow.open(
      app.pool,
      `with locked as (select user_id from invitations where id = $1 for update)
       update users set email = null where id = (select user_id from locked)`,
      [before.id],
    );
    const call = invite();
    await held.untilStuck(app.pool, 1);
    await held.commit();
    const [after] = (await call).body.invitations;
    // The other connection's change has no seal; `tamper` turns off the check for that.
    await app.tamper('select 1');
    expect(after).toMatchObject({ email, status: 'queued' });
    expect(after.id).not.toBe(before.id);
    const { rows } = await app.pool.query(
      `select count(*)::int as n from outbox o join invitations i on i.id = o.invitation_id
       where i.id = $1 and o.state = 'queued'`,
      [before.id],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('leave each person one valid code per assessment', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const emails = Array.from({ length: 40 }, (_, i) => `many${i}@example.org`);
    const replies = await Promise.all(
      [emails, emails.toReversed(), emails.map((e) => e.toUpperCase())].map((list) =>
        app.call('inviteToQuiz', {
          as: app.admin,
          params: { id: quiz.id },
          body: { emails: list },
        }),
      ),
    );
    expect(replies.map((r) => r.status)).toEqual([200, 200, 200]);
    const { rows } = await app.pool.query(
      `select count(distinct u.id)::int as people, count(*)::int as codes
       from invitation_codes c join invitations i on i.id = c.invitation_id
       join users u on u.id = i.user_id
       where c.revoked_at is null and i.quiz_id = $1`,
      [quiz.id],
    );
    expect(rows).toEqual([{ people: 40, codes: 40 }]);
  });
});

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';
const CODE = /[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}/;

describe('the texts of an invitation', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const sink = setUpSmtpSink();
  let quiz: MadeQuiz;
  beforeEach(async () => {
    quiz = await makeQuiz(app, app.admin, { title: 'Chemistry' });
    await app.pool.query('delete from outbox');
  });

  const preview = (body: object = {}, id = quiz.id) =>
    app.call('previewInvitation', { as: app.admin, params: { id }, body });
  const invite = (words: object, emails = ['a@example.org']) =>
    app.call('inviteToQuiz', {
      as: app.admin,
      params: { id: quiz.id },
      body: { emails, ...words },
    });

  it.each([
    ['a subject that is too long', { subject: 'x'.repeat(201) }, 'subject'],
    ['a message that is too long', { message: 'x'.repeat(4_001) }, 'message'],
    ['a subject that is not a string', { subject: { a: 1 } }, 'subject'],
    ['a message that is a list', { message: ['x'] }, 'message'],
  ])('are refused for %s, inviting no one', async (_, words, path) => {
    for (const reply of [await preview(words), await invite(words)]) {
      expect(reply).toMatchObject({ status: 400, body: { issues: [{ path }] } });
    }
    const { rows } = await app.pool.query('select count(*)::int as n from outbox');
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('are shown for existing assessments only', async () => {
    expect((await preview({}, UNKNOWN)).status).toBe(404);
    await app.call('deleteQuiz', { as: app.admin, params: { id: quiz.id } });
    expect((await preview()).status).toBe(404);
  });

  it('are previewed as they will be sent, with a placeholder code and no changes', async () => {
    const shown = await preview({ subject: 'Your test', message: 'Good luck!\nYours, A.' });
    expect(shown).toMatchObject({ status: 200, body: { subject: 'Your test' } });
    expect(shown.body.text).toContain('One-time password: XXXXX-XXXXX-XXXXX');
    expect(shown.body.text).toContain('Good luck!\nYours, A.');
    const { rows } = await app.pool.query(
      'select (select count(*) from outbox)::int as mails, (select count(*) from invitation_codes)::int as codes',
    );
    expect(rows).toEqual([{ mails: 0, codes: 0 }]);

    await invite({ subject: 'Your test', message: 'Good luck!\nYours, A.' });
    const outbox = (await app.call('listOutbox', { as: app.admin })).body;
    expect(outbox).toMatchObject([{ subject: 'Your test', recipient: 'a@example.org' }]);
    const params = { id: outbox[0].id };
    const sent = (await app.call('readOutboxMessage', { as: app.admin, params })).body;
    const [code = ''] = await newestCodes(app, ['a@example.org']);
    expect(sent.text).toBe(shown.body.text.replace('XXXXX-XXXXX-XXXXX', code));
    expect(sent.html).toBe(shown.body.html.replace('XXXXX-XXXXX-XXXXX', code));
  });

  it.each([{}, { subject: '', message: '' }, { subject: ' ', message: null }])(
    'are the default ones for %j',
    async (words) => {
      const { body } = await preview(words);
      expect(body.subject).toBe('Your assessment: Chemistry');
      expect(body.text).toMatch(
        /^You are invited to take the assessment "Chemistry"\.\n\nOne-time/,
      );
    },
  );

  it.each([
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    '</p></div><a href="javascript:alert(1)">click</a>',
    '" onmouseover="alert(1)',
    '\' & < > " &amp; &#60;',
    '$& $1 $$ {{title}} <%= title %>',
  ])('are escaped in the HTML: %s', async (message) => {
    const title = message.slice(0, 100);
    quiz = await makeQuiz(app, app.admin, { title });
    const { body } = await preview({ message });
    expect(body.html).not.toMatch(/<script|<img|<a href="javascript|" onmouseover/);
    expect(body.text).toContain(message);
    expect(body.text).toContain(title);
  });

  it('cannot inject a header through the subject', async () => {
    await app.call('putSmtpSettings', {
      as: app.admin,
      body: mailServer(sink.port),
    });
    const subject = 'Hello\r\nBcc: everybody@example.org\r\n\r\nBody – ünïcode 🦊';
    await invite({ subject, message: '.\r\n.\r\nQUIT\r\n<b>' });
    await deliverMail(app.context);
    expect(sink.mails).toHaveLength(1);
    const [{ to, mail } = { to: [], mail: undefined }] = sink.mails;
    expect(to).toEqual(['a@example.org']);
    expect(mail?.subject).toBe('Hello Bcc: everybody@example.org Body – ünïcode 🦊');
    expect(mail?.bcc ?? []).toEqual([]);
    expect(mail?.text).toMatch(CODE);
    expect(mail?.text?.replaceAll('\r\n', '\n')).toContain('.\n.\nQUIT\n<b>');
    await app.pool.query('delete from smtp_settings');
  });
});
