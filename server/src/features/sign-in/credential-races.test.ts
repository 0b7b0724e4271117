import type { Reply } from '@invigil/testkit/app';
import { ADMIN, setUpApp, setUpTotp, shownCode, signInAdmin } from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { beforeEach, describe, expect, it } from 'vitest';

const ROUNDS = 12;

/**
 * A sign-in that was verified before a change of the credential and opens its session after it. Another
 * connection opens the race window by locking the administrator's row; the change queues for it first,
 * the sign-in second.
 */
describe('a sign-in during a change of the credential', () => {
  const app = setUpApp();
  let owner: string;
  let email: string;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    email = `race-${n}@example.org`;
    owner = await signInAdmin(app, email);
  });

  const login = (password: string) => app.call('login', { body: { email, password } });
  const me = async (as: string | undefined) => (await app.call('me', { as: as ?? '' })).status;

  const change = (
    as = owner,
    newPassword = 'fresh lantern otter',
    currentPassword = ADMIN.password,
  ) => app.call('changeOwnPassword', { as, body: { currentPassword, newPassword } });
  const lockedAdmin = () =>
    HeldWindow.open(app.pool, 'select from admins where lower(email) = $1 for update', [email]);

  /** Runs both, with the first ahead in the queue for the administrator's lock. */
  async function inOrder(first: () => Promise<Reply>, second: () => Promise<Reply>) {
    const window = await lockedAdmin();
    try {
      const leading = first();
      await window.untilStuck(app.pool, 1);
      const following = second();
      await window.untilStuck(app.pool, 2);
      await window.release();
      return await Promise.all([leading, following]);
    } finally {
      await window.release();
    }
  }

  it('opens no session with the old password that outlives the change', async () => {
    let current = ADMIN.password;
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = `fresh lantern ${round} otter`;
      const old = current;
      const replace = () => change(owner, next, old);
      const signIn = () => login(old);
      const changeFirst = round % 2 === 0;
      const [one, two] = changeFirst
        ? await inOrder(replace, signIn)
        : await inOrder(signIn, replace);
      const [changed, signedIn] = changeFirst ? [one, two] : [two, one];
      expect(changed.status).toBe(200);
      expect(signedIn.status).toBe(changeFirst ? 401 : 200);
      expect(await me(signedIn.cookie)).toBe(401);
      expect(await me(owner)).toBe(200);
      current = next;
    }
  });

  it('opens no session without the second step that outlives its setup', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = { currentPassword: ADMIN.password };
      const { secret } = (await app.call('beginTotp', { as: owner, body })).body;
      const code = shownCode(secret, app.clock.now());
      const confirm = () => app.call('confirmTotp', { as: owner, body: { code } });
      const signIn = () => login(ADMIN.password);
      const confirmFirst = round % 2 === 0;
      const [one, two] = confirmFirst
        ? await inOrder(confirm, signIn)
        : await inOrder(signIn, confirm);
      const [confirmed, signedIn] = confirmFirst ? [one, two] : [two, one];
      expect(confirmed.status).toBe(200);
      expect(signedIn.status).toBe(confirmFirst ? 202 : 200);
      expect(await me(signedIn.cookie)).toBe(401);
      // Another one for the next round.
      email = `race-${n}-${round}@example.org`;
      owner = await signInAdmin(app, email);
    }
  });

  it('completes no second step that began with the old password', async () => {
    const secret = await setUpTotp(app, owner);
    app.clock.advance({ seconds: 90 });
    const { pending } = (await login(ADMIN.password)).body;
    const code = shownCode(secret, app.clock.now());
    const [changed, signedIn] = await inOrder(
      () => change(),
      () => app.call('secondStep', { body: { pending, code } }),
    );
    expect(changed.status).toBe(200);
    expect(signedIn).toMatchObject({ status: 401, body: { code: 'SIGN_IN_EXPIRED' } });
  });

  it('starts no second step with the old password', async () => {
    await setUpTotp(app, owner);
    const [changed, signedIn] = await inOrder(
      () => change(),
      () => login(ADMIN.password),
    );
    expect(changed.status).toBe(200);
    expect(signedIn.status).toBe(401);
    const { rows } = await app.pool.query(
      'select from pending_sign_ins where admin_id = (select id from admins where email = $1)',
      [email],
    );
    expect(rows).toEqual([]);
  });

  it('is refused like any other once the account is deleted', async () => {
    const other = await signInAdmin(app, `deleter-${n}@example.org`);
    const listed = (await app.call('listAdmins', { as: other })).body;
    const { id } = listed.find((row: { email: string }) => row.email === email);
    const [deleted, signedIn] = await inOrder(
      () => app.call('deleteAdmin', { as: other, params: { id } }),
      () => login(ADMIN.password),
    );
    expect(deleted.status).toBe(204);
    expect(signedIn).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
  });

  it('lets one of two password changes succeed and ends the other session', async () => {
    const other = (await login(ADMIN.password)).cookie ?? '';
    const [first, second] = await inOrder(
      () => change(),
      () => change(other, 'other lantern otter'),
    );
    expect([first.status, second.status]).toEqual([200, 400]);
    expect((await login('fresh lantern otter')).status).toBe(200);
  });

  describe('or a confirmation of the password', () => {
    const confirm = (as: string) => () =>
      app.call('confirmPassword', { as, body: { currentPassword: ADMIN.password } });

    it.each(['another', 'the same'])(
      'rejects the old password after it in %s session',
      async (which) => {
        const as = which === 'another' ? ((await login(ADMIN.password)).cookie ?? '') : owner;
        const [changed, confirmed] = await inOrder(() => change(), confirm(as));
        expect(changed.status).toBe(200);
        expect(confirmed).toMatchObject({ status: 400, body: { code: 'WRONG_PASSWORD' } });
        expect(await me(as)).toBe(which === 'another' ? 401 : 200);
      },
    );

    it('succeeds before the change, and so does the change', async () => {
      const [confirmed, changed] = await inOrder(confirm(owner), () => change());
      expect([confirmed.status, changed.status]).toEqual([204, 200]);
      expect((await login('fresh lantern otter')).status).toBe(200);
    });

    it('confirms nothing for a session that ends concurrently', async () => {
      const window = await lockedAdmin();
      try {
        const confirming = confirm(owner)();
        await window.untilStuck(app.pool, 1);
        expect((await app.call('logout', { as: owner })).status).toBe(204);
        await window.release();
        expect(await confirming).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
      } finally {
        await window.release();
      }
    });
  });
});
