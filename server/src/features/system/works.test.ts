import type { Work } from '@invigil/core/contract/installation/works';
import { setUpAppWithAdmin, signInAdmin } from '@invigil/testkit/factories';
import { expect, it } from 'vitest';
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
  const work = { id, kind: 'questions.import', name: 'q.gift', quizId: null, begunAt };
  const ended = { state: 'done', done: 2, total: 2, result: body, failure: null };
  expect(await list()).toEqual([{ ...work, ...ended }]);
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
    status: 503,
    body: { code: 'IMPORT_BUSY' },
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
  const url = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
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
