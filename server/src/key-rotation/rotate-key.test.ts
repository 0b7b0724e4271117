import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallInput, call, startTestApp, type TestApp } from '@invigil/testkit/app';
import { uploadEvidence } from '@invigil/testkit/evidence';
import {
  ADMIN,
  type BegunAttempt,
  beginAttempt,
  inviteForCodes,
  shownCode,
  signInAdmin,
} from '@invigil/testkit/factories';
import { type SmtpSink, startSmtpSink } from '@invigil/testkit/mail-servers';
import { silentLog } from '@invigil/testkit/silent-log';
import { STILL } from '@invigil/testkit/stills';
import { eventually } from '@invigil/testkit/supervised-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type App, createApp } from '../boot/app.ts';
import { openPool } from '../db/connection/pool.ts';
import { openDatabase } from '../db/database.ts';
import { closeDueParticipants } from '../jobs/close-due-participants.ts';
import { deliverMail } from '../jobs/deliver-mail.ts';
import { StartProblem } from '../runtime/app-error.ts';
import { deriveKeys } from '../security/keys.ts';
import { sealHead } from '../trust/audit-chain.ts';
import { sealAudit, verifyAudit } from '../trust/seal-audit.ts';
import { verifyCredentials, verifyQuestions, verifyResults } from '../trust/verify.ts';
import { countServing, SEALED_COLUMNS } from './key-queries.ts';
import { requireSecretKey } from './require-key.ts';
import { rotateKey } from './rotate-key.ts';

const OLD = 'a secret for tests that nobody else uses';
const NEW = 'another secret for tests that comes after';
const REASON = 'The fire alarm rang';
const SECOND = 'second@example.org';

async function countLinks(pool: pg.Pool): Promise<{ resets: number; previews: number }> {
  const { rows } = await pool.query(`
    select (select count(*)::int from password_resets) as resets,
      (select count(*)::int from preview_codes) as previews`);
  return rows[0];
}

/** An installation with one of everything that is encrypted. */
async function filled(sink: SmtpSink, folder: string) {
  const app = await startTestApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1', DATA_DIR: folder });
  const pool = app.pool;
  await requireSecretKey(pool, { secretKey: OLD, dataDir: folder });
  const admin = await signInAdmin(app);
  const second = await signInAdmin(app, SECOND);
  const body = { currentPassword: ADMIN.password };
  const { secret } = (await app.call('beginTotp', { as: second, body })).body;
  const code = shownCode(secret, app.clock.now());
  const confirmed = await app.call('confirmTotp', { as: second, body: { code } });
  expect(confirmed.status).toBe(200);
  const attempt = await beginAttempt(app, admin);
  const { violationId } = await uploadEvidence(app, attempt);
  await app.call('endParticipant', {
    as: admin,
    params: { id: attempt.id },
    body: { reason: REASON },
  });
  const waiting = await inviteForCodes(app, admin, attempt.quiz.id, ['later@example.org']);
  // The other mails count as sent: only the hashes of their codes are left.
  await app.pool.query(
    "update outbox set sealed_code = null, state = 'sent', next_attempt_at = null where recipient <> 'later@example.org'",
  );
  const smtp = { host: '127.0.0.1', port: sink.port, username: 'user', password: 'p@ss word' };
  const put = await app.call('putSmtpSettings', {
    as: admin,
    body: { ...smtp, fromEmail: 'test@example.org' },
  });
  expect(put.status).toBe(200);
  // Waiting, the first of them with a sender that died.
  await app.call('requestPasswordReset', { body: { email: SECOND } });
  await eventually(async () => (await countLinks(pool)).resets === 1);
  await app.pool.query(
    "update outbox set state = 'sending', next_attempt_at = null, claimed_until = now() where kind = 'password_reset'",
  );
  await app.call('sendTestInvitation', { as: admin, params: { id: attempt.quiz.id }, body: {} });
  expect(await countLinks(pool)).toEqual({ resets: 1, previews: 1 });
  await sealAudit(app.context);
  const database = (await pool.query('select current_database() as name')).rows[0].name as string;
  const recoveryCodes = confirmed.body.recoveryCodes as string[];
  return { app, attempt, admin, violationId, secret, recoveryCodes, waiting, database };
}

describe.each([
  { isLost: false, title: 'after a rotation' },
  { isLost: true, title: 'after a rotation with the old key lost' },
])('$title', ({ isLost }) => {
  let sink: SmtpSink;
  let app: TestApp;
  let made: Awaited<ReturnType<typeof filled>>;
  let attempt: BegunAttempt;
  let pool: pg.Pool;
  let rotating: pg.Pool;
  let now: App;
  let admin: string;
  let folder: string;

  const rotate = (
    change: { oldKey?: string | null; newKey?: string; despiteAttempts?: boolean } = {},
  ) =>
    rotateKey(openDatabase(rotating), {
      oldKey: isLost ? null : OLD,
      newKey: NEW,
      despiteAttempts: true,
      dataDir: folder,
      now: app.clock.now(),
      ...change,
    });
  const as = (name: Parameters<typeof call>[1], input: CallInput = {}) =>
    call(now, name, { as: admin, ...input });

  beforeAll(async () => {
    sink = await startSmtpSink();
    folder = mkdtempSync(join(tmpdir(), 'invigil-rotation-'));
    made = await filled(sink, folder);
    ({ app, attempt } = made);
    rotating = new pg.Pool({ ...inject('postgres'), database: made.database, max: 1 });

    // Refusals first; none of them changes anything, or the rotation would fail.
    await expect(rotate()).rejects.toThrow(/Stop all its processes/);
    await app.close();
    await app.pool.end();
    await eventually(async () => (await countServing(openDatabase(rotating))) === 0);
    await expect(rotate({ despiteAttempts: false })).rejects.toThrow(/^1 attempt is in progress/);
    await expect(rotate({ newKey: OLD })).rejects.toThrow(/already/);
    if (!isLost) {
      await expect(rotate({ oldKey: `${OLD}!` })).rejects.toThrow(/OLD_SECRET_KEY is not the key/);
      await rotating.query("update audit_head set seal = 'forged'");
      await expect(rotate()).rejects.toThrow(/not genuine/);
      await restoreHeadSeal();
    }

    const tally = await rotate();
    expect(tally).toEqual({
      resealed: isLost
        ? {}
        : {
            'two-step secrets': 1,
            'keys of persons': 1,
            'keys of evidence': 1,
            'waiting one-time passwords': 1,
            'mail server passwords': 1,
          },
      unreadable: 0,
      brokenSeals: 0,
      endedCodes: isLost ? 2 : 1,
    });
    pool = openPool({ ...inject('postgres'), database: made.database }, silentLog);
    const { config, clock } = app.context;
    now = await createApp({
      config,
      pool,
      clock,
      keys: deriveKeys(NEW),
      log: silentLog,
      webDist: null,
    });
    // The ended attempt: its browser had ten seconds to send pending changes.
    app.clock.advance({ minutes: 2 });
    await closeDueParticipants(now.context);
    const body = { email: ADMIN.email, password: ADMIN.password };
    admin = (await call(now, 'login', { body })).cookie ?? '';
  });
  afterAll(async () => {
    await now.close();
    await pool.end();
    await rotating.end();
    await sink.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function restoreHeadSeal() {
    const { rows } = await rotating.query('select number, hash from audit_head');
    const seal = sealHead(deriveKeys(OLD).audit, Number(rows[0].number), rows[0].hash);
    await rotating.query('update audit_head set seal = $1', [seal]);
  }

  it('refuses to start with the old key, and starts with the new one', async () => {
    const start = (secretKey: string) => requireSecretKey(pool, { secretKey, dataDir: folder });
    await expect(start(OLD)).rejects.toThrow(StartProblem);
    await expect(start(OLD)).rejects.toThrow(/^SECRET_KEY is not the key .* rotate-key/);
    await start(NEW);
    await expect(rotate()).rejects.toThrow(/Stop all its processes/);
  });

  it('invalidates sessions, sent one-time passwords and recovery codes', async () => {
    expect((await as('me', { as: made.admin })).status).toBe(401);
    const typed = { email: attempt.candidate.email, password: attempt.candidate.code };
    expect((await call(now, 'login', { body: typed })).status).toBe(401);
    const { rows } = await pool.query('select count(*)::int as n from admin_recovery_codes');
    expect(rows[0].n).toBe(0);
  });

  it('deletes links to set a password and codes of test invitations, and cancels their mail', async () => {
    expect(await countLinks(pool)).toEqual({ resets: 0, previews: 0 });
    const { body } = await as('listOutbox', { query: { state: 'failed' } });
    const canceled = {
      state: 'failed',
      lastError: 'Its link or one-time password ended with the change of SECRET_KEY',
      nextAttemptAt: null,
    };
    expect(body).toMatchObject([
      { ...canceled, recipient: ADMIN.email },
      { ...canceled, recipient: SECOND },
    ]);
  });

  it('leaves no row that a check of the data takes for forged', async () => {
    for (const verify of [verifyCredentials, verifyQuestions, verifyResults]) {
      expect(await verify(now.context)).toMatchObject({ findings: [] });
    }
  });

  it(`the second step ${isLost ? 'is refused for everyone, with what to do' : 'accepts the same app'}`, async () => {
    const signIn = { email: SECOND, password: ADMIN.password };
    const first = await call(now, 'login', { body: signIn });
    expect(first.status).toBe(202);
    const { pending } = first.body;
    const second = (code: string) => call(now, 'secondStep', { body: { pending, code } });
    const reply = await second(shownCode(made.secret, app.clock.now()));
    if (isLost) {
      expect(reply).toMatchObject({ status: 409, body: { code: 'TOTP_UNREADABLE' } });
      expect(reply.body.message).toContain('npm run admin:reset-two-step');
      // No code counts as wrong here, so no one is throttled.
      expect((await second('000000')).body.code).toBe('TOTP_UNREADABLE');
      expect((await second(made.recoveryCodes[0] ?? '')).body.code).toBe('TOTP_UNREADABLE');
    } else {
      expect(reply.status).toBe(200);
    }
  });

  it(`evidence ${isLost ? 'is reported as gone' : 'can be decrypted'}`, async () => {
    const reply = await as('readEvidence', {
      query: { participantId: attempt.id, violationId: made.violationId },
    });
    if (isLost) expect(reply).toMatchObject({ status: 409, body: { code: 'EVIDENCE_GONE' } });
    else expect(reply.body.evidence[0].stills[0].jpeg).toBe(STILL);
  });

  it(`a reason in the audit log ${isLost ? 'stays unreadable, and new ones can be written' : 'can be decrypted'}`, async () => {
    const entries = async (search: string) =>
      JSON.stringify((await as('listAudit', { query: { search } })).body);
    if (!isLost) return expect(await entries('participant.ended')).toContain(REASON);
    expect(await entries('participant.ended')).not.toContain(REASON);
    const again = await as('replaceParticipant', {
      params: { id: attempt.id },
      body: { how: 'another', reason: 'Once more' },
    });
    expect(again.status).toBeLessThan(300);
    expect(await entries('another_attempt')).toContain('Once more');
  });

  it(`mail ${isLost ? 'shows the problem in the outbox, and Settings asks for the password' : 'is sent with a code that works'}`, async () => {
    const settings = (await as('getSmtpSettings')).body;
    expect(settings).toMatchObject({ host: '127.0.0.1', hasPassword: true });
    await deliverMail(now.context);
    if (!isLost) {
      const mail = sink.mails.find(({ to }) => to.includes('later@example.org'));
      expect(mail?.mail.text).toContain(made.waiting[0]);
      const body = { email: 'later@example.org', password: made.waiting[0] };
      expect((await call(now, 'login', { body })).status).toBe(200);
      expect(sink.mails).toHaveLength(1);
      return;
    }
    expect(sink.mails).toHaveLength(0);
    const test = (await as('testSmtpSettings', { body: { to: 'me@example.org' } })).body;
    expect(test).toMatchObject({ delivered: false, stage: 'settings' });
    expect(test.message).toMatch(/cannot be read .* Enter it again/);
    const { host, port, username, fromEmail } = settings;
    const body = { host, port, username, fromEmail };
    const kept = await as('putSmtpSettings', { body });
    expect(kept).toMatchObject({ status: 400, body: { code: 'PASSWORD_NEEDED' } });
    const typed = await as('putSmtpSettings', { body: { ...body, password: 'p@ss word' } });
    expect(typed.status).toBe(200);
  });

  it('the audit log is intact, and records the rotation', async () => {
    await sealAudit(now.context);
    expect(await verifyAudit(now.context)).toMatchObject({ problem: null });
    const action = isLost ? 'secret_key.lost' : 'secret_key.rotated';
    const list = (await as('listAudit', { query: { search: action } })).body;
    expect(list).toMatchObject([{ action, adminId: null }]);
  });
});

describe('the list of encrypted columns', () => {
  it('has every encrypted column of the database', async () => {
    const app = await startTestApp();
    const { rows } = await app.pool.query(`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and column_name like 'sealed%'
        and table_name <> 'key_check' order by 1`);
    const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort();
    expect(listed).toEqual(rows.map(({ name }) => name));
    await app.stop();
  });
});
