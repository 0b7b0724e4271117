import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import type { Role } from '@invigil/core/domain/rights';
import { makeQuiz, setUpAppWithAdmin, signInAdmin } from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';

describe('a test invitation', () => {
  const app = setUpAppWithAdmin();

  /** Sends it and returns the address and the one-time password of the real message. */
  const send = async (quizId: string, as = app.admin) => {
    const call = { as, params: { id: quizId }, body: {} };
    const { body } = await app.call('sendTestInvitation', call);
    const [message] = (await app.call('listOutbox', { as: app.admin })).body;
    const { text } = (
      await app.call('readOutboxMessage', { as: app.admin, params: { id: message.id } })
    ).body;
    const code = /[A-Z2-9]{5}(?:-[A-Z2-9]{5}){2}/.exec(text)?.[0] ?? '';
    return { email: body.email as string, code };
  };
  const signIn = ({ email, code }: { email: string; code: string }) =>
    app.call('login', { body: { email, password: code } });

  it('works before the opening and while the assessment is inactive, for this address only', async () => {
    const opensAt = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
    const quiz = await makeQuiz(app, app.admin, { isActive: false, opensAt, endDate: null });
    const sent = await send(quiz.id);
    expect((await signIn({ ...sent, email: 'other@example.org' })).status).toBe(401);
    expect((await signIn(sent)).body).toMatchObject({ quiz: { isOpen: true } });
    const again = await send(quiz.id);
    const isRefused = async (of: typeof sent) => [401, 429].includes((await signIn(of)).status);
    expect(await isRefused(sent)).toBe(true);
    expect((await signIn(again)).status).toBe(200);
    await app.call('deleteQuiz', { as: app.admin, params: { id: quiz.id } });
    expect(await isRefused(again)).toBe(true);
  });

  it('works with every spelling of the address', async () => {
    const as = await signInAdmin(app, 'chefin@müller-schule.de');
    const quiz = await makeQuiz(app, app.admin);
    const { code } = await send(quiz.id, as);
    expect((await signIn({ email: 'Chefin@xn--mller-schule-dlb.de', code })).status).toBe(200);
  });

  it('that fails is a problem of mail', async () => {
    const quiz = await makeQuiz(app, app.admin);
    await send(quiz.id);
    const { rowCount } = await app.pool.query(
      "update outbox set state = 'failed', next_attempt_at = null",
    );
    const { body } = await app.call('getMailProblems', { as: app.admin });
    expect(body.other).toBe(rowCount);
  });

  it('lets its holder do nothing but look', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const as = (await signIn(await send(quiz.id))).cookie ?? '';
    const params = { id: quiz.id, questionId: quiz.questions[0]?.id ?? '', hash: 'a'.repeat(64) };
    for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
      const { access, method, path }: Endpoint = ENDPOINTS[name];
      if (access === 'public' || access.includes('preview')) continue;
      const reply = await app.call(name, {
        as,
        params: Object.fromEntries(
          Object.entries(params).filter(([key]) => path.includes(`:${key}`)),
        ),
        ...(method === 'GET' ? {} : { body: {} }),
      });
      expect([name, reply.status]).toEqual([name, 403]);
    }
  });

  /** An administrator with one role for an assessment, and what a test invitation to them opens. */
  const openedBy = async (role: Role, quizId: string) => {
    const email = `${role}-${quizId}@example.org`;
    const cookie = await signInAdmin(app, email);
    const { id } = (await app.call('me', { as: cookie })).body.user;
    const give = (grants: object[]) =>
      app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
    expect((await give([{ role, quizId }])).status).toBe(200);
    const sent = await send(quizId, cookie);
    const preview = (await signIn(sent)).cookie ?? '';
    return { cookie, preview, give, sent };
  };

  it('shows sample questions to who may not see those of the assessment, before it opens and after', async () => {
    const opensAt = new Date(app.clock.now().getTime() + 300_000).toISOString();
    const quiz = await makeQuiz(app, app.admin, { opensAt });
    const support = await openedBy('support', quiz.id);
    const author = await openedBy('author', quiz.id);
    const read = (as: string) => app.call('getPreviewPaper', { as });
    const texts = quiz.questions.flatMap(({ question, options }) => [question, ...options]);
    const isReal = (text: string) => texts.some((one) => text.includes(`"${one}"`));
    for (const minutes of [0, 6]) {
      app.clock.advance({ minutes });
      const sample = await read(support.preview);
      expect(sample.body).toHaveLength(5);
      expect(sample.body[0]).toMatchObject({ question: 'Sample question 1', orderNumber: 1 });
      expect(isReal(sample.text)).toBe(false);
      for (const { id } of quiz.questions) expect(sample.text).not.toContain(id);
      expect(isReal((await read(author.preview)).text)).toBe(true);
    }
    // By what they may see at each call.
    await author.give([{ role: 'support', quizId: quiz.id }]);
    expect(isReal((await read(author.preview)).text)).toBe(false);
    await author.give([{ role: 'invigilator', quizId: quiz.id }]);
    expect((await read(author.preview)).status).toBe(401);
    expect((await signIn(author.sent)).status).toBe(401);
  });

  it('shows the images of its own papers, and those only to who may see the questions', async () => {
    const upload = async (color: string) => {
      const body = Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="${color}"/></svg>`,
      );
      const headers = { 'content-type': 'image/svg+xml' };
      return (await app.call('uploadImage', { as: app.admin, body, headers })).body.hash as string;
    };
    const [shown, foreign, unused] = [
      await upload('red'),
      await upload('blue'),
      await upload('tan'),
    ];
    const quiz = await makeQuiz(app, app.admin);
    const other = await makeQuiz(app, app.admin);
    for (const [quizId, hash] of [
      [quiz.id, shown],
      [other.id, foreign],
    ] as const) {
      const definition = {
        ...plainDefinition(`![A square](image:${hash})`, ['a', 'b'], 'a'),
        format: 'markdown',
      };
      const made = await app.call('addToBank', { as: app.admin, body: { definition, quizId } });
      expect(made.status).toBe(201);
    }
    const statuses = async (as: string) =>
      Promise.all(
        [shown, foreign, unused].map(
          async (hash) => (await app.call('readImage', { as, params: { hash } })).status,
        ),
      );
    expect(await statuses((await openedBy('author', quiz.id)).preview)).toEqual([200, 404, 404]);
    expect(await statuses((await openedBy('support', quiz.id)).preview)).toEqual([404, 404, 404]);
  });

  it('ends with the account of its administrator', async () => {
    const other = await signInAdmin(app, 'leaving@example.org');
    const quiz = await makeQuiz(app, app.admin);
    await app.call('sendTestInvitation', { as: other, params: { id: quiz.id }, body: {} });
    await app.pool.query(`delete from admins where email = 'leaving@example.org'`);
    const { rows } = await app.pool.query('select 1 from preview_codes where quiz_id = $1', [
      quiz.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('opens a preview of the paper for a day, and leaves no attempt', async () => {
    const quiz = await makeQuiz(app, app.admin, { title: 'Networks' });
    const sent = await send(quiz.id);
    const signedIn = await signIn(sent);
    expect(signedIn).toMatchObject({
      status: 200,
      body: {
        user: { email: sent.email },
        quiz: { id: quiz.id, isOpen: true },
        role: 'participant',
        attempt: null,
        preview: true,
      },
    });
    const as = signedIn.cookie ?? '';
    expect((await app.call('me', { as })).body).toEqual(signedIn.body);
    const paper = await app.call('getPreviewPaper', { as });
    expect(paper.body).toHaveLength(5);
    expect(paper.text).not.toContain('correctAnswer');
    const count = async (table: string) =>
      Number((await app.pool.query(`select count(*) from ${table}`)).rows[0].count);
    expect([await count('participants'), await count('invitations')]).toEqual([0, 0]);
    expect((await app.call('logout', { as })).status).toBe(204);
    expect((await app.call('getPreviewPaper', { as })).status).toBe(401);
    // The same password again, until the day is over.
    expect((await signIn(sent)).status).toBe(200);
    app.clock.advance({ minutes: 24 * 60 });
    expect((await signIn(sent)).status).toBe(401);
  });
});
