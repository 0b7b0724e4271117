import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import {
  ADMIN,
  beginAttempt,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setNegativeMarks,
  setUpTotp,
  shownCode,
  signInAdmin,
} from '@invigil/testkit/factories';
import { silentLog } from '@invigil/testkit/silent-log';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../db/new-id.ts';
import { findGenuineAdmin } from '../features/sign-in/check-password.ts';
import { hashPassword } from '../security/secrets/passwords.ts';
import { storeFirstPolicy } from '../sessions/sign-in-policy.ts';
import { CHAIN_START, chainHash } from './audit-chain.ts';
import { sealAudit, verifyAudit } from './seal-audit.ts';
import { TrustRoot } from './trust-root.ts';
import {
  acceptAsIs,
  verifyCredentials,
  verifyLog,
  verifyQuestions,
  verifyResults,
} from './verify.ts';

describe('an attacker who can write to the database', () => {
  let app: TestApp;
  let admin: string;
  let adminId: string;

  beforeEach(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
    adminId = (await app.call('me', { as: admin })).body.user.id;
  });
  afterEach(() => app.stop());

  const sql = (text: string, values: unknown[] = []) => app.pool.query(text, values);
  const login = (email = ADMIN.email, password = ADMIN.password) =>
    app.call('login', { body: { email, password } });
  const broken = () => app.context.trust.brokenSeals;
  const findings = async () => [
    ...(await verifyLog(app.context)).findings,
    ...(await verifyCredentials(app.context)).findings,
    ...(await verifyQuestions(app.context)).findings,
    ...(await verifyResults(app.context)).findings,
  ];

  const rescore = async ({ id, questions }: MadeQuiz, place: number) => {
    const { status, body } = await app.call('rescoreQuestion', {
      as: admin,
      params: { id, questionId: questions[place]?.id ?? '' },
      body: { dryRun: false, reason: 'A wrong key' },
    });
    expect(status).toBe(200);
    return body;
  };

  it('cannot create an administrator', async () => {
    const password = 'set by the attacker';
    await sql(
      `insert into admins (id, email, password_hash, grants, created_at)
       values ($1, $2, $3, '[{"role":"owner"}]', $4)`,
      [newId(), 'mallory@example.org', await hashPassword(password), app.clock.now()],
    );
    const refused = await login('mallory@example.org', password);
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual((await login('nobody@example.org', password)).body);
    expect(broken().administrator).toBe(1);
    expect(await findings()).toHaveLength(1);
  });

  it.each([
    ['another password', (hash: string) => `update admins set password_hash = '${hash}'`],
    [
      'a foreign seal',
      (hash: string) => `update admins set password_hash = '${hash}', seal = seal`,
    ],
    ['no seal', () => 'update admins set seal = null'],
    ['another address', () => "update admins set email = 'mallory@example.org'"],
  ])('cannot sign anyone in with %s', async (_, change) => {
    const password = 'set by the attacker';
    await sql(change(await hashPassword(password)));
    for (const email of [ADMIN.email, 'mallory@example.org']) {
      for (const typed of [password, ADMIN.password]) {
        expect((await login(email, typed)).status).toBe(401);
        await sql('delete from sign_in_failures');
      }
    }
    expect(broken().administrator).toBeGreaterThan(0);
    const body = { currentPassword: password, newPassword: 'another fine password' };
    // Nor does a session that was open before: whoever it belongs to is no longer known.
    expect((await app.call('changeOwnPassword', { as: admin, body })).status).toBe(401);
  });

  describe('in the middle of a two-step sign-in', () => {
    let secret: string;
    let pending: string;

    beforeEach(async () => {
      secret = await setUpTotp(app, admin);
      app.clock.advance({ minutes: 2 });
      pending = (await login()).body.pending;
    });

    const sendCode = () => {
      const code = shownCode(secret, app.clock.now());
      return app.call('secondStep', { body: { pending, code } });
    };

    it('has no effect without a change', async () => {
      expect((await sendCode()).status).toBe(200);
      expect([broken().administrator, broken().pending_sign_in]).toEqual([0, 0]);
    });

    it.each([
      ['the second step', "update admin_totp set confirmed_at = confirmed_at - interval '1 day'"],
      ['the password', "update admins set password_hash = password_hash || 'x'"],
      ['the seal', 'update admins set seal = null'],
    ])('cannot complete a sign-in by changing %s', async (_, change) => {
      await sql(change);
      expect(await sendCode()).toMatchObject({
        status: 401,
        cookie: undefined,
        body: { code: 'INVALID_CREDENTIALS' },
      });
      expect(broken()).toMatchObject({ administrator: 1, pending_sign_in: 0 });
    });

    it.each([
      [
        'the administrator',
        "update pending_sign_ins set admin_id = (select id from admins where email = 'second@example.org')",
      ],
      ['the end', "update pending_sign_ins set expires_at = expires_at + interval '1 day'"],
      ['the seal', 'update pending_sign_ins set seal = null'],
    ])('cannot use a pending sign-in by changing %s', { tags: 'long' }, async (_, change) => {
      await signInAdmin(app, 'second@example.org');
      await sql(change);
      expect(await sendCode()).toMatchObject({
        status: 401,
        cookie: undefined,
        body: { code: 'SIGN_IN_EXPIRED' },
      });
      expect(broken()).toMatchObject({ administrator: 0, pending_sign_in: 1 });
    });
  });

  it("cannot turn a candidate's session into an administrator's", async () => {
    const quiz = await makeQuiz(app, admin);
    const candidate = await inviteCandidate(app, admin, quiz.id);
    await sql(
      'update sessions set admin_id = $1, invitation_id = null where invitation_id is not null',
      [adminId],
    );
    expect((await app.call('listAdmins', { as: candidate.cookie })).status).toBe(401);
    expect((await app.call('listAdmins', { as: admin })).status).toBe(200);
    expect(broken().session).toBe(1);
    // Nor with the seal of a real one.
    await sql('update sessions set seal = (select seal from sessions where seal is not null)');
    expect((await app.call('listAdmins', { as: candidate.cookie })).status).toBe(401);
    expect(await findings()).toHaveLength(1);
  });

  it.each([
    ['deletes', 'delete from sign_in_policy'],
    ['changes', 'update sign_in_policy set totp_required = false, seal = null'],
  ])('who %s the requirement of a second step switches it on', async (_, change) => {
    expect((await app.call('me', { as: admin })).body).not.toHaveProperty('mustSetUpTotp');
    await sql(change);
    expect((await app.call('me', { as: admin })).body).toMatchObject({ mustSetUpTotp: true });
    // Nor does another start take a used installation for a new one.
    await sql('delete from sign_in_policy');
    await app.rebuild();
    await storeFirstPolicy(app.context, app.clock.now());
    expect((await app.call('me', { as: admin })).body).toMatchObject({ mustSetUpTotp: true });
    expect(broken().sign_in_policy).toBeGreaterThan(0);
  });

  it('cannot change a score undetected, and no later change makes it genuine', async () => {
    const attempt = await beginAttempt(app, admin);
    await attempt.save(0, 1, 1);
    await attempt.submit();
    expect((await attempt.record()).body).not.toHaveProperty('hasBrokenSeal');
    await sql('update participants set score = 5 where id = $1', [attempt.id]);
    expect((await attempt.record()).body).toMatchObject({ hasBrokenSeal: true });
    const found = [`participants ${attempt.id} does not match its seal`];
    expect(await findings()).toEqual(found);
    const params = { id: attempt.id };
    const verdict = { verdict: 'no_concern', note: '' };
    expect((await app.call('giveVerdict', { as: admin, params, body: verdict })).status).toBe(200);
    await rescore(attempt.quiz, 0);
    const body = { how: 'another', reason: 'Again' };
    expect((await app.call('replaceParticipant', { as: admin, params, body })).status).toBe(200);
    expect(await findings()).toEqual(found);
    expect(broken().result).toBeGreaterThan(0);
  });

  it('cannot take away negative marks: a later rescoring seals nothing', async () => {
    const quiz = await makeQuiz(app, admin);
    await setNegativeMarks(app, admin, quiz.id, { percent: 100, floor: 'total' });
    const attempt = await beginAttempt(app, admin, quiz);
    for (let i = 0; i < 4; i += 1) await attempt.save(i, i % 2, 1);
    await attempt.submit();
    expect(await findings()).toEqual([]);
    await sql('update participants set negative_marks = null where id = $1', [attempt.id]);
    const found = [`participants ${attempt.id} does not match its seal`];
    expect(await findings()).toEqual(found);
    await rescore(quiz, 0);
    expect(await findings()).toEqual(found);
    expect((await attempt.record()).body).toMatchObject({ hasBrokenSeal: true });
  });

  it.each([
    ['key', 'correct_option_id = correct_option_id % 4 + 1'],
    ['texts', 'option_texts = option_texts[2:4] || option_texts[1:1]'],
    ['seal', 'seal = null'],
  ])('cannot change the %s of a question while an attempt runs', async (_, change) => {
    const attempt = await beginAttempt(app, admin);
    const { quiz } = attempt;
    const question = quiz.questions[0];
    await attempt.save(0, 1, 1);
    await sql(`update question_versions set ${change} where question_id = $1`, [question?.id]);
    const version = `question_versions ${question?.id}/1 does not match its seal`;
    const result = `participants ${attempt.id} does not match its seal`;
    expect(await findings()).toEqual([version]);
    // The candidate gets an end and a score; that it cannot be relied on is known from then on.
    expect((await attempt.submit()).status).toBe(200);
    expect(broken().question).toBe(1);
    expect((await attempt.record()).body).toMatchObject({ hasBrokenSeal: true });
    // Neither a copy nor a rescoring nor a verdict makes it genuine.
    const copied = await app.call('duplicateQuiz', { as: admin, params: { id: quiz.id } });
    expect(copied.status).toBe(201);
    await rescore(quiz, 0);
    const body = { verdict: 'no_concern', note: '' };
    const params = { id: attempt.id };
    expect((await app.call('giveVerdict', { as: admin, params, body })).status).toBe(200);
    expect(await findings()).toEqual([
      version,
      expect.stringMatching(/^question_versions .*\/1 does not match its seal$/),
      result,
    ]);
    // The version that its author saves is new and genuine, also where nothing is different.
    const saved = await app.call('updateQuestion', {
      as: admin,
      params: { id: quiz.id, questionId: question?.id ?? '' },
      body: { ...question, type: 'multiple_choice' },
    });
    expect(saved.body).toMatchObject({ version: 2 });
    expect(await findings()).toHaveLength(3);
    const later = await beginAttempt(app, admin, quiz);
    await later.submit();
    expect((await later.record()).body).not.toHaveProperty('hasBrokenSeal');
  });

  it('is detected, while changes to results by administrators are not', async () => {
    const second = await signInAdmin(app, 'second@example.org');
    const attempt = await beginAttempt(app, admin);
    await attempt.save(0, 1, 1);
    await attempt.save(1, 2, 1);
    await attempt.submit();
    const params = { id: attempt.id };
    const verdict = { verdict: 'talk', note: 'About the phone' };
    expect((await app.call('giveVerdict', { as: second, params, body: verdict })).status).toBe(200);
    const question = attempt.quiz.questions[0];
    const edited = await app.call('updateQuestion', {
      as: admin,
      params: { id: attempt.quiz.id, questionId: question?.id ?? '' },
      body: { ...question, type: 'multiple_choice', correctAnswer: question?.options[0] },
    });
    expect(edited.status).toBe(200);
    expect(await rescore(attempt.quiz, 0)).toMatchObject({ changes: [{ before: 1, after: 0 }] });
    expect(await findings()).toEqual([]);
    const body = { how: 'reinstate', reason: 'Again' };
    expect((await app.call('replaceParticipant', { as: admin, params, body })).status).toBe(200);
    const id = (await sql("select id from admins where email = 'second@example.org'")).rows[0].id;
    expect((await app.call('deleteAdmin', { as: admin, params: { id } })).status).toBe(204);
    const erased = await app.call('erasePerson', {
      as: admin,
      params: { id: attempt.candidate.userId },
      body: { reason: 'Asked to' },
    });
    expect([erased.status, await findings()]).toEqual([204, []]);
  });

  it('is named in the log, with the kind and the row that was changed', async () => {
    const lines: object[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const { config, db, keys } = app.context;
    const trust = new TrustRoot(config.dataDir, keys.integrity, log);
    expect(await findGenuineAdmin({ keys, trust }, db, adminId)).toBeDefined();
    expect(lines).toEqual([]);
    await sql('update admins set seal = null');
    expect(await findGenuineAdmin({ keys, trust }, db, adminId)).toBeUndefined();
    expect(lines).toMatchObject([
      {
        level: 50,
        kind: 'administrator',
        id: adminId,
        msg: expect.stringMatching(/^broken seal: /),
      },
    ]);
  });

  describe('of the audit log', () => {
    beforeEach(async () => {
      for (let i = 0; i < 5; i += 1) {
        await app.call('createCategory', { as: admin, body: { name: `C${i}` } });
      }
      expect(await sealAudit(app.context)).toBe(6);
    });

    /** Hashes the chain again as the server does, without its key. */
    async function chainAgain() {
      const { rows } = await sql('select * from audit_entries order by number');
      let hash = CHAIN_START;
      await sql('update audit_entries set number = -number');
      for (const [i, row] of rows.entries()) {
        hash = chainHash(hash, i + 1, {
          id: row.id,
          at: row.at,
          adminId: row.admin_id,
          action: row.action,
          subjectType: row.subject_type,
          subjectId: row.subject_id,
          details: row.details,
        });
        await sql('update audit_entries set number = $2, hash = $3 where id = $1', [
          row.id,
          i + 1,
          hash,
        ]);
      }
      await sql('update audit_head set number = $1, hash = $2', [rows.length, hash]);
    }

    /** A machine that has never seen a head, on the same database. */
    function otherMachine() {
      const dataDir = join(app.context.config.dataDir, 'other');
      mkdirSync(dataDir);
      const trust = new TrustRoot(dataDir, app.context.keys.integrity, silentLog);
      return { ctx: { ...app.context, trust }, dataDir };
    }

    /** Seals one more entry, and then puts the database back to what it was before. */
    async function goBackADay() {
      await sql('create table kept as select * from audit_entries');
      await sql('create table kept_head as select * from audit_head');
      await app.call('createCategory', { as: admin, body: { name: 'Later' } });
      expect(await sealAudit(app.context)).toBe(1);
      await sql(`truncate audit_entries, audit_head; insert into audit_entries select * from kept;
        insert into audit_head select * from kept_head`);
    }

    async function expectRefusal(problem: RegExp, ctx: typeof app.context = app.context) {
      app.clock.advance({ seconds: 1 });
      await app.call('createCategory', { as: admin, body: { name: 'Later' } });
      const head = (await sql('select * from audit_head')).rows;
      expect(await sealAudit(ctx)).toBe(0);
      expect(ctx.trust.chainProblem).toMatch(problem);
      expect((await sql('select * from audit_head')).rows).toEqual(head);
      expect((await verifyAudit(ctx)).problem).not.toBeNull();
    }

    it('gets no forged chain sealed: entries deleted, hashes recomputed', async () => {
      await sql('delete from audit_entries where number = 3');
      await chainAgain();
      await expectRefusal(/number 5, and number 6 was sealed before/);
      const metrics = await app.fastify.inject({ url: '/metrics' });
      expect(metrics.body).toMatch(/^invigil_audit_chain_alarm 1$/m);
    });

    it.each([
      ['with the old head either', 'number = null, hash = null', /./],
      ['when the last entry was changed', "action = 'nothing.happened'", /entry 6 .* was changed/],
    ])('gets none sealed %s', async (_, change, problem) => {
      await sql(`update audit_entries set ${change} where number = 6`);
      await expectRefusal(problem);
    });

    it('gets nothing sealed after both tables were emptied', async () => {
      await sql('delete from audit_entries; delete from audit_head');
      await expectRefusal(/the head of the chain is missing, and number 6 was sealed before/);
      await expectRefusal(/entries are missing from before/, otherMachine().ctx);
    });

    it('gets nothing sealed on a whole database of an earlier day', { tags: 'long' }, async () => {
      await goBackADay();
      await expectRefusal(/number 6, and number 7 was sealed before/);
      // A restart keeps what is known.
      await app.rebuild();
      await expectRefusal(/number 6, and number 7 was sealed before/);
    });

    it.each([
      ['an earlier trust.json', (path: string, text: string) => writeFileSync(path, text)],
      ['no trust.json', (path: string) => rmSync(path)],
    ])(
      'gets nothing sealed on a database of an earlier day with %s, while the process runs',
      async (_, putBack) => {
        const path = join(app.context.config.dataDir, 'trust.json');
        const earlier = readFileSync(path, 'utf8');
        await goBackADay();
        expect(readFileSync(path, 'utf8')).not.toBe(earlier);
        putBack(path, earlier);
        await expectRefusal(/number 6, and number 7 was sealed before/);
      },
    );

    it.each([
      ['the head alone is gone', 'delete from audit_head'],
      [
        'the head is gone with the first entries',
        'delete from audit_head; delete from audit_entries where number <= 3',
      ],
    ])(
      'gets nothing sealed by a machine that has never seen a head, when %s',
      async (_, change) => {
        await sql(change);
        const { ctx, dataDir } = otherMachine();
        await expectRefusal(/^the head of the chain is missing$/, ctx);
        expect(existsSync(join(dataDir, 'trust.json'))).toBe(false);
      },
    );

    it('cannot confuse two machines that seal alternately, each verifying the other', {
      tags: 'long',
    }, async () => {
      const other = otherMachine().ctx;
      const machines = [app.context, other];
      for (let i = 0; i < 6; i += 1) {
        await app.call('createCategory', { as: admin, body: { name: `D${i}` } });
        const sealed = await Promise.all(machines.map((ctx) => sealAudit(ctx)));
        expect(sealed.reduce((sum, n) => sum + n)).toBe(1);
      }
      for (const ctx of machines) {
        expect(await sealAudit(ctx)).toBe(0);
        expect([ctx.trust.chainProblem, (await verifyAudit(ctx)).problem]).toEqual([null, null]);
        expect(ctx.trust.read()).toMatchObject({ number: 12 });
      }
      // An entry that one of them has never seen is verified before it is trusted.
      await app.call('createCategory', { as: admin, body: { name: 'Last' } });
      await sealAudit(app.context);
      await sql("update audit_entries set action = 'nothing.happened' where number = 13");
      await expectRefusal(/entry 13 .* was changed/, other);
    });

    it('stops only the sealing of this machine with a trust file that is not genuine', async () => {
      const path = join(app.context.config.dataDir, 'trust.json');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      writeFileSync(path, readFileSync(path, 'utf8').replace('"number":6', '"number":5'));
      await expectRefusal(/trust.json in DATA_DIR is not genuine/);
    });

    it('leaves a state that an operator can accept, audited, after which sealing continues', async () => {
      await sql('delete from audit_entries where number = 3; update admins set seal = null');
      const found = await findings();
      expect(found).toHaveLength(2);
      await acceptAsIs(app.context, { chainProblem: found[0] ?? '', rows: found }, app.clock.now());
      const { ctx } = otherMachine();
      expect(await sealAudit(ctx)).toBe(6);
      expect((await verifyAudit(ctx)).problem).toBeNull();
      expect((await verifyCredentials(ctx)).findings).toEqual([]);
      expect((await login()).status).toBe(200);
      const { rows } = await sql(
        "select details from audit_entries where action = 'trust.accepted'",
      );
      expect(rows).toMatchObject([{ details: { chain: 'entry 3 is missing', findings: 2 } }]);
    });
  });
});
