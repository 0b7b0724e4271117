import { setTimeout as delay } from 'node:timers/promises';
import { shownCode } from '@invigil/testkit/factories';
import {
  ADMIN,
  HttpPerson,
  type RunningServer,
  runCommand,
  startServer,
} from '@invigil/testkit/running-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('npm run admin:reset-two-step and admin:reset-password', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server.stop();
    server.removeData();
  });

  const run = (args: string[], typed?: string) =>
    runCommand({ DATA_DIR: server.dataDir }, args, typed);
  const reset = (...addresses: string[]) => run(['--reset-two-step', ...addresses]);

  it('sets a new password for an administrator who forgot it, and ends the sessions', async () => {
    const resetPassword = (args: string[], typed?: string) =>
      run(['--reset-password', ...args], typed);
    expect(await resetPassword([])).toMatchObject({
      code: 1,
      said: expect.stringContaining('npm run admin:reset-password -- '),
    });
    expect(await resetPassword(['nobody@example.org'])).toEqual({
      code: 1,
      said: 'There is no administrator nobody@example.org.\n',
    });
    const admin = new HttpPerson(server.url);
    await admin.signIn();
    for (const [weak, why] of [
      ['short', '12 to 200 characters'],
      ['password1234\n', 'easy to guess'],
      ['ABCDE-FGHJK-23456', 'one-time password'],
    ]) {
      const refused = await resetPassword([ADMIN.email, '--stdin'], weak);
      expect(refused).toMatchObject({ code: 1, said: expect.stringContaining(why ?? '') });
    }
    expect((await admin.call('me')).status).toBe(200);

    const printed = await resetPassword([ADMIN.email.toUpperCase()]);
    const password = /^password: (\S{20})$/m.exec(printed.said)?.[1] ?? '';
    expect(printed).toMatchObject({
      code: 0,
      said: expect.stringContaining('sessions have ended'),
    });
    expect((await admin.call('me')).status).toBe(401);
    await admin.signIn(ADMIN.email, password);
    expect((await new HttpPerson(server.url).call('login', { body: ADMIN })).status).toBe(401);
    // A first wrong password costs a second, by the server's clock.
    await delay(1_200);

    const typed = await resetPassword([ADMIN.email, '--stdin'], `${ADMIN.password}\n`);
    expect(typed).toMatchObject({ code: 0 });
    expect(typed.said).not.toContain(ADMIN.password);
    await admin.signIn();
    const log = (await admin.call('listAudit', { query: { search: 'password_reset' } })).body;
    const entry = { action: 'admin.password_reset', adminId: null };
    expect(log).toMatchObject([entry, entry]);
  });

  it('lets the only administrator sign in again, ending sessions, while the server runs', async () => {
    expect(await reset()).toMatchObject({ code: 1, said: expect.stringContaining('Name one') });
    expect(await reset('nobody@example.org')).toEqual({
      code: 1,
      said: 'There is no administrator nobody@example.org.\n',
    });
    expect(await reset(ADMIN.email)).toEqual({
      code: 1,
      said: `${ADMIN.email} has no two-step sign-in.\n`,
    });

    const admin = new HttpPerson(server.url);
    await admin.signIn();
    const body = { currentPassword: ADMIN.password };
    const { secret } = (await admin.call('beginTotp', { body })).body;
    const code = shownCode(secret, new Date());
    expect((await admin.call('confirmTotp', { body: { code } })).status).toBe(200);
    const other = new HttpPerson(server.url);
    expect((await other.call('login', { body: ADMIN })).status).toBe(202);

    expect(await reset(ADMIN.email.toUpperCase())).toMatchObject({ code: 0 });
    expect((await admin.call('me')).status).toBe(401);
    await other.signIn();
    const log = (await other.call('listAudit', { query: { search: 'totp_reset' } })).body;
    expect(log).toMatchObject([{ action: 'admin.totp_reset', adminId: null }]);
  });
});
