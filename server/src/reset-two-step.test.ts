import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownCode } from './testing/authenticator.ts';
import { HttpPerson } from './testing/http-person.ts';
import { type RunningServer, startServer } from './testing/running-server.ts';

const START = fileURLToPath(new URL('../start.mjs', import.meta.url));
const ADMIN = { email: 'admin@example.org', password: 'correct horse battery' };

describe('npm run admin:reset-two-step', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({
      env: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    });
  });
  afterAll(async () => {
    await server.stop();
    server.removeData();
  });

  function reset(...addresses: string[]): Promise<{ code: number; said: string }> {
    return new Promise((resolve) => {
      const options = { env: { PATH: process.env.PATH, DATA_DIR: server.dataDir } };
      const args = [START, '--reset-two-step', ...addresses];
      execFile(process.execPath, args, options, (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + err });
      });
    });
  }

  it('lets the only administrator back in, signed out elsewhere, beside the running server', {
    timeout: 60_000,
  }, async () => {
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
    await admin.signIn(ADMIN.email, ADMIN.password);
    const body = { currentPassword: ADMIN.password };
    const { secret } = (await admin.call('beginTotp', { body })).body;
    const code = shownCode(secret, new Date());
    expect((await admin.call('confirmTotp', { body: { code } })).status).toBe(200);
    const other = new HttpPerson(server.url);
    expect((await other.call('login', { body: ADMIN })).status).toBe(202);

    expect(await reset(ADMIN.email.toUpperCase())).toMatchObject({ code: 0 });
    expect((await admin.call('me')).status).toBe(401);
    await other.signIn(ADMIN.email, ADMIN.password);
    const log = (await other.call('listAudit', { query: { search: 'totp_reset' } })).body;
    expect(log).toMatchObject([{ action: 'admin.totp_reset', adminId: null }]);
  });
});
