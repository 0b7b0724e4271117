import type { EndpointName } from '@invigil/core/contract/endpoints';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import type { CallInput } from '@invigil/testkit/app';
import { ADMIN, beginAttempt, makeQuiz, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const REFUSAL = { status: 403, body: { code: 'CONFIRM_PASSWORD' } };
const HOST = { host: '127.0.0.1', port: 2525, username: 'u', password: 'p', fromEmail: 'a@b.org' };

describe('a sensitive action', () => {
  const app = setUpApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1, 127.0.0.2' });
  let admin: string;
  let otherId: string;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `acting-${n}@example.org`);
    await signInAdmin(app, `other-${n}@example.org`);
    const listed = (await app.call('listAdmins', { as: admin })).body;
    otherId = listed.find((row: { email: string }) => row.email === `other-${n}@example.org`).id;
    await app.pool.query('delete from smtp_settings');
  });

  const call = (name: EndpointName, input: CallInput = {}) =>
    app.call(name, { as: admin, ...input });
  const confirm = (currentPassword: unknown = ADMIN.password, as = admin) =>
    app.call('confirmPassword', { as, body: { currentPassword } });

  /** Refused when the password is 15 minutes old, accepted unchanged once it is confirmed. */
  async function needsFreshPassword(name: EndpointName, input: CallInput, done: number) {
    app.clock.advance({ minutes: 15, ms: 1 });
    expect(await call(name, input)).toMatchObject(REFUSAL);
    expect((await confirm()).status).toBe(204);
    app.clock.advance({ minutes: 15 });
    expect((await call(name, input)).status).toBe(done);
  }

  it('is adding an administrator', async () => {
    const body = { email: `added-${n}@example.org`, password: 'granite lantern otter' };
    await needsFreshPassword('createAdmin', { body }, 201);
  });
  it('is removing one', async () => {
    await needsFreshPassword('deleteAdmin', { params: { id: otherId } }, 204);
  });
  it('is resetting the second step of another', async () => {
    await needsFreshPassword('resetTotp', { params: { id: otherId } }, 409);
  });
  it('is requiring the second step', async () => {
    await needsFreshPassword('putSignInPolicy', { body: { totpRequired: false } }, 200);
  });
  it('is exporting a person with the evidence', async () => {
    const attempt = await beginAttempt(app, admin);
    const params = { id: attempt.candidate.userId };
    await needsFreshPassword('exportPerson', { params }, 200);
  });
  it('is setting another mail server, and switching it off', async () => {
    await needsFreshPassword('putSmtpSettings', { body: HOST }, 200);
    await needsFreshPassword('putSmtpSettings', { body: { ...HOST, host: '127.0.0.2' } }, 200);
    const off = { ...HOST, host: '127.0.0.2', isActive: false };
    app.clock.advance({ minutes: 16 });
    const sender = { ...HOST, host: '127.0.0.2', fromEmail: 'c@d.org' };
    expect((await call('putSmtpSettings', { body: sender })).status).toBe(200);
    await needsFreshPassword('putSmtpSettings', { body: off }, 200);
  });
  it('is changing the policy while someone takes the assessment, but not before or otherwise', async () => {
    const quiz = await makeQuiz(app, admin, { duration: 180 });
    const listed = (await call('listQuizzes')).body;
    const { version: _, ...settings } = listed.find((row: { id: string }) => row.id === quiz.id);
    const policy = { ...STRICT_POLICY, preset: 'custom', cooldownMs: 20_000 };
    const params = { id: quiz.id };
    app.clock.advance({ minutes: 16 });
    expect((await call('updateQuiz', { params, body: { ...settings, policy } })).status).toBe(200);
    await beginAttempt(app, admin, quiz);
    const body = { ...settings, title: 'Other', policy };
    expect((await call('updateQuiz', { params, body })).status).toBe(200);
    const changed = { ...body, policy: { ...policy, cooldownMs: 30_000 } };
    await needsFreshPassword('updateQuiz', { params, body: changed }, 200);
  });

  it('is refused in a session without a recorded password time', async () => {
    await app.pool.query('update sessions set password_at = null');
    expect(await call('deleteAdmin', { params: { id: otherId } })).toMatchObject(REFUSAL);
    expect((await confirm()).status).toBe(204);
    expect((await call('deleteAdmin', { params: { id: otherId } })).status).toBe(204);
  });

  it('is refused before its body is validated', async () => {
    app.clock.advance({ minutes: 16 });
    expect(await call('createAdmin', { body: { email: 3 } })).toMatchObject(REFUSAL);
  });

  it('is not allowed by a wrong, missing or foreign password, which is throttled per session', async () => {
    app.clock.advance({ minutes: 16 });
    expect((await confirm('', admin)).status).toBe(400);
    expect(await confirm('not my password')).toMatchObject({
      status: 400,
      body: { code: 'WRONG_PASSWORD', issues: [{ path: 'currentPassword' }] },
    });
    const blocked = await confirm();
    expect(blocked).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(await call('deleteAdmin', { params: { id: otherId } })).toMatchObject(REFUSAL);
    // Another session of the same account is not throttled.
    const body = { email: `acting-${n}@example.org`, password: ADMIN.password };
    const elsewhere = (await app.call('login', { body })).cookie ?? '';
    expect((await confirm(ADMIN.password, elsewhere)).status).toBe(204);
    expect((await app.call('confirmPassword', { body: { currentPassword: 'x' } })).status).toBe(
      401,
    );
    expect(await call('deleteAdmin', { params: { id: otherId } })).toMatchObject(REFUSAL);
  });
});
