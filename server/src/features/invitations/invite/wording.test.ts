import {
  type MadeQuiz,
  mailServer,
  makeQuiz,
  newestCodes,
  setUpAppWithAdmin,
  setUpSmtpSink,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliverMail } from '../../../jobs/deliver-mail.ts';

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
