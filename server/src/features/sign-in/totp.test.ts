import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import type { Reply } from '@invigil/testkit/app';
import {
  ADMIN,
  inviteCandidate,
  makeQuiz,
  setUpApp,
  shownCode,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteOldSessions } from '../../db/queries/session-changes.ts';
import { inTransaction } from '../../db/transaction.ts';
import { knownDevice } from '../../security/device-cookie.ts';
import { setTotpRequired } from '../../sessions/sign-in-policy.ts';

const { password } = ADMIN;
const CODE = /^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/;

describe('two-step sign-in', () => {
  const app = setUpApp();
  let n = 0;
  let email: string;
  let admin: string;
  beforeEach(async () => {
    n += 1;
    email = `admin${n}@example.org`;
    admin = await signInAdmin(app, email);
    await app.pool.query(
      `delete from sign_in_failures; delete from pending_sign_ins;
       delete from admin_recovery_codes; delete from admin_totp`,
    );
    await requireNoTotp();
    // No code of an earlier test is still valid.
    app.clock.advance({ minutes: 2 });
  });

  const requireNoTotp = () =>
    inTransaction(app.context.db, (tx) => setTotpRequired(tx, app.context, false, app.clock.now()));
  const login = (typed = password, who = email) =>
    app.call('login', { body: { email: who, password: typed } });
  const second = (pending: string, code: string) =>
    app.call('secondStep', { body: { pending, code } });
  const me = (as: string | undefined) => app.call('me', { as: as ?? '' });
  const code = (secret: string, periods = 0) => shownCode(secret, app.clock.now(), periods);
  const wait = (seconds: number) => app.clock.advance({ seconds });
  const actions = async () =>
    (
      await app.pool.query(
        'select action, admin_id, subject_id, details from audit_entries order by at, id',
      )
    ).rows;
  const lastActions = async (count: number) =>
    (await actions()).slice(-count).map((row) => row.action);

  /** Sets up the second step through the endpoints; the code used for it is spent. */
  async function setUp(as = admin) {
    const begun = await app.call('beginTotp', { as, body: { currentPassword: password } });
    expect(begun.status).toBe(200);
    const { secret } = begun.body as { secret: string };
    const confirmed = await app.call('confirmTotp', { as, body: { code: code(secret) } });
    expect(confirmed.status).toBe(200);
    wait(60);
    return { secret, recoveryCodes: confirmed.body.recoveryCodes as string[] };
  }

  /** Signs in with both steps. */
  async function signInFully(secret: string): Promise<Reply> {
    const first = await login();
    return second(first.body.pending, code(secret));
  }

  describe('is not set up', () => {
    it('without the password', async () => {
      const begin = (as: string, currentPassword: unknown) =>
        app.call('beginTotp', { as, body: { currentPassword } });
      expect(await begin(admin, 'wrong')).toMatchObject({
        status: 400,
        body: { code: 'WRONG_PASSWORD', issues: [{ path: 'currentPassword' }] },
      });
      expect((await begin(admin, password)).status).toBe(429);
      expect((await app.pool.query('select * from admin_totp')).rows).toHaveLength(0);
    });

    it('with a wrong first code, or before it was begun', async () => {
      const confirm = (typed: string) =>
        app.call('confirmTotp', { as: admin, body: { code: typed } });
      expect((await confirm('123456')).body.code).toBe('TOTP_OFF');
      wait(1);
      const begun = await app.call('beginTotp', { as: admin, body: { currentPassword: password } });
      const right = code(begun.body.secret);
      expect((await confirm(right === '000000' ? '000001' : '000000')).body.code).toBe(
        'WRONG_CODE',
      );
      // Not required until it is confirmed.
      expect((await login()).status).toBe(200);
      expect((await confirm(right)).body.code).toBe('THROTTLED');
      wait(2);
      expect((await confirm(code(begun.body.secret))).status).toBe(200);
    });

    it('twice without being switched off first', async () => {
      const { secret } = await setUp();
      const begun = await app.call('beginTotp', { as: admin, body: { currentPassword: password } });
      expect(begun).toMatchObject({ status: 409, body: { code: 'TOTP_ON' } });
      expect((await signInFully(secret)).status).toBe(200);
    });
  });

  it('is set up with a secret, a QR code’s address and ten recovery codes, all sealed at rest', async () => {
    const begun = await app.call('beginTotp', { as: admin, body: { currentPassword: password } });
    const { secret, uri } = begun.body;
    expect(uri).toContain(secret);
    expect(decodeURIComponent(uri)).toContain(email);
    const confirmed = await app.call('confirmTotp', { as: admin, body: { code: code(secret) } });
    const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] };
    expect(recoveryCodes).toHaveLength(10);
    for (const recovery of recoveryCodes) expect(recovery).toMatch(CODE);
    expect(new Set(recoveryCodes).size).toBe(10);
    const stored = await app.pool.query(
      `select sealed_secret::text as bytes from admin_totp
       union all select code_hash::text from admin_recovery_codes`,
    );
    expect(stored.rows).toHaveLength(11);
    const hex = (text: string) => Buffer.from(text).toString('hex');
    for (const { bytes } of stored.rows) {
      for (const plain of [secret, ...recoveryCodes]) {
        expect(bytes).not.toContain(hex(plain));
        expect(bytes).not.toContain(hex(plain.replaceAll('-', '')));
      }
    }
    expect((await app.call('getTotp', { as: admin })).body).toEqual({
      enabled: true,
      recoveryCodesLeft: 10,
      required: false,
    });
    const listed = (await app.call('listAdmins', { as: admin })).body;
    const of = (who: string) => listed.find((row: { email: string }) => row.email === who).hasTotp;
    expect([of(email), await lastActions(1)]).toEqual([true, ['admin.totp_enabled']]);
  });

  it('ends sessions opened without it, but not the one that set it up', async () => {
    const other = (await login()).cookie;
    await setUp();
    expect([(await me(other)).status, (await me(admin)).status]).toEqual([401, 200]);
  });

  it('requires the code after the password, and opens no session before', async () => {
    const { secret } = await setUp();
    const first = await login();
    expect([first.status, first.cookie]).toEqual([202, undefined]);
    expect(Object.keys(first.body)).toEqual(['pending']);
    expect(first.text).not.toContain(email);
    // The token of the first step is not a session.
    expect((await me(first.body.pending)).status).toBe(401);
    const reply = await second(first.body.pending, code(secret));
    expect(reply).toMatchObject({ status: 200, body: { role: 'admin', user: { email } } });
    expect((await me(reply.cookie)).status).toBe(200);
    expect((await actions()).at(-1)).toMatchObject({
      action: 'admin.signed_in',
      details: { secondStep: 'app' },
    });
  });

  it('makes the browser a known device only after the second step', async () => {
    const { secret } = await setUp();
    const deviceOf = ({ headers }: Reply) =>
      /invigil_device=([^;]+)/.exec(String(headers['set-cookie']))?.[1];
    const first = await login();
    expect(deviceOf(first)).toBeUndefined();
    expect(deviceOf(await second(first.body.pending, '000000'))).toBeUndefined();
    wait(2);
    const device = deviceOf(await second(first.body.pending, code(secret)));
    const { devices } = app.context.keys;
    expect(knownDevice(devices, device, email, app.clock.now())).toEqual(expect.any(String));
  });

  it('accepts a code once, even from two concurrent requests, and none older', async () => {
    const { secret } = await setUp();
    const typed = code(secret);
    const [one, two] = [(await login()).body.pending, (await login()).body.pending];
    const both = await Promise.all([second(one, typed), second(two, typed)]);
    expect(both.filter((reply) => reply.status === 200)).toHaveLength(1);
    const late = both[0]?.status === 200 ? two : one;
    wait(10);
    expect((await second(late, typed)).body.code).toBe('WRONG_CODE');
    wait(2);
    expect((await second(late, code(secret, -1))).body.code).toBe('WRONG_CODE');
    wait(60);
    expect((await second(late, code(secret))).status).toBe(200);
  });

  it('accepts no code for another sign-in, and one sign-in per password', async () => {
    const mine = await setUp();
    const first = (await login()).body.pending;
    const otherEmail = `other${n}@example.org`;
    const other = await signInAdmin(app, otherEmail);
    const theirs = await setUp(other);
    expect((await second(first, code(theirs.secret))).body.code).toBe('WRONG_CODE');
    wait(2);
    expect((await second(first, theirs.recoveryCodes[0] ?? '')).body.code).toBe('WRONG_CODE');
    wait(30);
    expect((await second(first, code(mine.secret))).status).toBe(200);
    wait(30);
    expect((await second(first, code(mine.secret))).body.code).toBe('SIGN_IN_EXPIRED');
  });

  it('waits five minutes for the code, then deletes the pending sign-in', async () => {
    const { secret } = await setUp();
    const first = (await login()).body.pending;
    wait(299);
    expect((await second(first, '000000')).body.code).toBe('WRONG_CODE');
    wait(1);
    expect(await second(first, code(secret))).toMatchObject({
      status: 401,
      body: { code: 'SIGN_IN_EXPIRED' },
    });
    expect((await second('x'.repeat(43), code(secret))).body.code).toBe('SIGN_IN_EXPIRED');
    wait(1);
    await deleteOldSessions(app.context.db, app.clock.now());
    expect((await app.pool.query('select * from pending_sign_ins')).rows).toHaveLength(0);
  });

  it('evaluates one guess at a time per account, however many arrive at once', async () => {
    const { secret, recoveryCodes } = await setUp();
    const pending = await Promise.all(
      Array.from({ length: 5 }, async () => (await login()).body.pending),
    );
    const guesses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        app.call('secondStep', {
          body: { pending: pending[i % 5], code: String(100_000 + i) },
          address: `10.0.0.${i}`,
        }),
      ),
    );
    expect(guesses.filter((reply) => reply.status === 400)).toHaveLength(1);
    expect(guesses.filter((reply) => reply.status === 429)).toHaveLength(49);
    // A right password does not restart the count.
    const first = (await login()).body.pending;
    for (const seconds of [1, 2, 4, 8]) {
      expect((await second(first, code(secret))).headers['retry-after']).toBe(String(seconds));
      wait(seconds);
      expect((await second(first, '000000')).body.code).toBe('WRONG_CODE');
    }
    // The owner can still sign in.
    expect((await second(first, recoveryCodes[3] ?? '')).status).toBe(200);
    expect(await lastActions(2)).toEqual(['admin.code_refused', 'admin.signed_in']);
  });

  it('accepts each recovery code once, in any case and grouping, and counts the rest', async () => {
    const { recoveryCodes } = await setUp();
    const [typed = ''] = recoveryCodes;
    const first = (await login()).body.pending;
    const reply = await second(first, ` ${typed.toLowerCase().replaceAll('-', ' ')} `);
    expect(reply.status).toBe(200);
    expect((await app.call('getTotp', { as: reply.cookie })).body.recoveryCodesLeft).toBe(9);
    const again = (await login()).body.pending;
    expect((await second(again, typed)).body.code).toBe('WRONG_CODE');
    const ownId = (await me(admin)).body.user.id;
    const byRecovery = (await actions()).filter(
      (row) => row.admin_id === ownId && row.details?.secondStep === 'recovery_code',
    );
    expect(byRecovery).toHaveLength(1);
  });

  it('replaces the recovery codes for password and code, voiding the earlier ones', async () => {
    const { secret, recoveryCodes } = await setUp();
    const renew = (currentPassword: string, typed: string) =>
      app.call('renewRecoveryCodes', { as: admin, body: { currentPassword, code: typed } });
    expect((await renew('wrong', code(secret))).body.code).toBe('WRONG_PASSWORD');
    wait(1);
    expect((await renew(password, '000000')).body.code).toBe('WRONG_CODE');
    wait(1);
    const fresh = (await renew(password, code(secret))).body.recoveryCodes as string[];
    expect(fresh).toHaveLength(10);
    const first = (await login()).body.pending;
    expect((await second(first, recoveryCodes[0] ?? '')).body.code).toBe('WRONG_CODE');
    expect((await second(first, fresh[0] ?? '')).status).toBe(200);
  });

  it('is switched off only with password and code together', async () => {
    const { secret } = await setUp();
    const off = (currentPassword: string, typed: string) =>
      app.call('switchOffTotp', { as: admin, body: { currentPassword, code: typed } });
    expect((await off('wrong', code(secret))).body.code).toBe('WRONG_PASSWORD');
    wait(1);
    expect((await off(password, '000000')).body.code).toBe('WRONG_CODE');
    expect((await login()).status).toBe(202);
    wait(1);
    const waiting = (await login()).body.pending;
    expect((await off(password, code(secret))).status).toBe(204);
    wait(30);
    expect((await second(waiting, code(secret))).body.code).toBe('SIGN_IN_EXPIRED');
    expect((await login()).status).toBe(200);
    expect((await off(password, code(secret))).body.code).toBe('TOTP_OFF');
    expect((await actions()).map((row) => row.action)).toContain('admin.totp_disabled');
    const { rows } = await app.pool.query(
      'select * from admin_recovery_codes where admin_id = (select id from admins where email = $1)',
      [email],
    );
    expect(rows).toEqual([]);
  });

  it('is reset by another administrator, never by its owner, who is signed out', async () => {
    const { secret } = await setUp();
    const ownId = (await me(admin)).body.user.id;
    const other = await signInAdmin(app, `helper${n}@example.org`);
    const helperId = (await me(other)).body.user.id;
    const reset = (as: string, id: string) => app.call('resetTotp', { as, params: { id } });
    expect((await reset(admin, ownId)).body.code).toBe('TOTP_OWN');
    expect((await reset(admin, helperId)).body.code).toBe('TOTP_OFF');
    expect((await reset(other, '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c')).status).toBe(404);
    const waiting = (await login()).body.pending;
    expect((await reset(other, ownId)).status).toBe(204);
    expect((await me(admin)).status).toBe(401);
    expect((await second(waiting, code(secret))).body.code).toBe('SIGN_IN_EXPIRED');
    expect((await login()).status).toBe(200);
    expect((await actions()).find((row) => row.action === 'admin.totp_reset')).toMatchObject({
      admin_id: helperId,
      subject_id: ownId,
    });
  });

  describe('required for all', () => {
    const require = (as: string, totpRequired = true) =>
      app.call('putSignInPolicy', { as, body: { totpRequired } });

    it('can only be required by an administrator who has it', async () => {
      expect(await require(admin)).toMatchObject({ status: 409, body: { code: 'TOTP_FIRST' } });
      expect((await app.call('getSignInPolicy', { as: admin })).body).toEqual({
        totpRequired: false,
      });
    });

    it('allows administrators without it only its setup, from the next request on', async () => {
      await setUp();
      const other = await signInAdmin(app, `late${n}@example.org`);
      expect((await require(admin)).status).toBe(200);
      expect((await actions()).at(-1)).toMatchObject({
        action: 'sign_in_policy.changed',
        details: { totpRequired: true },
      });
      expect((await me(other)).body.mustSetUpTotp).toBe(true);
      for (const name of [
        'listQuizzes',
        'listAdmins',
        'getSignInPolicy',
        'streamLive',
      ] as EndpointName[]) {
        expect(await app.call(name, { as: other })).toMatchObject({
          status: 403,
          body: { code: 'TOTP_NEEDED' },
        });
      }
      const fresh = await login(password, `late${n}@example.org`);
      expect(fresh).toMatchObject({ status: 200, body: { mustSetUpTotp: true } });
      await setUp(fresh.cookie);
      expect((await me(fresh.cookie)).body).not.toHaveProperty('mustSetUpTotp');
      expect((await app.call('listQuizzes', { as: fresh.cookie })).status).toBe(200);
      expect((await me(admin)).body).not.toHaveProperty('mustSetUpTotp');
    });

    it('applies to anyone who switches it off or is reset, but not to candidates', async () => {
      const { secret } = await setUp();
      await require(admin);
      const body = { currentPassword: password, code: code(secret) };
      expect((await app.call('switchOffTotp', { as: admin, body })).status).toBe(204);
      expect((await app.call('listQuizzes', { as: admin })).body.code).toBe('TOTP_NEEDED');
      await requireNoTotp();
      const quiz = await makeQuiz(app, admin);
      const candidate = await inviteCandidate(app, admin, quiz.id, `c${n}@example.org`);
      await setUp();
      await require(admin);
      expect((await me(candidate.cookie)).body).toMatchObject({ role: 'participant' });
      expect((await app.call('startParticipant', { as: candidate.cookie, body: {} })).status).toBe(
        201,
      );
    });

    it('leaves open only the endpoints marked in the table', () => {
      const open = Object.entries(ENDPOINTS).filter(([, row]) => 'beforeTotp' in row);
      expect(open.map(([name]) => name).sort()).toEqual([
        'beginTotp',
        'confirmTotp',
        'getTotp',
        'me',
      ]);
    });
  });

  it('is counted in System Information', async () => {
    const of = async () =>
      (await app.call('getSystemInformation', { as: admin })).body.securityFeatures.find(
        (feature: { name: string }) => feature.name === 'Two-step sign-in',
      );
    expect(await of()).toMatchObject({
      active: false,
      detail: expect.stringMatching(/^0 of \d+ admin/),
    });
    await setUp();
    await app.call('putSignInPolicy', { as: admin, body: { totpRequired: true } });
    expect((await of()).detail).toMatch(/^1 of \d+ administrators, required for all$/);
  });
});
