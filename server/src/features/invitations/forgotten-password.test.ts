import {
  inviteForCodes,
  mailServer,
  makeQuiz,
  setUpAppWithAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const EMAIL = 'ada@example.org';

describe('a lost one-time password', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  let quizId: string;
  let first: string;

  beforeEach(async () => {
    await app.pool.query('delete from outbox; delete from sign_in_failures');
    await app.pool.query('update invitations set revoked_at = now() where revoked_at is null');
    quizId = (await makeQuiz(app, app.admin)).id;
    [first = ''] = await inviteForCodes(app, app.admin, quizId, [EMAIL]);
    const body = mailServer(1);
    expect((await app.call('putSmtpSettings', { as: app.admin, body })).status).toBe(200);
  });

  const ask = (email: string) => app.call('requestPasswordReset', { body: { email } });
  const waiting = async (): Promise<number> => {
    const { rows } = await app.pool.query(
      "select count(*)::int as n from outbox where kind = 'invitation'",
    );
    return rows[0].n;
  };
  const login = (password: string) => app.call('login', { body: { email: EMAIL, password } });

  it('is sent again to the invited address, and the first one keeps working', async () => {
    const before = await waiting();
    expect((await ask(` ${EMAIL.toUpperCase()} `)).status).toBe(202);
    await expect.poll(waiting).toBe(before + 1);
    expect((await login(first)).status).toBe(200);
    const { rows } = await app.pool.query(
      "select admin_id, details from audit_entries where action = 'invitations.resent' order by number desc nulls first limit 1",
    );
    expect(rows).toEqual([{ admin_id: null, details: { queued: 1 } }]);
  });

  it('opens an attempt that is under way on another device', async () => {
    const { cookie } = await signInCandidate(app, EMAIL, first);
    expect((await app.call('startParticipant', { as: cookie, body: {} })).status).toBe(201);
    await app.pool.query('delete from outbox');
    await ask(EMAIL);
    await expect.poll(waiting).toBe(1);
  });

  it('is answered alike for every address, and sent to none that cannot start', async () => {
    const before = await waiting();
    await app.pool.query('update quizzes set is_active = false where id = $1', [quizId]);
    const known = await ask(EMAIL);
    const unknown = await ask('nobody@example.org');
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    await app.pool.query('update quizzes set is_active = true where id = $1', [quizId]);
    await app.pool.query('update invitations set revoked_at = now() where quiz_id = $1', [quizId]);
    await ask(EMAIL);
    await app.call('me', { as: app.admin });
    expect(await waiting()).toBe(before);
  });
});
