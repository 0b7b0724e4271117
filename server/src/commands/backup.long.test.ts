import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  HttpPerson,
  inviteOverHttp,
  type RunningServer,
  runCommand,
  startServer,
} from '@invigil/testkit/running-server';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runningConnection } from '../db/embedded-postgres/running.ts';

vi.setConfig({ testTimeout: 150_000, hookTimeout: 150_000 });

/** Runs a command on a data folder. */
const run = (dataDir: string, ...args: string[]) => runCommand({ DATA_DIR: dataDir }, args);

describe('backup of a running server, and restore on another machine', () => {
  let server: RunningServer;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'invigil-drill-'));
    server = await startServer();
  });
  afterAll(async () => {
    await server.stop();
    server.removeData();
    rmSync(folder, { recursive: true, force: true });
  });

  it('asks for a file name, and overwrites no file', async () => {
    expect(await run(server.dataDir, '--backup')).toEqual({
      code: 1,
      said: 'Name one file: npm run backup -- invigil.backup\n',
    });
    const { code, said } = await run(server.dataDir, '--backup', import.meta.filename);
    expect(code).toBe(1);
    expect(said).toMatch(/already exists/);
    expect(await run(folder, '--restore', join(folder, 'none'))).toMatchObject({ code: 1 });
  });

  it('fails where there is no database, and creates none', async () => {
    const elsewhere = join(folder, 'elsewhere');
    const file = join(folder, 'of-nothing');
    const none = { code: 1, said: expect.stringMatching(/^There is no database in .*elsewhere\./) };
    const env = { DATA_DIR: elsewhere, SECRET_KEY: 'f'.repeat(64) };
    expect(await runCommand(env, ['--backup', file])).toEqual(none);
    expect(await runCommand(env, ['--verify-audit'])).toEqual(none);
    expect(await runCommand(env, ['--rotate-key', '--old-key-lost'])).toEqual(none);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('restores accounts, codes and settings', async () => {
    const admin = new HttpPerson(server.url);
    await admin.signIn();
    const { codes } = await inviteOverHttp(admin, ['c@example.org']);
    const file = join(folder, 'invigil.backup');
    const made = await run(server.dataDir, '--backup', file);
    expect(made).toMatchObject({ code: 0 });
    expect(made.said).toMatch(
      /^Backup written to .*: \d+ tables, \d+ rows, 0 files of evidence, 0 images\.\n/,
    );
    expect(made.said).toMatch(/contains the secret key: .* Store it like a password/);
    expect(made.said).toMatch(
      /\nTo restore it elsewhere, put a copy of the file secret-key of .* into the empty DATA_DIR there first: .*--unauthenticated/,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['invigil.backup']);

    const there = join(folder, 'data');
    const broken = join(folder, 'broken');
    const whole = readFileSync(file);
    const key = readFileSync(join(server.dataDir, 'secret-key'), 'utf8').trim();
    const changed = Buffer.from(whole);
    changed.writeUInt8((changed[whole.length >> 1] ?? 0) ^ 1, whole.length >> 1);
    for (const [bytes, problem] of [
      [changed, /cannot be restored: .*changed or truncated/],
      [Buffer.from('a letter'), /cannot be restored: .*not a backup/],
    ] as const) {
      writeFileSync(broken, bytes);
      const refused = await runCommand({ DATA_DIR: there, SECRET_KEY: key }, ['--restore', broken]);
      expect(refused.said).toMatch(problem);
      expect(refused.said.split('\n')).toHaveLength(2);
      expect(refused.code).toBe(1);
      expect(existsSync(there)).toBe(false);
    }
    expect(await run(there, '--restore', file)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^There is no secret key here to check .* with\. Set SECRET_KEY/),
    });
    writeFileSync(broken, changed);
    expect(await run(there, '--restore', broken, '--unauthenticated')).toMatchObject({ code: 1 });
    expect(existsSync(there)).toBe(false);

    const restored = await run(there, '--restore', file, '--unauthenticated');
    expect(restored.said).toMatch(/^Restored as of 20.*: \d+ tables, \d+ rows/);
    expect(restored.code).toBe(0);
    const keyOf = (dataDir: string) => readFileSync(join(dataDir, 'secret-key'), 'utf8');
    expect(keyOf(there)).toBe(keyOf(server.dataDir));
    expect(await run(there, '--restore', file)).toEqual({
      code: 1,
      said: expect.stringMatching(/already contains data/),
    });

    const second = await startServer({ dataDir: there });
    try {
      const person = new HttpPerson(second.url);
      await person.signIn('c@example.org', codes[0] ?? '');
      expect((await person.call('startParticipant', { body: {} })).status).toBe(201);
      await new HttpPerson(second.url).signIn();

      await nameEvidence(there);
      const lacking = join(folder, 'lacking');
      const { code, said } = await run(there, '--backup', lacking);
      expect(said).toMatch(/0 files of evidence, 0 images\.\n/);
      expect(said).toMatch(/1 file of evidence or images that the database names is NOT in it/);
      expect(code).toBe(1);
      expect(existsSync(lacking)).toBe(true);
    } finally {
      await second.stop();
    }
  });
});

/** Records an upload whose file does not exist. */
async function nameEvidence(dataDir: string): Promise<void> {
  const client = new pg.Client(runningConnection(dataDir) ?? {});
  await client.connect();
  await client.query(`
    insert into evidence_keys (participant_id, sealed_key, created_at)
    select id, '\\x00', now() from participants;
    insert into evidence (id, participant_id, at, received_at, stored_at, stills, has_levels, bytes)
    select gen_random_uuid(), id, now(), now(), now(), 1, false, 1 from participants`);
  await client.end();
}
