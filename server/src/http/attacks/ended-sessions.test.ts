import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import {
  ADMIN,
  type BegunAttempt,
  beginAttempt,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { openRawConnection, rawHead } from '@invigil/testkit/raw-connection';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

const reason = 'They asked for it';
const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });
const gift = 'Two? {=2 ~3}';

describe('a request that was begun before its administrator was deleted', () => {
  const app = setUpAppWithAdmin();
  let port: number;
  let attempt: BegunAttempt;
  /** The one who is deleted. */
  let former: { cookie: string; id: string };
  let n = 0;

  beforeAll(async () => {
    attempt = await beginAttempt(app, app.admin);
    port = Number(new URL(await app.fastify.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  beforeEach(async () => {
    n += 1;
    const email = `former${n}@example.org`;
    const cookie = await signInAdmin(app, email);
    const { rows } = await app.pool.query('select id from admins where email = $1', [email]);
    former = { cookie, id: rows[0].id };
  });

  /** All that an administrator can change here. */
  async function stored() {
    const { rows } = await app.pool.query(
      `select (select count(*) from categories)::int as categories, (select count(*) from questions)::int as questions,
         (select count(*) from images)::int as images, (select max(close_at) from participants) as closes,
         (select count(*) from outbox)::int as outbox,
         (select count(*) from audit_entries where admin_id = $1)::int as audit`,
      [former.id],
    );
    return rows[0];
  }
  const remove = async () => {
    const reply = await app.call('deleteAdmin', { as: app.admin, params: { id: former.id } });
    expect(reply.status).toBe(204);
  };

  it.each<[EndpointName, { type: string; body: string }]>([
    ['createCategory', json({ name: 'Late' })],
    ['addToBank', json({ definition: plainDefinition('Late?', ['a', 'b'], 'a') })],
    ['extendParticipant', json({ minutes: 5, reason })],
    ['inviteToQuiz', json({ emails: ['late@example.org'] })],
    [
      'uploadImage',
      {
        type: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      },
    ],
    ['readImport', { type: 'application/octet-stream', body: gift }],
  ])('is refused once its body has arrived: %s', async (name, { type, body }) => {
    const before = await stored();
    const row: Endpoint = ENDPOINTS[name];
    const id = name === 'extendParticipant' ? attempt.id : attempt.quiz.id;
    const path = `${row.path.replace(':id', id)}${name === 'readImport' ? '?name=a.gift' : ''}`;
    const headers = {
      cookie: `invigil_session=${former.cookie}`,
      'content-type': type,
      'content-length': `${Buffer.byteLength(body)}`,
    };
    const connection = openRawConnection(port);
    connection.write(rawHead(row.method, path, headers) + body.slice(0, 5));
    // Answered after the first has been admitted.
    const other = openRawConnection(port);
    other.write(rawHead('GET', ENDPOINTS.me.path, { cookie: `invigil_session=${former.cookie}` }));
    expect(await other.next()).toMatchObject({ status: 200 });
    other.destroy();
    await remove();
    connection.write(body.slice(5));
    expect(await connection.next()).toMatchObject({ status: 401 });
    connection.destroy();
    expect(await stored()).toEqual(before);
  });

  /** Gives extra time, which waits for a lock until something has been done. */
  async function extendDuring(act: () => Promise<void>): Promise<number> {
    const held = await app.pool.connect();
    await held.query('begin');
    await held.query('select 1 from participants where id = $1 for update', [attempt.id]);
    const extending = app.call('extendParticipant', {
      as: former.cookie,
      params: { id: attempt.id },
      body: { minutes: 5, reason },
    });
    const waiting = `select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await app.pool.query(waiting)).rowCount).toBe(1);
    await act();
    await held.query('rollback');
    held.release();
    return (await extending).status;
  }

  it('changes nothing when it had to wait for a lock', async () => {
    const before = await stored();
    expect(await extendDuring(remove)).toBe(401);
    expect(await stored()).toEqual(before);
  });

  it('nor does one with a stolen session finish after the password was changed', async () => {
    const before = await stored();
    const login = { email: `former${n}@example.org`, password: ADMIN.password };
    const own = (await app.call('login', { body: login })).cookie;
    const change = async () => {
      const body = { currentPassword: ADMIN.password, newPassword: 'another quiet desk' };
      expect((await app.call('changeOwnPassword', { as: own, body })).status).toBe(200);
    };
    expect(await extendDuring(change)).toBe(401);
    expect((await stored()).closes).toEqual(before.closes);
  });
});
