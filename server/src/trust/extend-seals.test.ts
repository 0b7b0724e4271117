import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import {
  inviteCandidate,
  mailServer,
  makeQuiz,
  setUpSmtpSink,
  signInAdmin,
} from '@invigil/testkit/factories';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { deliverMail } from '../jobs/deliver-mail.ts';
import { countServing } from '../key-rotation/key-queries.ts';
import { storeKeyCheck } from '../key-rotation/require-key.ts';
import { rotateKey } from '../key-rotation/rotate-key.ts';
import { deriveKeys } from '../security/keys.ts';
import { seal } from '../security/sealing.ts';
import { extendSeals } from './extend-seals.ts';
import { ROW_KINDS } from './row-kinds.ts';
import { sealAudit, verifyAudit } from './seal-audit.ts';
import {
  acceptAsIs,
  verifyAssessments,
  verifyCredentials,
  verifyPeople,
  verifyResults,
  verifySettings,
} from './verify.ts';

let app: TestApp;
let admin: string;
const sink = setUpSmtpSink();

beforeEach(async () => {
  app = await startTestApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  admin = await signInAdmin(app);
  const quiz = await makeQuiz(app, admin);
  await inviteCandidate(app, admin, quiz.id);
  await app.call('putSmtpSettings', { as: admin, body: mailServer(sink.port) });
  await sealAudit(app.context);
});
afterEach(() => app.stop());

const start = () => extendSeals(app.context, app.clock.now());
const findings = async () => {
  const areas = [verifySettings, verifyAssessments, verifyPeople, verifyResults];
  const all = await Promise.all(areas.map((verify) => verify(app.context)));
  return all.flatMap((area) => area.findings);
};
const removeSeals = async () => {
  for (const { place } of ROW_KINDS) await app.tamper(`update ${place.table} set seal = null`);
};

/** The tables as a former version left them. */
async function asFormerVersion(): Promise<void> {
  await removeSeals();
  const { rows } = await app.pool.query('select id from smtp_settings');
  const { id } = rows[0];
  const sealed = seal(app.context.keys.sealing, 'secret of before', `smtp_settings/${id}`);
  await app.tamper('update smtp_settings set sealed_password = $1', [sealed]);
}

const entries = async () =>
  (
    await app.pool.query(
      "select number is not null as chained, details from audit_entries where action = 'trust.extended'",
    )
  ).rows;

it('seals what a former version wrote, once, and says so in the chain of the log', async () => {
  await asFormerVersion();
  expect((await findings()).length).toBeGreaterThan(3);
  await start();
  expect(await findings()).toEqual([]);
  const kinds = ROW_KINDS.map(({ name }) => name);
  const [entry, ...more] = await entries();
  expect([entry, more]).toEqual([
    { chained: true, details: { kinds, rows: expect.any(Number) } },
    [],
  ]);
  expect(entry.details.rows).toBeGreaterThan(3);
  // The password of before is known, and mail goes out.
  await deliverMail(app.context);
  expect(sink.mails.length).toBeGreaterThan(0);
  // No later start seals anything.
  await removeSeals();
  await start();
  expect((await findings()).length).toBeGreaterThan(3);
  expect(await entries()).toHaveLength(1);
});

it.each([
  ['its entry', "delete from audit_entries where action = 'trust.extended'"],
  [
    'the end of the chain',
    `delete from audit_entries where action = 'trust.extended';
     update audit_head set number = (select max(number) from audit_entries),
       hash = (select hash from audit_entries order by number desc nulls last limit 1)`,
  ],
  ['the whole log', 'truncate audit_entries, audit_head'],
])('seals nothing again after %s was removed', async (_, removal) => {
  await start();
  await app.call('createCategory', { as: admin, body: { name: 'Another' } });
  await sealAudit(app.context);
  await removeSeals();
  await app.tamper(removal);
  const error = vi.spyOn(app.context.log, 'error').mockImplementation(() => undefined);
  await start();
  expect(error).toHaveBeenCalled();
  expect((await findings()).length).toBeGreaterThan(3);
  expect((await verifyAudit(app.context)).problem).not.toBeNull();
  const { body } = await app.call('getSystemInformation', { as: admin });
  const { active, detail } = body.securityFeatures.at(-1);
  expect([active, detail]).toEqual([false, expect.stringContaining('no mail leaves')]);
});

it('makes an owner of no one else whose stored grants were changed', async () => {
  const [quiz] = (await app.call('listQuizzes', { as: admin })).body;
  const grants = [{ role: 'author', quizId: quiz.id }];
  const body = { email: 'author@example.org', grants };
  const added = await app.call('createAdmin', { as: admin, body });
  expect(added.status).toBe(201);
  await app.tamper(`update admins set grants = '[{"role":"owner"}]'`);
  await start();
  expect((await verifyCredentials(app.context)).findings).toEqual([
    expect.stringContaining(added.body.id),
  ]);
});

it('records a new installation, so that none of its rows is ever sealed as it is', async () => {
  const fresh = await startTestApp();
  try {
    await extendSeals(fresh.context, fresh.clock.now());
    await signInAdmin(fresh);
    await makeQuiz(fresh, await signInAdmin(fresh, 'second@example.org'));
    await fresh.tamper("update quizzes set title = 'Other', seal = null");
    await extendSeals(fresh.context, fresh.clock.now());
    expect((await verifyAssessments(fresh.context)).findings).toHaveLength(1);
  } finally {
    await fresh.stop();
  }
});

it('an operator accepts all of it as it is, which counts as sealed from then on', async () => {
  await asFormerVersion();
  await app.tamper("update quizzes set title = 'Changed'");
  const found = await findings();
  await acceptAsIs(app.context, { chainProblem: null, rows: found }, app.clock.now());
  expect(await findings()).toEqual([]);
  await deliverMail(app.context);
  await removeSeals();
  await start();
  expect((await findings()).length).toBeGreaterThan(3);
});

it('a new key seals what was whole, also of a former version, and nothing else', async () => {
  await asFormerVersion();
  const { rows } = await app.pool.query('select current_database() as name');
  const { context } = app;
  // No process may be serving.
  await app.stop();
  const pool = new pg.Pool({ ...inject('postgres'), database: rows[0].name, max: 1 });
  const dataDir = mkdtempSync(join(tmpdir(), 'invigil-rotated-'));
  try {
    const db = openDatabase(pool);
    await expect.poll(() => countServing(db)).toBe(0);
    const [first, second] = ['a second secret for tests alone', 'a third secret for tests alone'];
    const more = { despiteAttempts: true, dataDir, now: context.clock.now() };
    const oldKey = 'a secret for tests that nobody else uses';
    await storeKeyCheck(db, deriveKeys(oldKey), context.clock.now());
    const rotated = await rotateKey(db, { oldKey, newKey: first, ...more });
    expect(rotated).toMatchObject({ brokenSeals: 0, unreadable: 0 });
    const ctx = { ...context, db, keys: deriveKeys(first) };
    for (const verify of [verifySettings, verifyAssessments, verifyPeople]) {
      expect((await verify(ctx)).findings).toEqual([]);
    }
    await pool.query("update quizzes set title = 'Changed'");
    const again = await rotateKey(db, { oldKey: first, newKey: second, ...more });
    expect(again).toMatchObject({ brokenSeals: 1, unreadable: 0 });
  } finally {
    await pool.end();
    rmSync(dataDir, { recursive: true });
    app = await startTestApp();
  }
});
