import type { Reply } from '@invigil/testkit/app';
import { ADMIN, setUpApp, shownCode, signInAdmin } from '@invigil/testkit/factories';
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

  /** Runs both, with the first ahead in the queue for the administrator's lock. */
  async function inOrder(first: () => Promise<Reply>, second: () => Promise<Reply>) {
    const window = await HeldWindow.open(
      app.pool,
      'select from admins where lower(email) = $1 for update',
      [email],
    );
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

  async function enrol(): Promise<string> {
    const body = { currentPassword: ADMIN.password };
    const begun = await app.call('beginTotp', { as: owner, body });
    const code = shownCode(begun.body.secret, app.clock.now());
    expect((await app.call('confirmTotp', { as: owner, body: { code } })).status).toBe(200);
    return begun.body.secret;
  }

  it('opens no session with the old password that outlives the change', async () => {
    let current = ADMIN.password;
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = `fresh lantern ${round} otter`;
      const change = () => {
        const body = { currentPassword: current, newPassword: next };
        return app.call('changeOwnPassword', { as: owner, body });
      };
      const old = current;
      const signIn = () => login(old);
      const changeFirst = round % 2 === 0;
      const [one, two] = changeFirst
        ? await inOrder(change, signIn)
        : await inOrder(signIn, change);
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
    const secret = await enrol();
    app.clock.advance({ seconds: 90 });
    const { pending } = (await login(ADMIN.password)).body;
    const body = { currentPassword: ADMIN.password, newPassword: 'fresh lantern otter' };
    const code = shownCode(secret, app.clock.now());
    const [changed, signedIn] = await inOrder(
      () => app.call('changeOwnPassword', { as: owner, body }),
      () => app.call('secondStep', { body: { pending, code } }),
    );
    expect(changed.status).toBe(200);
    expect(signedIn).toMatchObject({ status: 401, body: { code: 'SIGN_IN_EXPIRED' } });
  });

  it('starts no second step with the old password', async () => {
    await enrol();
    const body = { currentPassword: ADMIN.password, newPassword: 'fresh lantern otter' };
    const [changed, signedIn] = await inOrder(
      () => app.call('changeOwnPassword', { as: owner, body }),
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
    const change = (as: string, newPassword: string) => () =>
      app.call('changeOwnPassword', { as, body: { currentPassword: ADMIN.password, newPassword } });
    const [first, second] = await inOrder(
      change(owner, 'fresh lantern otter'),
      change(other, 'other lantern otter'),
    );
    expect([first.status, second.status]).toEqual([200, 400]);
    expect((await login('fresh lantern otter')).status).toBe(200);
  });

  describe('or a confirmation of the password', () => {
    const confirm = (as: string) => () =>
      app.call('confirmPassword', { as, body: { currentPassword: ADMIN.password } });
    const change = () => {
      const body = { currentPassword: ADMIN.password, newPassword: 'fresh lantern otter' };
      return app.call('changeOwnPassword', { as: owner, body });
    };

    it('rejects the old password after the change, in every session', async () => {
      const other = (await login(ADMIN.password)).cookie ?? '';
      const [changed, confirmed] = await inOrder(change, confirm(other));
      expect(changed.status).toBe(200);
      expect(confirmed).toMatchObject({ status: 400, body: { code: 'WRONG_PASSWORD' } });
      expect(await me(other)).toBe(401);
    });

    it('rejects the old password in the session that changed it', async () => {
      const [changed, confirmed] = await inOrder(change, confirm(owner));
      expect(changed.status).toBe(200);
      expect(confirmed).toMatchObject({ status: 400, body: { code: 'WRONG_PASSWORD' } });
    });

    it('succeeds before the change, and so does the change', async () => {
      const [confirmed, changed] = await inOrder(confirm(owner), change);
      expect([confirmed.status, changed.status]).toEqual([204, 200]);
      expect((await login('fresh lantern otter')).status).toBe(200);
    });

    it('confirms nothing for a session that ends concurrently', async () => {
      const window = await HeldWindow.open(
        app.pool,
        'select from admins where lower(email) = $1 for update',
        [email],
      );
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
