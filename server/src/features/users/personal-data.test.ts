import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Candidate,
  inviteCandidate,
  inviteForCodes,
  makeQuiz,
  signInAdmin,
} from '../../testing/factories.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe("a person's data", () => {
  let app: TestApp;
  let admin: string;
  let quizId: string;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
    quizId = (await makeQuiz(app, admin)).id;
  });
  afterAll(() => app.stop());

  const start = async (candidate: Candidate) =>
    (
      await app.call('startParticipant', {
        as: candidate.cookie,
        body: { consent: { textVersion: '2026-1' }, deviceCheck: { camera: 'Cam of Frida' } },
        address: '203.0.113.77',
      })
    ).body.id as string;
  const submit = (candidate: Candidate, id: string) =>
    app.call('submitParticipant', { as: candidate.cookie, params: { id }, body: { answers: [] } });
  const erase = (id: string, reason = 'Asked for it') =>
    app.call('erasePerson', { as: admin, params: { id }, body: { reason } });

  /** Every row of every table, as one text. */
  async function everything(): Promise<string> {
    const { rows: tables } = await app.pool.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public'`,
    );
    const texts = await Promise.all(
      tables.map(async ({ name }) => (await app.pool.query(`select t::text from ${name} t`)).rows),
    );
    return JSON.stringify(texts);
  }

  async function wholeStory(email: string) {
    const candidate = await inviteCandidate(app, admin, quizId, email);
    const id = await start(candidate);
    await submit(candidate, id);
    await app.call('giveFeedback', {
      as: candidate.cookie,
      body: { participantId: id, emoji: 'sad', text: 'Signed, Frida Kahlo' },
    });
    await app.call('noteParticipant', {
      as: admin,
      params: { id },
      body: { note: 'Frida phoned us' },
    });
    await app.call('replaceParticipant', {
      as: admin,
      params: { id },
      body: { how: 'another', reason: 'Frida was ill' },
    });
    return { candidate, id };
  }

  it('is exported as one document, and that is audited', async () => {
    const { candidate, id } = await wholeStory('export@example.org');
    const reply = await app.call('exportPerson', {
      as: admin,
      params: { id: candidate.userId },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="person_${candidate.userId}.json"`,
    );
    expect(JSON.parse(reply.text)).toMatchObject({
      exportedAt: app.clock.now().toISOString(),
      person: { id: candidate.userId, email: 'export@example.org' },
      invitations: [{ quizId, extraTimeFactor: 1 }],
      attempts: [
        {
          participant: { id, status: 'completed' },
          consent: { textVersion: '2026-1', address: '203.0.113.77' },
          deviceCheck: { camera: 'Cam of Frida' },
          feedback: { emoji: 'sad', text: 'Signed, Frida Kahlo' },
          note: 'Frida phoned us',
        },
      ],
    });
    const log = await app.call('listAudit', { as: admin, query: { search: 'person.exported' } });
    expect(log.body).toMatchObject([{ subjectType: 'user', subjectId: candidate.userId }]);
    const unknown = await app.call('exportPerson', { as: admin, params: { id: UNKNOWN } });
    expect(unknown.status).toBe(404);
  });

  it('is erased everywhere, and the result stays without a name', async () => {
    const { candidate, id } = await wholeStory('frida@example.org');
    const traces = /frida|203\.0\.113\.77/i;
    expect(await everything()).toMatch(traces);
    // The other person of this file carries the same words.
    const others = await app.pool.query(`select id from users where email = 'export@example.org'`);
    await erase(others.rows[0].id);

    expect((await erase(candidate.userId)).status).toBe(204);
    expect(await everything()).not.toMatch(traces);

    const record = await app.call('getParticipantRecord', { as: admin, params: { id } });
    expect(record.body).toMatchObject({
      participant: { id, userEmail: null, status: 'completed', score: 0 },
      note: '',
      deviceCheck: null,
      feedback: { emoji: 'sad', text: null },
      consent: { textVersion: '2026-1', address: 'Unknown' },
    });
    const log = await app.call('listAudit', { as: admin, query: { search: candidate.userId } });
    expect(log.body[0]).toMatchObject({
      action: 'person.erased',
      details: { reason: 'Asked for it' },
    });
  });

  it('ends what the person could still do', async () => {
    const candidate = await inviteCandidate(app, admin, quizId, 'gone@example.org');
    await erase(candidate.userId);
    expect((await app.call('me', { as: candidate.cookie })).status).toBe(401);
    const again = await app.call('login', {
      body: { email: candidate.email, password: candidate.code },
    });
    expect(again).toMatchObject({ status: 401, body: { message: 'Invalid credentials' } });
  });

  it('stops a message that was waiting, and the code in it', async () => {
    await inviteForCodes(app, admin, quizId, ['waiting@example.org']);
    const person = await app.pool.query(`select id from users where email = 'waiting@example.org'`);
    await erase(person.rows[0].id);
    const { rows } = await app.pool.query(
      `select o.recipient, o.state, o.sealed_code from outbox o
       join invitations i on i.id = o.invitation_id where i.user_id = $1`,
      [person.rows[0].id],
    );
    expect(rows).toEqual([{ recipient: 'Unknown', state: 'failed', sealed_code: null }]);
  });

  it('makes way for the same address to be invited anew, as somebody else', async () => {
    const first = await inviteCandidate(app, admin, quizId, 'anew@example.org');
    await erase(first.userId);
    const second = await inviteCandidate(app, admin, quizId, 'anew@example.org');
    expect(second.userId).not.toBe(first.userId);
    expect((await app.call('me', { as: second.cookie })).status).toBe(200);
  });

  it('is not erased under somebody who is writing, nor for nobody or without a reason', async () => {
    const candidate = await inviteCandidate(app, admin, quizId, 'writing@example.org');
    await start(candidate);
    expect(await erase(candidate.userId)).toMatchObject({
      status: 409,
      body: { code: 'STILL_RUNNING' },
    });
    expect((await app.call('me', { as: candidate.cookie })).status).toBe(200);
    expect((await erase(UNKNOWN)).status).toBe(404);
    expect(await erase(candidate.userId, ' ')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'reason', message: 'Give a reason' }] },
    });
  });

  it('seals nothing more for a person who was erased', async () => {
    const { candidate, id } = await wholeStory('late@example.org');
    await erase(candidate.userId);
    const log = () => app.call('listAudit', { as: admin, query: { search: id } });
    expect((await log()).body[0]).toMatchObject({ details: { reason: 'Erased' } });
  });
});
