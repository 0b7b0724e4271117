import { makeQuiz, setUpAppWithAdmin, setUpSmtpSink } from '@invigil/testkit/factories';
import type { ReceivedMail } from '@invigil/testkit/mail-servers';
import { beforeAll, describe, expect, it } from 'vitest';
import { deliverMail } from '../../../jobs/deliver-mail.ts';

const OWN = 'Anna@Müller-Schule.de';
const ASCII = 'anna@xn--mller-schule-dlb.de';

describe('an address whose domain is not of ASCII', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const sink = setUpSmtpSink();

  beforeAll(async () => {
    await configure();
  });

  const configure = (fromEmail = 'exams@prüfung.example.org') =>
    app.call('putSmtpSettings', {
      as: app.admin,
      body: { host: '127.0.0.1', port: sink.port, username: 'u', password: 'p', fromEmail },
    });
  const invite = async (...emails: string[]) => {
    const quiz = await makeQuiz(app, app.admin);
    const body = { emails };
    return {
      quiz,
      reply: await app.call('inviteToQuiz', { as: app.admin, params: { id: quiz.id }, body }),
    };
  };
  const codeIn = (mail: ReceivedMail | undefined) =>
    mail?.mail.text?.match(/[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}/)?.[0] ?? 'no code';

  it('is invited once in both spellings, mailed in ASCII, and signs in with either', async () => {
    const { quiz, reply } = await invite(OWN, ASCII);
    expect(reply.body.invitations).toMatchObject([
      { email: 'Anna@müller-schule.de', status: 'queued' },
    ]);
    await deliverMail(app.context);
    expect(sink.mails.at(-1)).toMatchObject({
      // The sink decodes them; `smtp-diagnosis.test.ts` reads what is sent.
      to: ['Anna@müller-schule.de'],
      from: 'exams@prüfung.example.org',
    });
    const password = codeIn(sink.mails.at(-1));
    for (const email of [OWN, ASCII, 'anna@MÜLLER-schule.de']) {
      expect((await app.call('login', { body: { email, password } })).status).toBe(200);
    }
    const listed = await app.call('listInvitations', {
      as: app.admin,
      params: { id: quiz.id },
      query: { search: ASCII },
    });
    expect(listed.body).toMatchObject([{ email: 'Anna@müller-schule.de' }]);
  });

  it('is the person who was stored in ASCII before', async () => {
    const { rows } = await app.pool.query(
      `insert into users (id, email, created_at)
       values (gen_random_uuid(), 'b@xn--mller-schule-dlb.de', now()) returning id`,
    );
    await invite('B@müller-schule.de');
    const same = await app.pool.query("select id from users where email ilike 'b@%'");
    expect(same.rows).toEqual(rows);
    await deliverMail(app.context);
    const password = codeIn(sink.mails.at(-1));
    const login = await app.call('login', { body: { email: 'b@müller-schule.de', password } });
    expect(login.status).toBe(200);
  });

  it('is one administrator in both spellings', async () => {
    const password = 'a long enough passphrase';
    const add = (email: string) =>
      app.call('createAdmin', { as: app.admin, body: { email, password } });
    expect(await add('chef@müller-schule.de')).toMatchObject({
      status: 201,
      body: { email: 'chef@müller-schule.de' },
    });
    expect(await add('chef@xn--mller-schule-dlb.de')).toMatchObject({ status: 409 });
    const body = { email: 'chef@xn--mller-schule-dlb.de', password };
    expect((await app.call('login', { body })).status).toBe(200);
  });

  it('is told why, for a part before the @ beyond ASCII', async () => {
    const { reply } = await invite('jörg@example.org');
    expect(reply.body.invitations).toMatchObject([
      { status: 'invalid', reason: expect.stringMatching(/^“ö” before the @/) },
    ]);
    expect(await configure('jörg@example.org')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'fromEmail', message: expect.stringContaining('“ö”') }] },
    });
  });
});
