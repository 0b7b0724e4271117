import {
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  plainQuestions,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeAll, describe, expect, it } from 'vitest';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('questions', () => {
  const app = setUpAppWithAdmin();
  let n = 0;
  const add = (quizId: string, body: unknown) =>
    app.call('createQuestion', { as: app.admin, params: { id: quizId }, body });
  const edit = (quizId: string, questionId: string, body: unknown) =>
    app.call('updateQuestion', { as: app.admin, params: { id: quizId, questionId }, body });
  const remove = (quizId: string, questionId: string) =>
    app.call('deleteQuestion', { as: app.admin, params: { id: quizId, questionId } });
  const list = (quizId: string) =>
    app.call('listQuestions', { as: app.admin, params: { id: quizId } });
  const archive = (quizId: string) =>
    app.call('deleteQuiz', { as: app.admin, params: { id: quizId } });
  const enter = async (quiz: MadeQuiz) => {
    n += 1;
    const candidate = await inviteCandidate(app, app.admin, quiz.id, `q${n}@example.org`);
    const start = await app.call('startParticipant', { as: candidate.cookie, body: {} });
    const paper = () =>
      app.call('listQuestions', {
        as: candidate.cookie,
        params: { id: quiz.id },
        query: { forAssessment: 'true' },
      });
    return { candidate, attempt: start.body, paper };
  };

  describe('entered by hand', () => {
    let quiz: MadeQuiz;
    beforeAll(async () => {
      quiz = await makeQuiz(app, app.admin, { questions: [] });
    });

    const good = { question: 'Q', options: ['a', 'b', 'c', 'd'], correctAnswer: 'b' };

    it('are refused if the body names another assessment', async () => {
      const other = await makeQuiz(app, app.admin, { questions: [] });
      expect((await add(quiz.id, { ...good, quizId: other.id })).status).toBe(404);
      const made = await add(quiz.id, { ...good, quizId: quiz.id });
      expect(made.status).toBe(201);
      expect((await edit(quiz.id, made.body.id, { ...good, quizId: other.id })).status).toBe(404);
      await remove(quiz.id, made.body.id);
    });

    it.each([
      ['no question', { question: ' ' }, 'question', 'Please enter a question'],
      [
        'a wrong answer',
        { correctAnswer: 'x' },
        'correctAnswer',
        'Selected correct answer must be one of the options',
      ],
    ])('are refused with %s, with a message at the field', async (_, change, path, message) => {
      const reply = await add(quiz.id, { ...good, ...change });
      expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', message } });
      expect(reply.body.issues).toEqual([{ path, message }]);
      expect((await list(quiz.id)).body).toEqual([]);
    });

    it('are refused for an unknown or archived assessment', async () => {
      const gone = await makeQuiz(app, app.admin);
      await archive(gone.id);
      for (const id of [UNKNOWN, gone.id]) {
        expect((await add(id, good)).body).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' });
        expect((await list(id)).status).toBe(404);
      }
    });

    it('are returned trimmed, numbered in order, with each encoding of the options', async () => {
      const first = await add(quiz.id, { ...good, question: ' Q1 ', quizId: quiz.id });
      expect(first).toMatchObject({
        status: 201,
        body: {
          quizId: quiz.id,
          type: 'multiple_choice',
          question: 'Q1',
          options: ['a', 'b', 'c', 'd'],
          correctAnswer: 'b',
          orderNumber: 1,
          version: 1,
        },
      });
      const second = await add(quiz.id, {
        ...good,
        question: 'Q2',
        options: '["a, b", " c ", ""]',
        correctAnswer: 'c',
      });
      expect(second.body).toMatchObject({ options: ['a, b', 'c'], orderNumber: 2 });
      const third = await add(quiz.id, {
        ...good,
        question: 'Q3',
        options: 'a, "b, c"',
        correctAnswer: 'b, c',
      });
      expect(third.body).toMatchObject({ options: ['a', 'b, c'], orderNumber: 3 });
      const between = await add(quiz.id, { ...good, question: 'Q1b', orderNumber: 1 });
      expect(between.body.orderNumber).toBe(1);
      const listed = (await list(quiz.id)).body;
      expect(listed.map((q: { question: string }) => q.question)).toEqual([
        'Q1',
        'Q1b',
        'Q2',
        'Q3',
      ]);
      expect(listed[0]).toEqual(first.body);
      const quizzes = (await app.call('listQuizzes', { as: app.admin })).body;
      expect(quizzes.find((q: { id: string }) => q.id === quiz.id).questionCount).toBe(4);
    });

    it('get different numbers when added concurrently', async () => {
      const own = await makeQuiz(app, app.admin, { questions: [] });
      const replies = await Promise.all(Array.from({ length: 8 }, () => add(own.id, good)));
      const numbers = replies.map((r) => r.body.orderNumber).sort((a, b) => a - b);
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    });
  });

  describe('an edit', () => {
    it('is refused for an unknown question, a stale version and invalid values', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const other = await makeQuiz(app, app.admin);
      const [q] = quiz.questions;
      const body = { ...plainQuestions(1)[0] };
      const foreign = other.questions[0]?.id ?? '';
      expect((await edit(quiz.id, UNKNOWN, body)).status).toBe(404);
      expect((await edit(UNKNOWN, q?.id ?? '', body)).status).toBe(404);
      expect((await edit(quiz.id, foreign, body)).status).toBe(404);
      expect(await edit(quiz.id, q?.id ?? '', { ...body, version: 2 })).toMatchObject({
        status: 409,
        body: { code: 'STALE' },
      });
      expect(await edit(quiz.id, q?.id ?? '', { ...body, correctAnswer: 'x' })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'correctAnswer' }] },
      });
      expect((await list(quiz.id)).body[0]).toMatchObject({ version: 1, question: 'Q1' });
    });

    it('creates a new version each time; without a version the last one wins', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const id = quiz.questions[0]?.id ?? '';
      const body = { question: 'Edited', options: ['x', 'y'], correctAnswer: 'y' };
      expect(await edit(quiz.id, id, { ...body, version: 1 })).toMatchObject({
        status: 200,
        body: { id, version: 2, question: 'Edited', orderNumber: 1 },
      });
      expect((await edit(quiz.id, id, { ...body, version: 1 })).body.code).toBe('STALE');
      expect(
        (await edit(quiz.id, id, { ...body, question: 'Last', orderNumber: 9 })).body,
      ).toMatchObject({ version: 3, question: 'Last', orderNumber: 9 });
      expect((await list(quiz.id)).body.at(-1)).toMatchObject({ id, version: 3 });
    });

    it('succeeds for one of several concurrent ones, and refuses the others', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const id = quiz.questions[0]?.id ?? '';
      const body = { question: 'E', options: ['x', 'y'], correctAnswer: 'y', version: 1 };
      const replies = await Promise.all([1, 2, 3].map(() => edit(quiz.id, id, body)));
      expect(replies.map((r) => r.status).sort()).toEqual([200, 409, 409]);
    });
  });

  describe('a deletion', () => {
    it('is refused once someone has started, even after they have ended', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const { candidate, attempt } = await enter(quiz);
      const id = quiz.questions[4]?.id ?? '';
      const refusal = {
        status: 409,
        body: {
          code: 'QUESTION_IN_USE',
          message: 'A candidate has started. Questions can be edited but not deleted',
        },
      };
      expect(await remove(quiz.id, id)).toMatchObject(refusal);
      await app.call('submitParticipant', {
        as: candidate.cookie,
        params: { id: attempt.id },
        body: {},
      });
      expect(await remove(quiz.id, id)).toMatchObject(refusal);
      expect((await list(quiz.id)).body).toHaveLength(5);
    });

    it('is refused for an unknown question or one of another assessment', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const other = await makeQuiz(app, app.admin);
      expect((await remove(quiz.id, UNKNOWN)).status).toBe(404);
      expect((await remove(quiz.id, other.questions[0]?.id ?? '')).status).toBe(404);
      expect((await remove(UNKNOWN, quiz.questions[0]?.id ?? '')).status).toBe(404);
      expect((await list(other.id)).body).toHaveLength(5);
    });

    it('removes the question permanently, and does not reuse its number', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const [, second] = quiz.questions;
      expect((await remove(quiz.id, second?.id ?? '')).status).toBe(204);
      expect((await remove(quiz.id, second?.id ?? '')).status).toBe(404);
      expect((await edit(quiz.id, second?.id ?? '', plainQuestions(1)[0])).status).toBe(404);
      const listed = (await list(quiz.id)).body;
      expect(listed.map((q: { question: string }) => q.question)).toEqual(['Q1', 'Q3', 'Q4', 'Q5']);
      const added = await add(quiz.id, plainQuestions(1)[0]);
      expect(added.body.orderNumber).toBe(6);
      const { paper } = await enter(quiz);
      const ids = (await paper()).body.map((q: { id: string }) => q.id);
      expect(ids).not.toContain(second?.id);
      expect(ids).toHaveLength(5);
    });

    it('of several is all or nothing, with an audit entry for each', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const [first, second] = quiz.questions.map(({ id }) => id);
      const removeAll = (ids: unknown) =>
        app.call('deleteQuestions', { as: app.admin, params: { id: quiz.id }, body: { ids } });
      expect((await removeAll([])).status).toBe(400);
      expect((await removeAll([first, UNKNOWN])).status).toBe(404);
      expect((await list(quiz.id)).body).toHaveLength(5);
      expect(await removeAll([first, second, first])).toMatchObject({
        status: 200,
        body: { deleted: 2 },
      });
      expect((await list(quiz.id)).body).toHaveLength(3);
      const { rows } = await app.pool.query(
        "select count(*)::int as n from audit_entries where action = 'question.deleted' and subject_id = any ($1)",
        [[first, second]],
      );
      expect(rows).toEqual([{ n: 2 }]);
      await enter(quiz);
      expect(await removeAll([quiz.questions[4]?.id])).toMatchObject({
        status: 409,
        body: { code: 'QUESTION_IN_USE' },
      });
    });

    it('during a concurrent start never leaves a paper with a deleted question', async () => {
      for (let i = 0; i < 6; i += 1) {
        const quiz = await makeQuiz(app, app.admin);
        n += 1;
        const candidate = await inviteCandidate(app, app.admin, quiz.id, `q${n}@example.org`);
        const [deleted, started] = await Promise.all([
          remove(quiz.id, quiz.questions[0]?.id ?? ''),
          app.call('startParticipant', { as: candidate.cookie, body: {} }),
        ]);
        expect([deleted.status, started.body.totalQuestions]).toEqual(
          deleted.status === 204 ? [204, 4] : [409, 5],
        );
      }
    });
  });

  describe('for a candidate', () => {
    it('are refused without forAssessment=true, before the start and for other assessments', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const other = await makeQuiz(app, app.admin);
      const { candidate } = await enter(quiz);
      const read = (id: string, query: Record<string, string>, as = candidate.cookie) =>
        app.call('listQuestions', { as, params: { id }, query });
      for (const query of [{}, { forAssessment: 'false' }] as Record<string, string>[]) {
        expect(await read(quiz.id, query)).toMatchObject({
          status: 403,
          body: { code: 'FOR_ASSESSMENT_ONLY' },
        });
      }
      expect((await read(quiz.id, { forAssessment: 'yes' })).status).toBe(400);
      expect((await read(other.id, { forAssessment: 'true' })).status).toBe(404);
      const waiting = await inviteCandidate(app, app.admin, quiz.id, 'waiting@example.org');
      expect(await read(quiz.id, { forAssessment: 'true' }, waiting.cookie)).toMatchObject({
        status: 403,
        body: { code: 'NOT_IN_PROGRESS' },
      });
    });

    it('have the order of the paper and no key, the same for every request', async () => {
      const quiz = await makeQuiz(app, app.admin, {
        questions: plainQuestions(12),
        totalQuestions: 8,
      });
      const { paper, attempt } = await enter(quiz);
      const first = await paper();
      expect(first.body).toHaveLength(8);
      expect(attempt.totalQuestions).toBe(8);
      expect(first.body.map((q: { orderNumber: number }) => q.orderNumber)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8,
      ]);
      for (const q of first.body) {
        expect(Object.keys(q).sort()).toEqual(
          ['id', 'options', 'orderNumber', 'question', 'quizId', 'type'].sort(),
        );
        const source = quiz.questions.find((s) => s.id === q.id);
        expect([...q.options].sort()).toEqual([...(source?.options ?? [])].sort());
      }
      expect((await paper()).body).toEqual(first.body);
      await app.rebuild();
      expect((await paper()).body).toEqual(first.body);
    });

    it('are refused when the attempt has ended, even before the server has closed it', async () => {
      const quiz = await makeQuiz(app, app.admin, { duration: 1 });
      const { paper } = await enter(quiz);
      expect((await paper()).status).toBe(200);
      app.clock.advance(afterGrace({ minutes: 1 }));
      expect(await paper()).toMatchObject({ status: 403, body: { code: 'ATTEMPT_CLOSED' } });
    });
  });
});
