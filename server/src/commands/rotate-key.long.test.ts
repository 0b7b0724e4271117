import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  HttpPerson,
  inviteOverHttp,
  type RunningServer,
  runCommand,
  startServer,
} from '@invigil/testkit/running-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 150_000, hookTimeout: 150_000 });

describe('npm run rotate-key', () => {
  let server: RunningServer;
  let folder: string;
  let code: string;

  beforeAll(async () => {
    server = await startServer();
    folder = server.dataDir;
    const admin = new HttpPerson(server.url);
    await admin.signIn();
    code = (await inviteOverHttp(admin, ['c@example.org'])).codes[0] ?? '';
  });
  afterAll(async () => {
    await server.stop();
    server.removeData();
  });

  /** Runs the server or a command on the data folder. */
  const run = (args: string[], env: Record<string, string> = {}) =>
    runCommand({ DATA_DIR: folder, ...env }, args);
  const path = (name = 'secret-key') => join(folder, name);
  const key = () => readFileSync(path(), 'utf8');
  const start = async () => {
    server = await startServer({ dataDir: folder });
  };

  it('is refused beside the running server, and changes nothing', async () => {
    const before = key();
    const { code, said } = await run(['--rotate-key']);
    expect(code).toBe(1);
    expect(said).toMatch(/^Invigil is already running on /);
    expect(key()).toBe(before);
  });

  it('creates a new key for the folder, with which everything works, and voids the old one', async () => {
    const old = key();
    expect(await server.stop()).toBe(0);
    const { code: exit, said } = await run(['--rotate-key']);
    expect(said).toMatch(/^Resealed: 0 two-step secrets\.\n/);
    expect(said).toContain('Resealed: 1 waiting one-time passwords.');
    expect(said).toMatch(/The key is now the one in .*secret-key\. Start Invigil\.\n$/);
    expect(exit).toBe(0);
    const fresh = key();
    expect(fresh).not.toBe(old);
    expect(existsSync(path('secret-key.next'))).toBe(false);

    writeFileSync(path(), old);
    for (const args of [['--without-web'], ['--verify-audit'], ['--backup', path('a.backup')]]) {
      const refused = await run(args, { PORT: String(await freePort()) });
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.said).toMatch(/^The secret key in .* is not the key that the data/m);
    }
    expect(existsSync(path('a.backup'))).toBe(false);

    // A power cut between the commit and the rename leaves this file.
    writeFileSync(path('secret-key.next'), fresh);
    await start();
    expect(key()).toBe(fresh);
    expect(existsSync(path('secret-key.next'))).toBe(false);
    await new HttpPerson(server.url).signIn();
    const candidate = new HttpPerson(server.url);
    await candidate.signIn('c@example.org', code);
  });

  it('accepts a key from the environment instead, and confirms the loss of a lost one', async () => {
    expect(await server.stop()).toBe(0);
    const mine = { SECRET_KEY: 'm'.repeat(32) };
    const wrong = await run(['--rotate-key'], { ...mine, OLD_SECRET_KEY: 'w'.repeat(32) });
    expect(wrong.said).toMatch(/^OLD_SECRET_KEY is not the key .* Nothing was changed\.\n$/);
    expect((await run(['--rotate-key'], mine)).said).toContain('The key is now the one of SECRET_');
    expect((await run(['--verify-audit'], mine)).said).toMatch(/^The audit log is intact/);

    const lost = await run(['--rotate-key', '--old-key-lost'], { SECRET_KEY: 'n'.repeat(32) });
    expect(lost.said).toMatch(/What the lost key sealed cannot be read/);
    expect((await run(['--verify-audit'], { SECRET_KEY: 'n'.repeat(32) })).code).toBe(0);
  });
});
