import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  HttpPerson,
  type RunningServer,
  runCommand,
  startServer,
} from '@invigil/testkit/running-server';
import { cleanUp, started } from '@invigil/testkit/supervised-postgres';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

describe('npm run audit:verify', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
    await new HttpPerson(server.url).signIn();
  });
  afterEach(cleanUp);
  afterAll(async () => {
    await server.stop();
    server.removeData();
  });

  const verify = (...more: string[]) => run('--verify-audit', ...more);

  const run = (...args: string[]) => runCommand({ DATA_DIR: server.dataDir }, args);

  it('exits with 1 for a head that the chain does not contain, for either command', async () => {
    await expect.poll(async () => (await verify()).said).toMatch(/^Head/m);
    const head = /Head: (\S+)/.exec((await verify()).said)?.[1] ?? '';
    const [number, hash = ''] = head.split(':');
    expect(await run('--verify', '--head', head)).toMatchObject({ code: 0 });
    const wrong = hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    for (const [named, n] of [
      [`${number}:${wrong}`, number],
      [`${Number(number) + 1}:${hash}`, Number(number) + 1],
    ]) {
      const problem = `entry ${n} is not the one that the log named`;
      expect(await verify('--head', String(named))).toEqual({
        code: 1,
        said: `The audit log is NOT intact: ${problem}.\n`,
      });
      const all = await run('--verify', '--head', String(named));
      expect(all).toMatchObject({ code: 1, said: expect.stringContaining(problem) });
      expect(all.said).toMatch(/^BROKEN {2}Audit log: \d+ entries, 1 findings$/m);
    }
  });

  it('checks backups as well: whole, changed and missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'invigil-verify-'));
    const whole = join(folder, 'whole.backup');
    const changed = join(folder, 'changed.backup');
    expect(await run('--backup', whole)).toMatchObject({ code: 0 });
    const bytes = readFileSync(whole);
    bytes.writeUInt8((bytes[bytes.length >> 1] ?? 0) ^ 1, bytes.length >> 1);
    writeFileSync(changed, bytes);
    const check = (...files: string[]) =>
      run('--verify', ...files.flatMap((file) => ['--backup', file]));

    const fine = await check(whole);
    expect(fine.said).toContain(`ok      Backup ${whole}: authentic and complete\n`);
    expect(fine.code).toBe(0);
    const broken = await check(changed, whole);
    expect(broken.said).toContain(`BROKEN  Backup ${changed}: read, 1 findings\n`);
    expect(broken.said).toContain('the backup was changed or truncated after it was made');
    // A broken one affects neither the check nor the result of the next.
    expect(broken.said).toContain(`ok      Backup ${whole}: authentic and complete\n`);
    expect(broken.code).toBe(1);
    const missing = await check(join(folder, 'none.backup'));
    expect(missing).toMatchObject({ code: 1, said: expect.stringMatching(/BROKEN.*none\.backup/) });
    rmSync(folder, { recursive: true });
  });

  it('works beside a running server and beside a stopped process', async () => {
    await expect.poll(async () => (await verify()).said).toMatch(/^Head/m);
    const running = await verify();
    expect(running).toMatchObject({ code: 0 });
    expect(running.said).toMatch(/^The audit log is intact: 2 entries\.\nHead: 2:[0-9a-f]{64}\n$/);
    const head = /Head: (\S+)/.exec(running.said)?.[1] ?? '';
    expect(await verify('--head', head)).toEqual(running);
    expect(await verify('--head', 'three')).toMatchObject({
      code: 1,
      said: expect.stringContaining('--head takes a number and a hash'),
    });

    expect(await run('--verify')).toMatchObject({
      code: 0,
      said: expect.stringMatching(
        /^ok {6}Audit log: 2 entries\nok {6}Credentials: 3 rows\nok {6}Settings and mail: 0 rows of settings, 0 messages\nok {6}Assessments: 0 assessments, 0 monitoring policies\nok {6}People: 0 people\nok {6}Questions: 0 versions\nok {6}Results: 0 attempts, 0 releases, 0 certificates\nok {6}Evidence: 0 uploads, 0 files\nok {6}Images: 0 images\n$/,
      ),
    });
    expect(await run('--verify', '--remove-unused-images')).toMatchObject({
      code: 1,
      said: expect.stringContaining('Invigil is running'),
    });
    await server.kill();
    expect(await verify()).toEqual(running);
    expect((await run('--verify', '--remove-unused-images')).said).toContain('Removed 0 images');

    const database = await started(server.dataDir);
    const client = new Client(database.connection);
    await client.connect();
    await client.query(`update audit_entries set action = 'nothing.happened'`);
    await client.end();
    expect(await verify()).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^The audit log is NOT intact: entry 1 \(\S+\) was changed/),
    });
    const broken = await run('--verify');
    expect(broken.code).toBe(1);
    expect(broken.said).toMatch(/^BROKEN {2}Audit log: 2 entries, 1 findings$/m);
    expect(await run('--verify', '--accept')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Accepted as it is now'),
    });
    expect((await run('--verify')).code).toBe(0);
  });
});
