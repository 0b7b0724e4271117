import type { Work } from '@invigil/core/contract/installation/works';
import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';

const app = setUpAppWithAdmin();
const headers = { 'content-type': 'application/octet-stream' };
const fileOf = (many: number) =>
  Array.from({ length: many }, (_, i) => `Question ${i} of ${newId()} {=a ~b}`).join('\n\n');
const bodyOf = (order: object, file: string) =>
  Buffer.from(`${JSON.stringify({ name: 'q.gift', ...order })}\n${file}`);
const send = (order: object, file: string) =>
  app.call('importFile', { as: app.admin, headers, body: bodyOf(order, file) });
const list = async (as = app.admin): Promise<Work[]> => (await app.call('listWorks', { as })).body;
const find = async (id: string) => (await list()).find((work) => work.id === id);
const stateOf = async (id: string) => (await find(id))?.state;
const forget = async (id: string, as = app.admin) =>
  (await app.call('forgetWork', { as, params: { id } })).status;
let url: Promise<string> | undefined;
const listen = () => (url ??= app.fastify.listen({ port: 0, host: '127.0.0.1' }));
const stored = async () =>
  (await app.pool.query('select count(*)::int as n from questions')).rows[0].n;

it('an import without an id is in no list', async () => {
  expect((await send({}, fileOf(2))).status).toBe(201);
  expect(await list()).toEqual([]);
});

it('an import is found with its result, by who began it alone, until it is taken off', async () => {
  const other = await signInAdmin(app, 'other@example.org');
  const id = newId();
  const { status, body } = await send({ work: id, items: [0, 2] }, fileOf(3));
  expect(status).toBe(201);
  const begunAt = app.clock.now().toISOString();
  const work = { id, kind: 'questions.import', name: 'q.gift', quizId: null, questionId: null };
  const ended = { state: 'done', done: 2, total: 2, result: body, failure: null };
  expect(await list()).toEqual([{ ...work, begunAt, ...ended }]);
  expect(await list(other)).toEqual([]);
  expect(await forget(id, other)).toBe(404);
  expect(await forget(id)).toBe(204);
  expect(await forget(id)).toBe(404);
  expect(await list()).toEqual([]);
});

it('an id is used once, and nothing is added by the second', async () => {
  const id = newId();
  expect((await send({ work: id }, fileOf(1))).status).toBe(201);
  const before = await stored();
  expect(await send({ work: id }, fileOf(1))).toMatchObject({
    status: 409,
    body: { code: 'WORK_BEGUN' },
  });
  expect(await stored()).toBe(before);
  expect(await stateOf(id)).toBe('done');
});

it('a failure is found, too', async () => {
  const id = newId();
  expect((await send({ work: id, name: 'q.zip' }, 'PK no archive')).status).toBe(400);
  expect(await find(id)).toMatchObject({ state: 'failed', failure: 'INVALID_QUESTIONS' });
});

it('goes on when its caller leaves, and not when it is canceled', async () => {
  const url = await listen();
  const begin = async (many: number) => {
    const id = newId();
    const left = new AbortController();
    const request = fetch(`${url}/api/questions/import`, {
      method: 'POST',
      headers: { ...headers, cookie: `invigil_session=${app.admin}` },
      body: bodyOf({ work: id }, fileOf(many)),
      signal: left.signal,
    });
    await expect.poll(() => stateOf(id)).toBe('running');
    left.abort();
    await expect(request).rejects.toThrow('aborted');
    return id;
  };
  const before = await stored();
  const id = await begin(300);
  await expect.poll(() => stateOf(id), { timeout: 30_000 }).toBe('done');
  expect(await find(id)).toMatchObject({ done: 300, result: { added: 300 } });
  expect(await stored()).toBe(before + 300);

  const canceled = await begin(301);
  expect(await forget(canceled)).toBe(204);
  // The next one waits until it is over: each person has one place in the queue.
  const isFree = async () => (await send({}, fileOf(1))).status === 201;
  await expect.poll(isFree, { timeout: 30_000 }).toBe(true);
  expect(await stored()).toBe(before + 301);
});

it('is lost after a stop of the server', async () => {
  const id = newId();
  await app.pool.query(
    `insert into works (id, admin_id, kind, name, begun_at, alive_at)
     select $1, id, 'questions.import', 'q.gift', $2, $2 from admins limit 1`,
    [id, app.clock.now()],
  );
  expect(await stateOf(id)).toBe('running');
  app.clock.advance({ seconds: 21 });
  expect(await stateOf(id)).toBe('lost');
});

describe('a rescoring', () => {
  /** A quiz whose first key is wrong: of three attempts two have another score by the right one. */
  async function begun() {
    const quiz = await makeQuiz(app, app.admin);
    const [question] = quiz.questions;
    if (!question) throw new Error('no question was made');
    const attempts: BegunAttempt[] = [];
    for (const option of [1, 2, 0]) {
      const attempt = await beginAttempt(app, app.admin, quiz);
      await attempt.save(0, option, 1);
      await attempt.submit();
      attempts.push(attempt);
    }
    const params = { id: quiz.id, questionId: question.id };
    const body = { ...question, correctAnswer: question.options[2] };
    expect((await app.call('updateQuestion', { as: app.admin, params, body })).status).toBe(200);
    const rescore = (more: object) =>
      app.call('rescoreQuestion', { as: app.admin, params, body: { dryRun: false, ...more } });
    const scores = () => Promise.all(attempts.map(async (one) => (await one.row()).score));
    return { params, attempts, rescore, scores };
  }

  it('is found with counts alone, and its dry run too, which changes nothing', async () => {
    const { params, rescore, scores } = await begun();
    const [check, correct] = [newId(), newId()];
    expect((await rescore({ work: check, dryRun: true })).body.changes).toHaveLength(2);
    const ended = { name: '', quizId: params.id, questionId: params.questionId, state: 'done' };
    const counts = { done: 3, total: 3, result: { participants: 3, changed: 2 }, failure: null };
    expect(await find(check)).toMatchObject({ kind: 'scores.check', ...ended, ...counts });
    expect(await scores()).toEqual([1, 0, 0]);
    expect((await rescore({ work: correct })).body).toMatchObject({ applied: true });
    expect(await find(correct)).toMatchObject({ kind: 'scores.correct', ...ended, ...counts });
    expect(await scores()).toEqual([0, 1, 0]);
  });

  it('is not begun for a question that the assessment does not have', async () => {
    const { params } = await begun();
    const other = await makeQuiz(app, app.admin);
    const work = newId();
    const body = { dryRun: true, work };
    for (const id of [other.id, newId()]) {
      const call = { as: app.admin, params: { ...params, id }, body };
      expect((await app.call('rescoreQuestion', call)).status).toBe(404);
    }
    expect(await find(work)).toBeUndefined();
  });

  it('goes on when its caller leaves, and changes nothing when it is canceled', async () => {
    const { params, attempts, scores } = await begun();
    const url = `${await listen()}/api/quizzes/${params.id}/questions/${params.questionId}`;
    /** Begins one that waits for an attempt, and leaves it. */
    const leave = async () => {
      const held = await HeldWindow.open(
        app.pool,
        'select 1 from participants where id = $1 for update',
        [attempts[0]?.id],
      );
      const work = newId();
      const left = new AbortController();
      const request = fetch(`${url}/rescore`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          cookie: `invigil_session=${app.admin}`,
        },
        body: JSON.stringify({ dryRun: false, work }),
        signal: left.signal,
      });
      await held.untilStuck(app.pool, 1);
      expect(await stateOf(work)).toBe('running');
      left.abort();
      await expect(request).rejects.toThrow('aborted');
      return { work, held };
    };
    const canceled = await leave();
    expect(await forget(canceled.work)).toBe(204);
    await canceled.held.release();
    const isOver = async () =>
      (
        await app.pool.query(
          `select count(*)::int as n from pg_stat_activity
           where datname = current_database() and xact_start is not null
             and pid <> pg_backend_pid()`,
        )
      ).rows[0].n === 0;
    await expect.poll(isOver).toBe(true);
    expect(await scores()).toEqual([1, 0, 0]);

    const { work, held } = await leave();
    await held.release();
    await expect.poll(() => stateOf(work), { timeout: 30_000 }).toBe('done');
    expect(await scores()).toEqual([0, 1, 0]);
  });
});
