import {
  OFF_POLICY,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import { inviteCandidate, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('assessments', () => {
  const app = setUpAppWithAdmin();
  let categoryId: string;
  let good: Record<string, unknown>;
  let n = 0;

  beforeAll(async () => {
    const category = await app.call('createCategory', {
      as: app.admin,
      body: { name: 'Networks' },
    });
    categoryId = category.body.id;
    good = { title: 'Subnetting', categoryId, duration: 25, totalQuestions: 10 };
  });
  const create = (change: Record<string, unknown> = {}) =>
    app.call('createQuiz', { as: app.admin, body: { ...good, ...change } });
  const edit = (id: string, change: Record<string, unknown> = {}) =>
    app.call('updateQuiz', { as: app.admin, params: { id }, body: { ...good, ...change } });
  const archive = (id: string) => app.call('deleteQuiz', { as: app.admin, params: { id } });
  const list = async () => (await app.call('listQuizzes', { as: app.admin })).body;
  const find = async (id: string) => (await list()).find((q: { id: string }) => q.id === id);
  const inMinutes = (minutes: number) =>
    new Date(app.clock.now().getTime() + minutes * 60_000).toISOString();
  const enter = async (quizId: string) => {
    n += 1;
    const candidate = await inviteCandidate(app, app.admin, quizId, `z${n}@example.org`);
    const start = await app.call('startParticipant', { as: candidate.cookie, body: {} });
    return { candidate, start };
  };

  describe('when created', () => {
    it('are refused in an unknown category', async () => {
      expect(await create({ categoryId: UNKNOWN })).toMatchObject({
        status: 404,
        body: {
          code: 'NOT_FOUND',
          message: 'This category no longer exists',
          issues: [{ path: 'categoryId' }],
        },
      });
    });

    it('are active and strict by default, and returned with all fields', async () => {
      const reply = await create({ title: ' Subnetting ', description: '' });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        title: 'Subnetting',
        description: null,
        categoryId,
        category: 'Networks',
        duration: 25,
        totalQuestions: 10,
        questionCount: 0,
        endDate: null,
        finishAfterEnd: false,
        closingMail: false,
        isActive: true,
        isOpen: true,
        policy: { version: 1, ...STRICT_POLICY },
        version: 1,
        createdAt: app.clock.now().toISOString(),
      });
      expect(await find(reply.body.id)).toEqual(reply.body);
    });

    it('say whether a question of theirs asks for more than one option', async () => {
      const { id } = (await create({ title: 'Kinds' })).body;
      const plain = { question: 'Plain?', options: ['a', 'b'], correctAnswer: 'a' };
      const added = await app.call('createQuestion', {
        as: app.admin,
        params: { id },
        body: plain,
      });
      expect(await find(id)).not.toHaveProperty('hasOtherAnswers');
      const definition = {
        type: 'numeric',
        format: 'plain',
        question: 'g?',
        options: [],
        points: 1,
        rule: 'all_or_nothing',
        numeric: { accepted: [{ value: '9.8' }] },
      };
      const params = { id: added.body.id };
      const changed = await app.call('changeBankQuestion', {
        as: app.admin,
        params,
        body: { definition },
      });
      expect(changed.status).toBe(200);
      expect(await find(id)).toMatchObject({ hasOtherAnswers: true });
    });

    it('accept numbers as a form sends them, an end date in any time zone, and a policy', async () => {
      const { body } = await create({
        duration: '180',
        totalQuestions: '5',
        description: 'About networks',
        endDate: '2026-06-01T18:00:00+02:00',
        finishAfterEnd: true,
        isActive: false,
        policy: REVIEW_POLICY,
      });
      expect(body).toMatchObject({
        duration: 180,
        totalQuestions: 5,
        description: 'About networks',
        endDate: '2026-06-01T16:00:00.000Z',
        finishAfterEnd: true,
        isActive: false,
        isOpen: false,
        policy: { version: 1, preset: 'review' },
      });
    });

    it('have a custom policy if it names no preset', async () => {
      const { preset: _, ...settings } = STRICT_POLICY;
      const { body } = await create({ policy: settings });
      expect(body.policy).toEqual({ version: 1, ...settings, preset: 'custom' });
    });

    it('have a custom policy if it names a preset with other numbers', async () => {
      const limits = { ...STRICT_POLICY.limits, combined: 7 };
      const { body } = await create({ policy: { ...STRICT_POLICY, limits } });
      expect(body.policy).toMatchObject({ preset: 'custom', limits });
      expect((await create({ policy: STRICT_POLICY })).body.policy.preset).toBe('strict');
    });

    it('are listed newest first', async () => {
      const first = (await create()).body.id;
      app.clock.advance({ seconds: 1 });
      const second = (await create()).body.id;
      const ids = (await list()).map((q: { id: string }) => q.id);
      expect(ids.indexOf(second)).toBeLessThan(ids.indexOf(first));
      expect(ids[0]).toBe(second);
    });

    it('are read one by one, until they are archived', async () => {
      const { id } = (await create()).body;
      const read = () => app.call('getQuiz', { as: app.admin, params: { id } });
      expect((await read()).body).toEqual((await list())[0]);
      await app.call('deleteQuiz', { as: app.admin, params: { id } });
      expect(await read()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    });
  });

  describe('when changed', () => {
    it('are refused when unknown, stale, in an unknown category, or invalid', async () => {
      const { id } = (await create()).body;
      expect((await edit(UNKNOWN)).status).toBe(404);
      expect((await edit('no-id')).status).toBe(404);
      expect(await edit(id, { version: 2 })).toMatchObject({
        status: 409,
        body: {
          code: 'STALE',
          message: 'Someone else has changed this. Reload it to see their version',
        },
      });
      expect((await edit(id, { categoryId: UNKNOWN })).status).toBe(404);
      expect((await edit(id, { duration: '181' })).status).toBe(400);
      expect((await edit(id, { endDate: '0000-01-01T00:00:00Z' })).status).toBe(400);
      expect((await edit(id, { endDate: '9999-12-31T23:59:59-12:00' })).status).toBe(400);
      expect((await find(id)).version).toBe(1);
    });

    it('keep omitted fields, and clear empty ones', async () => {
      const endDate = inMinutes(600);
      const { id } = (
        await create({
          description: 'D',
          endDate,
          isActive: false,
          finishAfterEnd: true,
          policy: OFF_POLICY,
        })
      ).body;
      const kept = await edit(id, { title: 'New', duration: '30' });
      expect(kept).toMatchObject({
        status: 200,
        body: {
          title: 'New',
          duration: 30,
          description: 'D',
          endDate,
          isActive: false,
          finishAfterEnd: true,
          policy: { version: 1, preset: 'off' },
          version: 2,
        },
      });
      const emptied = await edit(id, { description: null, endDate: null, isActive: true });
      expect(emptied.body).toMatchObject({
        description: null,
        endDate: null,
        isActive: true,
        isOpen: true,
        version: 3,
      });
      expect(await find(id)).toEqual(emptied.body);
    });

    it('accept the last write without a version, and the first of several with the same one', async () => {
      const { id } = (await create()).body;
      const withVersion = await Promise.all([1, 2, 3].map(() => edit(id, { version: 1 })));
      expect(withVersion.map((r) => r.status).sort()).toEqual([200, 409, 409]);
      const without = await Promise.all([1, 2, 3].map((i) => edit(id, { title: `T${i}` })));
      expect(without.map((r) => r.body.version).sort()).toEqual([3, 4, 5]);
    });

    it('have a new policy version for other settings, and the same for equal ones', async () => {
      const { id, policy } = (await create()).body;
      expect((await edit(id, { policy })).body.policy).toEqual(policy);
      const reordered = Object.fromEntries(Object.entries(STRICT_POLICY).reverse());
      expect((await edit(id, { policy: reordered })).body.policy.version).toBe(1);
      expect((await edit(id, { policy: REVIEW_POLICY })).body.policy).toEqual({
        version: 2,
        ...REVIEW_POLICY,
      });
      expect((await edit(id)).body.policy.version).toBe(2);
      expect((await edit(id, { policy: STRICT_POLICY })).body.policy).toEqual({
        version: 3,
        ...STRICT_POLICY,
      });
    });

    it('keep an outdated preset that is sent back unchanged', async () => {
      const { id } = (await create({ policy: { preset: 'review' } })).body;
      const former = { ...REVIEW_POLICY, face: { everyMs: 1_000, misses: 2 } };
      await app.tamper('update quiz_policies set settings = $1', [former]);
      const kept = { version: 1, ...former };
      expect((await edit(id, { policy: { ...former, preset: 'custom' } })).body.policy).toEqual(
        kept,
      );
      expect((await edit(id, { policy: former })).body.policy).toEqual(kept);
    });
  });

  describe('are open', () => {
    it.each([
      ['active without an end date', {}, true],
      ['active before the end date', { endDate: 10 }, true],
      ['inactive', { isActive: false }, false],
      ['inactive before the end date', { isActive: false, endDate: 10 }, false],
      ['exactly at the end date', { endDate: 0 }, false],
      ['past the end date', { endDate: -1 }, false],
      ['past it, even if people may finish', { endDate: -1, finishAfterEnd: true }, false],
    ])('%s: %s', async (_, settings, isOpen) => {
      const { endDate, ...rest } = settings as { endDate?: number };
      const quiz = await makeQuiz(app, app.admin, {
        ...rest,
        ...(endDate === undefined ? {} : { endDate: inMinutes(endDate) }),
      });
      expect((await find(quiz.id)).isOpen).toBe(isOpen);
      const invited = await app.call('inviteToQuiz', {
        as: app.admin,
        params: { id: quiz.id },
        body: { emails: ['open@example.org'] },
      });
      expect(invited.status).toBe(isOpen ? 200 : 409);
      if (!isOpen) {
        expect(invited.body.message).toBe('Invitations cannot be sent for inactive Assessments');
      }
    });
  });

  describe('when deleted', () => {
    it('leave the lists permanently, and refuse every change as unknown', async () => {
      const quiz = await makeQuiz(app, app.admin);
      expect((await archive(quiz.id)).status).toBe(204);
      expect(await find(quiz.id)).toBeUndefined();
      expect((await archive(quiz.id)).status).toBe(404);
      expect((await edit(quiz.id)).status).toBe(404);
      const invited = await app.call('inviteToQuiz', {
        as: app.admin,
        params: { id: quiz.id },
        body: { emails: ['a@example.org'] },
      });
      expect(invited.status).toBe(404);
    });

    it('keep results and running attempts, and refuse new starts', async () => {
      const quiz = await makeQuiz(app, app.admin, { title: 'Kept' });
      const { candidate, start } = await enter(quiz.id);
      const waiting = await inviteCandidate(app, app.admin, quiz.id, 'waiting@example.org');
      await archive(quiz.id);

      const [q] = quiz.questions;
      const answer = {
        questionId: q?.id,
        selectedOption: q?.correctAnswer,
        isFlagged: false,
        revision: 1,
      };
      const saved = await app.call('saveAnswers', {
        as: candidate.cookie,
        params: { id: start.body.id },
        body: { answers: [answer] },
      });
      expect(saved.status).toBe(200);
      expect((await app.call('startParticipant', { as: candidate.cookie, body: {} })).status).toBe(
        200,
      );
      const submitted = await app.call('submitParticipant', {
        as: candidate.cookie,
        params: { id: start.body.id },
        body: {},
      });
      expect(submitted.status).toBe(200);
      expect(await app.call('startParticipant', { as: waiting.cookie, body: {} })).toMatchObject({
        status: 403,
        body: { code: 'QUIZ_INACTIVE' },
      });
      const me = await app.call('me', { as: waiting.cookie });
      expect(me.body.quiz).toMatchObject({ id: quiz.id, isOpen: false });

      const listed = await app.call('listParticipants', {
        as: app.admin,
        query: { quizId: quiz.id },
      });
      expect(listed.body).toMatchObject([{ quizTitle: 'Kept', score: 1, status: 'completed' }]);
      const report = await app.call('exportParticipants', {
        as: app.admin,
        query: { quizId: quiz.id },
      });
      expect(report.text).toContain('Kept,completed,1,5');
    });
  });

  it('are audited with who created, changed or deleted them', async () => {
    const { id } = (await create()).body;
    await edit(id);
    await archive(id);
    const { rows } = await app.pool.query(
      `select action, admin_id from audit_entries where subject_id = $1 order by id`,
      [id],
    );
    expect(rows.map((r) => r.action)).toEqual(['quiz.created', 'quiz.edited', 'quiz.archived']);
    const me = (await app.call('me', { as: app.admin })).body.user.id;
    expect(new Set(rows.map((r) => r.admin_id))).toEqual(new Set([me]));
  });
});
