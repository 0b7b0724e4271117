import {
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  plainQuestions,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('a new order of questions', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let ids: string[];
  beforeEach(async () => {
    quiz = await makeQuiz(app, app.admin);
    ids = quiz.questions.map((q) => q.id);
  });

  const reorder = (given: unknown, id = quiz.id) =>
    app.call('reorderQuestions', { as: app.admin, params: { id }, body: { ids: given } });
  const listed = async () =>
    (await app.call('listQuestions', { as: app.admin, params: { id: quiz.id } })).body.map(
      (q: { id: string; orderNumber: number }) => [q.id, q.orderNumber],
    );
  const numbered = (order: string[]) => order.map((id, i) => [id, i + 1]);

  it.each([
    ['no list', undefined],
    ['a text', 'abc'],
    ['invalid ids', ['1', '2']],
    ['numbers', [1, 2]],
  ])('is refused with %s', async (_, given) => {
    expect(await reorder(given)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(await listed()).toEqual(numbered(ids));
  });

  it('changes nothing unless every question of the assessment is named exactly once', async () => {
    const other = (await makeQuiz(app, app.admin)).questions[0]?.id ?? '';
    const [first = '', ...rest] = ids;
    for (const given of [[], rest, [...ids, first], [first, ...ids], [...ids, UNKNOWN]]) {
      expect(await reorder(given)).toMatchObject({ status: 409, body: { code: 'STALE' } });
    }
    expect(await reorder([other, ...rest])).toMatchObject({ status: 409 });
    expect(await listed()).toEqual(numbered(ids));
  });

  it('is refused for an unknown or archived assessment', async () => {
    expect((await reorder(ids, UNKNOWN)).status).toBe(404);
    await app.call('deleteQuiz', { as: app.admin, params: { id: quiz.id } });
    expect((await reorder(ids)).status).toBe(404);
  });

  it('numbers the questions from 1, and returns them in their order', async () => {
    const order = ids.toReversed();
    const reply = await reorder(order);
    expect(reply.status).toBe(200);
    expect(reply.body.map((q: { id: string }) => q.id)).toEqual(order);
    expect(reply.body[0]).toMatchObject({ correctAnswer: 'Q5 b', version: 1 });
    expect(await listed()).toEqual(numbered(order));
    // Upper case names the same ids; a question added later goes to the end.
    expect((await reorder(ids.map((id) => id.toUpperCase()))).status).toBe(200);
    const added = await app.call('createQuestion', {
      as: app.admin,
      params: { id: quiz.id },
      body: plainQuestions(6)[5],
    });
    expect(await listed()).toEqual(numbered([...ids, added.body.id]));
  });

  it('is refused if a question was added or deleted since', async () => {
    await app.call('createQuestion', {
      as: app.admin,
      params: { id: quiz.id },
      body: plainQuestions(1)[0],
    });
    expect(await reorder(ids)).toMatchObject({ status: 409, body: { code: 'STALE' } });
    const fresh = (await listed()).map(([id]: [string]) => id);
    await app.call('deleteQuestion', {
      as: app.admin,
      params: { id: quiz.id, questionId: ids[0] ?? '' },
    });
    expect((await reorder(fresh)).status).toBe(409);
  });

  it('is one of two concurrent orders, never a mix', async () => {
    const one = ids.toReversed();
    const two = [...ids.slice(2), ...ids.slice(0, 2)];
    const replies = await Promise.all([reorder(one), reorder(two)]);
    expect(replies.map((r) => r.status)).toEqual([200, 200]);
    expect([numbered(one), numbered(two)]).toContainEqual(await listed());
  });

  it('leaves papers unchanged, and is audited', async () => {
    const attempt = await beginAttempt(app, app.admin, quiz);
    const before = (await attempt.record()).body.questions;
    expect((await reorder(ids.toReversed())).status).toBe(200);
    expect((await attempt.record()).body.questions).toEqual(before);
    const { rows } = await app.pool.query(
      "select action from audit_entries where subject_id = $1 and action like 'questions.%' order by id",
      [quiz.id],
    );
    expect(rows.at(-1)).toEqual({ action: 'questions.reordered' });
  });
});
