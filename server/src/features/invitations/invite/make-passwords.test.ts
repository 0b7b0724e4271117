import type { Grant } from '@invigil/core/domain/rights';
import { PSEUDO } from '@invigil/core/texts/languages';
import { slipLines } from '@invigil/core/texts/slip';
import {
  ADMIN,
  type AppWithAdmin,
  beginAttempt,
  confirmPassword,
  inviteForCodes,
  type MadeQuiz,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';
import { inLanguage } from '../../../runtime/language.ts';

let colleagues = 0;

async function makeColleague(app: AppWithAdmin, grants: Grant[]) {
  colleagues += 1;
  const email = `slips${colleagues}@example.org`;
  const cookie = await signInAdmin(app, email);
  const { id } = (await app.call('me', { as: cookie })).body.user;
  await confirmPassword(app, app.admin);
  const given = await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
  expect(given.status).toBe(200);
  return { cookie, email };
}

describe('one-time passwords to hand out', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
    const body = { email: 'second@example.org', password: 'granite lantern otter' };
    await confirmPassword(app, app.admin);
    await app.call('createAdmin', { as: app.admin, body });
  });

  const params = () => ({ id: quiz.id });
  const colleague = (grants: Grant[]) => makeColleague(app, grants);
  const inviteByHand = async (emails: string[]) => {
    const body = { emails, sendMail: false };
    const reply = await app.call('inviteToQuiz', { as: app.admin, params: params(), body });
    return reply.body.invitations as { id: string; status: string }[];
  };
  const make = (ids: string[]) =>
    app.call('makePasswords', { as: app.admin, params: params(), body: { ids } });
  const mails = async () =>
    (await app.pool.query('select recipient, kind from outbox order by created_at')).rows;

  it('are made for people who were invited without mail, and sign them in', async () => {
    const before = await mails();
    const [person] = await inviteByHand(['room@example.org']);
    expect(person?.status).toBe('invited');
    expect(await mails()).toEqual(before);
    const until = async () => {
      const { body } = await app.call('listInvitations', { as: app.admin, params: params() });
      return body.find(({ id }: { id: string }) => id === person?.id).codeValidUntil;
    };
    expect(await until()).toBeNull();
    const { body } = await make([person?.id ?? '']);
    const ends = await until();
    expect(ends).not.toBeNull();
    app.clock.advance({ minutes: 1 });
    // Invited again, without a new password: it ends as before.
    await inviteByHand(['room@example.org']);
    expect(await until()).toBe(ends);
    expect(body).toMatchObject({
      completeBy: 'No end date',
      validUntil: expect.stringMatching(/^\w+,? \d+ \w+ \d{4} at/),
      signInUrl: expect.stringMatching(/login$/),
    });
    const [{ email, code }] = body.passwords;
    expect([email, code]).toEqual([
      'room@example.org',
      expect.stringMatching(/^\w{5}-\w{5}-\w{5}$/),
    ]);
    const { rows } = await app.pool.query('select * from invitation_codes');
    expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
    await signInCandidate(app, email, code);
  });

  it('come with the sentences of a slip for who reads another language', async () => {
    const chinese = await makeQuiz(app, app.admin, { languages: ['zh'] });
    const at = { id: chinese.id };
    const invited = { emails: ['zh@example.org'], sendMail: false };
    const [person] = (await app.call('inviteToQuiz', { as: app.admin, params: at, body: invited }))
      .body.invitations;
    const slips = async (headers: Record<string, string>) =>
      (
        await app.call('makePasswords', {
          ...{ as: app.admin, params: at, body: { ids: [person.id] } },
          headers: { cookie: `invigil_session=${app.admin}`, ...headers },
        })
      ).body.passwords.map(({ slip }: { slip?: object }) => slip);
    const [slip] = await slips({});
    expect(slip.language).toBe('zh');
    expect(slip.lines).toHaveLength(4);
    for (const line of slip.lines) expect(line).toMatch(/\p{Script=Han}/u);
    expect(await slips({ 'x-language': 'zh' })).toEqual([undefined]);
  });

  it.each(Object.values(PSEUDO))(
    'have no word on a slip that is not translated: %s',
    async (language) => {
      const opensAt = new Date(app.clock.now().getTime() + 86_400_000);
      const { id } = await makeQuiz(app, app.admin, { opensAt });
      const invited = { emails: [`${language.toLowerCase()}@example.org`], sendMail: false };
      const at = { as: app.admin, params: { id } };
      const [person] = (await app.call('inviteToQuiz', { ...at, body: invited })).body.invitations;
      const wordsIn = async (tag: string) => {
        const headers = { 'x-language': tag };
        const { body } = await app.call('makePasswords', {
          ...{ ...at, headers, body: { ids: [person.id] } },
        });
        const lines = inLanguage(tag, () => slipLines(body));
        expect(lines).toHaveLength(5);
        const own = lines.map((line) =>
          line.replace(/http\S+|\w+day, \d+ \w+ \d+|Europe\/\w+|GMT/g, ''),
        );
        return own.join().match(/(?<!\p{L})[A-Za-z]{2,}(?!\p{L})/gu) ?? [];
      };
      expect(await wordsIn(language)).toEqual([]);
      expect((await wordsIn('en')).length).toBeGreaterThan(20);
    },
  );

  it('keep earlier ones working, and leave out who was revoked', async () => {
    const [code = ''] = await inviteForCodes(app, app.admin, quiz.id, ['mailed@example.org']);
    const listed = await app.call('listInvitations', { as: app.admin, params: params() });
    const idOf = (email: string) =>
      listed.body.find((each: { email: string }) => each.email === email).id;
    const [gone] = await inviteByHand(['gone@example.org']);
    const body = { ids: [gone?.id ?? ''] };
    await app.call('revokeInvitations', { as: app.admin, params: params(), body });
    const reply = await make([idOf('mailed@example.org'), gone?.id ?? '']);
    expect(reply.body.passwords.map((p: { email: string }) => p.email)).toEqual([
      'mailed@example.org',
    ]);
    await signInCandidate(app, 'mailed@example.org', code);
  });

  it('open the result for who has finished, also after the end, where results are released', async () => {
    const endDate = new Date(app.clock.now().getTime() + 600_000).toISOString();
    const ended = await makeQuiz(app, app.admin, { endDate });
    const attempt = await beginAttempt(app, app.admin, ended);
    await attempt.submit();
    const params = { id: ended.id };
    const listed = await app.call('listInvitations', { as: app.admin, params });
    const body = { ids: [listed.body[0].id] };
    const makeOne = () => app.call('makePasswords', { as: app.admin, params, body });
    await passTime(app, { minutes: 11 });
    await confirmPassword(app, app.admin);
    expect((await makeOne()).body.passwords).toEqual([]);
    const rules = { parts: ['answers'], when: { kind: 'by_hand' }, openDays: 30 } as const;
    await app.call('setReleaseRules', { as: app.admin, params, body: { rules } });
    await app.call('releaseResults', { as: app.admin, params, body: { ids: [attempt.id] } });
    // Only by who may see scores.
    const { cookie: invigilator } = await colleague([{ role: 'invigilator', quizId: ended.id }]);
    for (const name of ['makePasswords', 'exportPasswords'] as const) {
      const reply = await app.call(name, { as: invigilator, params, body });
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain(attempt.candidate.email);
    }
    const [{ email, code }] = (await makeOne()).body.passwords;
    const { cookie } = await signInCandidate(app, email, code);
    const result = await app.call('getResult', { as: cookie, params: { id: attempt.id } });
    expect(result.status).toBe(200);
  });

  it('are made for who is in progress, also after the end', async () => {
    const attempt = await beginAttempt(app, app.admin, quiz);
    await app.pool.query('update quizzes set is_active = false where id = $1', [quiz.id]);
    const listed = await app.call('listInvitations', { as: app.admin, params: params() });
    const own = listed.body.find((one: { email: string }) => one.email === attempt.candidate.email);
    const made = await make([own.id]);
    expect(made.body.passwords).toHaveLength(1);
    expect(made.body.completeBy).not.toBe('No end date');
    expect(made.body.validUntil).toBeNull();
    await app.pool.query('update quizzes set is_active = true where id = $1', [quiz.id]);
  });

  it('name the address and the zone of the institution', async () => {
    const quiz = await makeQuiz(app, app.admin, { endDate: '2026-08-12T08:00:00.000Z' });
    const emails = ['slip@example.org'];
    await app.call('inviteToQuiz', { as: app.admin, params: { id: quiz.id }, body: { emails } });
    const [{ id }] = (await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } }))
      .body;
    const body = { name: null, timeZone: 'Europe/Berlin', publicUrl: 'https://exams.example.org' };
    await app.call('putInstitution', { as: app.admin, body });
    const call = { as: app.admin, params: { id: quiz.id }, body: { ids: [id] } };
    expect((await app.call('makePasswords', call)).body).toMatchObject({
      signInUrl: 'https://exams.example.org/login',
      completeBy: expect.stringContaining('10:00 (Europe/Berlin'),
      validUntil: null,
    });
    await app.call('putInstitution', {
      as: app.admin,
      body: { ...body, publicUrl: null, timeZone: null },
    });
  });

  it('need the password again, are audited by count, and are told to those whose business it is', async () => {
    const other = await makeQuiz(app, app.admin);
    const { email: support } = await colleague([{ role: 'support', quizId: quiz.id }]);
    const { email: invigilator } = await colleague([{ role: 'invigilator', quizId: quiz.id }]);
    const { email: elsewhere } = await colleague([{ role: 'owner', quizId: other.id }]);
    const [person] = await inviteByHand(['told@example.org']);
    const ids = [person?.id ?? ''];
    await passTime(app, { minutes: 16 });
    expect(await make(ids)).toMatchObject({ status: 403, body: { code: 'CONFIRM_PASSWORD' } });
    await confirmPassword(app, app.admin);
    const before = (await mails()).length;
    const { body } = await make(ids);
    const told = (await mails()).slice(before).map(({ recipient }) => recipient);
    expect(told.sort()).toEqual(['second@example.org', support]);
    expect(told).not.toContain(invigilator);
    expect(told).not.toContain(elsewhere);
    const { rows } = await app.pool.query(
      "select details from audit_entries where action = 'invitations.passwords_made' order by at desc limit 1",
    );
    expect(rows[0].details).toEqual({ count: 1 });
    const notice = (
      await app.pool.query("select variables from outbox where kind = 'passwords_made'")
    ).rows;
    expect(JSON.stringify(notice)).toContain(ADMIN.email);
    expect(JSON.stringify(notice)).not.toContain(body.passwords[0].code);
  });

  it('come as a file for a mail merge', async () => {
    const [person] = await inviteByHand(['file@example.org']);
    const body = { ids: [person?.id ?? ''] };
    const reply = await app.call('exportPasswords', { as: app.admin, params: params(), body });
    expect(reply.headers['content-disposition']).toMatch(/one_time_passwords_.*\.csv"$/);
    expect(reply.text).toMatch(
      /^\uFEFFParticipant,One-time Password,.*,Valid Until\r\nfile@example.org,\w{5}-\w{5}-\w{5},http.*,No end date,"?\w+,? \d/,
    );
  });
});

describe('one-time passwords made by someone who may not see scores', () => {
  const app = setUpAppWithAdmin();
  let people = 0;

  /** A candidate with a mailed password, and one that an invigilator printed. */
  async function invited() {
    people += 1;
    const email = `printed${people}@example.org`;
    const { id: quizId } = await makeQuiz(app, app.admin, { duration: 10 });
    const params = { id: quizId };
    const rules = { parts: ['score'], when: { kind: 'by_hand' }, openDays: 30 } as const;
    await app.call('setReleaseRules', { as: app.admin, params, body: { rules } });
    const [mailed = ''] = await inviteForCodes(app, app.admin, quizId, [email]);
    const { cookie: invigilator } = await makeColleague(app, [{ role: 'invigilator', quizId }]);
    const [{ id }] = (await app.call('listInvitations', { as: app.admin, params })).body;
    const made = await app.call('makePasswords', {
      as: invigilator,
      params,
      body: { ids: [id] },
    });
    const printed: string = made.body.passwords[0].code;
    return {
      email,
      mailed,
      printed,
      /** Signs in and starts, or continues. */
      async take(code: string) {
        const { cookie } = await signInCandidate(app, email, code);
        const { body } = await app.call('startParticipant', { as: cookie, body: {} });
        return { cookie, id: body.id as string };
      },
      submit: ({ cookie, id }: { cookie: string; id: string }) =>
        app.call('submitParticipant', { as: cookie, params: { id }, body: {} }),
      async release() {
        const reply = await app.call('releaseResults', { as: app.admin, params, body: {} });
        expect(reply.body.released).toBe(1);
      },
      signOut: ({ cookie }: { cookie: string }) => app.call('logout', { as: cookie }),
      signIn: (code: string) => app.call('login', { body: { email, password: code } }),
    };
  }
  type Invited = Awaited<ReturnType<typeof invited>>;

  const refused = async ({ signIn, printed }: Invited) => {
    const reply = await signIn(printed);
    expect(reply).toMatchObject({ status: 403, body: { code: 'ALREADY_COMPLETED' } });
    expect(reply.cookie).toBeUndefined();
    expect(reply.body.details.ended).not.toHaveProperty('result');
  };

  it.each<[string, (by: Invited) => Promise<void>]>([
    ['never used', async ({ take, mailed, submit }) => void (await submit(await take(mailed)))],
    [
      'used before the start, which nobody notices',
      async ({ take, signIn, printed, mailed, submit }) => {
        expect((await signIn(printed)).status).toBe(200);
        await submit(await take(mailed));
      },
    ],
    [
      'used during the attempt, which its candidate took back',
      async ({ take, printed, mailed, submit }) => {
        await take(mailed);
        await take(printed);
        await submit(await take(mailed));
      },
    ],
    [
      'used before its candidate signed out of the attempt',
      async ({ take, signIn, signOut, printed, mailed }) => {
        await signIn(printed);
        await signOut(await take(mailed));
        await passTime(app, { minutes: 11 });
      },
    ],
    [
      'used and signed out during the attempt, which its candidate took back',
      async ({ take, signOut, printed, mailed, submit }) => {
        await take(mailed);
        await signOut(await take(printed));
        await submit(await take(mailed));
      },
    ],
    [
      'used in the moment between the end and its closing',
      async ({ take, signIn, printed, mailed }) => {
        await take(mailed);
        app.clock.advance({ minutes: 10, seconds: 11 });
        expect((await signIn(printed)).body.code).toBe('ALREADY_COMPLETED');
        await passTime(app, {});
      },
    ],
  ])('open no result where they were %s', async (_, end) => {
    const one = await invited();
    await end(one);
    await refused(one);
    await one.release();
    await refused(one);
    expect((await one.signIn(one.mailed)).body.hasResult).toBe(true);
  });

  it('open no result of an attempt that was replaced, or of the next one', async () => {
    const one = await invited();
    const first = await one.take(one.mailed);
    await one.submit(first);
    await one.release();
    const body = { how: 'reinstate', reason: 'By mistake', addedMinutes: 0 };
    const params = { id: first.id };
    const replaced = await app.call('replaceParticipant', { as: app.admin, params, body });
    expect(replaced.status).toBe(200);
    const { cookie } = await signInCandidate(app, one.email, one.printed);
    expect((await app.call('getResult', { as: cookie, params })).status).toBe(404);
    await one.submit(await one.take(one.mailed));
    await one.release();
    await refused(one);
  });

  it.each<[string, (by: Invited) => Promise<void>]>([
    ['to its end', async ({ take, printed, submit }) => void (await submit(await take(printed)))],
    [
      'on a further device',
      async ({ take, mailed, printed, submit }) => {
        await take(mailed);
        await submit(await take(printed));
      },
    ],
    [
      'until its candidate signed out',
      async ({ take, signOut, printed }) => {
        await signOut(await take(printed));
        await passTime(app, { minutes: 11 });
      },
    ],
  ])('open the result of an attempt that was taken with them %s', async (_, end) => {
    const one = await invited();
    await end(one);
    expect((await one.signIn(one.printed)).body.details.ended.result).toEqual({ state: 'later' });
    await one.release();
    for (let i = 0; i < 2; i += 1) {
      expect((await one.signIn(one.printed)).body.hasResult).toBe(true);
    }
  });
});
