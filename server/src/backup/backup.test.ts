import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { digests } from '@invigil/testkit/digests';
import { uploadEvidence } from '@invigil/testkit/evidence';
import { beginAttempt, signInAdmin } from '@invigil/testkit/factories';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { transactionOf } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { cancelLinkMail } from '../db/queries/outbox.ts';
import { MIGRATIONS } from '../db/upkeep/migrate.ts';
import { LINK_KINDS } from '../deliveries/mails.ts';
import { diskStorage } from '../storage/disk-storage.ts';
import { fileOfImage, type Storage } from '../storage/storage.ts';
import { packBackup, unpackBackup } from './backup-file.ts';
import { listTables } from './backup-queries.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const KEY = 'a secret for tests that nobody else uses';

describe('a backup', () => {
  let folder: string;
  let app: TestApp;
  let database: string;
  let saved: Buffer;
  let imageFile: { folder: string; name: string };
  let digestThen: Record<string, string>;
  const clients: pg.Client[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'invigil-backup-'));
    app = await startTestApp({ DATA_DIR: folder });
    database = (await app.pool.query('select current_database() as name')).rows[0].name;
    const admin = await signInAdmin(app);
    // Characters that are hard to transport: quotes, tabs, line breaks, backslashes, other scripts.
    await app.call('createCategory', {
      as: admin,
      body: { name: 'a "b" \'c\' \\N \\.\té 漢字 😀' },
    });
    const attempt = await beginAttempt(app, admin);
    await attempt.save(0, 1, 1, true);
    await attempt.save(1, 0, 1);
    await uploadEvidence(app, attempt, {
      levels: { offsetMs: -3_000, everyMs: 300, values: [0, 12.5] },
    });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"/>';
    const image = await app.call('uploadImage', {
      as: admin,
      body: Buffer.from(svg),
      headers: { 'content-type': 'image/svg+xml' },
    });
    expect(image.status).toBe(201);
    imageFile = fileOfImage(image.body.hash);
    await app.pool.query(`insert into pending_sign_ins (token_hash, admin_id, expires_at)
      select '\\x01', id, now() + interval '1 hour' from admins`);
    await app.pool.query(`insert into password_resets (token_hash, admin_id, expires_at)
      select '\\x01', id, now() + interval '7 days' from admins`);
    await app.pool.query(`insert into preview_codes (id, quiz_id, admin_id, code_hash, created_at)
      select gen_random_uuid(), q.id, a.id, '\\x01', now() from admins a, quizzes q`);
    digestThen = await digests(await connect(database));
    // Saves continue during the backup; none of them is in it.
    const out = new PassThrough();
    const writing = write(await connect(database), out);
    await once(out, 'readable');
    const collecting = buffer(out);
    for (let revision = 2; revision < 30; revision += 1) await attempt.save(0, 2, revision);
    const tally = await writing;
    expect(tally).toMatchObject({ evidence: 1, images: 1, missing: 0 });
    expect(tally.rows).toBeGreaterThan(30);
    saved = await collecting;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
  });
  afterAll(async () => {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function connect(name: string): Promise<pg.Client> {
    const client = new pg.Client({ ...inject('postgres'), database: name });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  }
  async function emptyDatabase(): Promise<pg.Client> {
    const name = `b_${newId().replaceAll('-', '')}`;
    await app.pool.query(`create database ${name}`);
    return connect(name);
  }
  const storage = (name: string = newId()) => diskStorage(join(folder, name));
  const write = async (
    client: pg.Client,
    out: PassThrough = new PassThrough().resume(),
    differs: Partial<Parameters<typeof writeBackup>[0]> = {},
  ) => {
    const stored = { evidence: storage('evidence'), images: storage('images') };
    const parts = { client, ...stored, secretKey: KEY, withSecretKey: true, now: new Date(0) };
    const tally = await writeBackup({ ...parts, ...differs }, out);
    out.end();
    return tally;
  };
  const restore = (
    client: pg.Client,
    bytes: Buffer,
    differs: Partial<Parameters<typeof restoreBackup>[0]> = {},
  ) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, i) =>
      bytes.subarray(i * 1_000, (i + 1) * 1_000),
    );
    const stored = { evidence: storage(), images: storage() };
    const parts = { client, ...stored, secretKey: KEY, storeSecretKey: () => undefined };
    return restoreBackup({ ...parts, ...differs }, Readable.from(pieces));
  };

  it('sends no mail whose link is not restored', async () => {
    const client = await connect(database);
    const as = await signInAdmin(app);
    const { id } = (await client.query('select id from quizzes')).rows[0];
    await app.call('sendTestInvitation', { as, params: { id }, body: {} });
    const of = async (where: string) =>
      (await client.query(`select distinct state from outbox where invitation_id ${where}`)).rows;
    expect(await of('is null')).toEqual([{ state: 'queued' }]);
    await cancelLinkMail(transactionOf(client), LINK_KINDS, 'restored');
    expect(await of('is null')).toEqual([{ state: 'failed' }]);
    expect(await of('is not null')).toEqual([{ state: 'queued' }]);
  });

  it('is refused for a database that does not belong to Invigil', async () => {
    const out = new PassThrough();
    await expect(write(await emptyDatabase(), out)).rejects.toThrow(/does not belong to Invigil/);
    const client = await emptyDatabase();
    await client.query('create table ledger (n int)');
    await expect(write(client, out)).rejects.toThrow(/does not belong to Invigil/);
    expect(out.readableLength).toBe(0);
  });

  it('says how far it is, by tables and files', async () => {
    const client = await emptyDatabase();
    const said: string[] = [];
    const report = (done: string) => said.push(done);
    const { tables, rows } = await restore(client, saved, { report });
    expect(said).toContain(`${tables} tables, ${rows} rows, 0 files`);
    said.length = 0;
    const written = await write(client, undefined, { report });
    expect(said).toContain(`${tables} of ${tables} tables, ${written.rows} rows`);
    expect(said.slice(-2)).toEqual(['0 of 1 files of evidence', '0 of 1 images']);
  });

  it('counts missing evidence and images, except evidence whose key was destroyed since', async () => {
    const client = await emptyDatabase();
    await restore(client, saved);
    const images = await write(client, undefined, { images: storage() });
    expect(images).toMatchObject({ evidence: 1, images: 0, missing: 1 });
    const tally = () => write(client, undefined, { evidence: storage() });
    expect(await tally()).toMatchObject({ evidence: 0, images: 1, missing: 1 });
    await client.query('update evidence_keys set sealed_key = null, destroyed_at = now()');
    expect(await tally()).toMatchObject({ evidence: 0, missing: 0 });
  });

  it('locks no table while it copies evidence', async () => {
    const [client, other] = [await connect(database), await connect(database)];
    const files = storage('evidence');
    const evidence: Storage = {
      ...files,
      async get(...where) {
        await other.query('begin; lock table evidence in access exclusive mode nowait; rollback');
        return files.get(...where);
      },
    };
    const tally = await write(client, undefined, { evidence, images: null });
    expect(tally).toMatchObject({ evidence: 1 });
  });

  it('is refused by a database with data, which stays unchanged', async () => {
    const client = await connect(database);
    const before = await digests(client);
    await expect(restore(client, saved)).rejects.toThrow(/already contains data/);
    expect(await digests(client)).toEqual(before);
  });

  it('is refused beside a filled table of another application, which stays unchanged', async () => {
    const client = await emptyDatabase();
    await client.query('create table ledger (n int); insert into ledger values (7)');
    await expect(restore(client, saved)).rejects.toThrow(/already contains data \(table ledger\)/);
    expect((await client.query('select n from ledger')).rows).toEqual([{ n: 7 }]);
    expect((await listTables(client)).map(({ name }) => name)).toEqual(['ledger']);
  });

  it('is refused with another secret key, or without any', async () => {
    const client = await emptyDatabase();
    const secretKey = `${KEY}!`;
    await expect(restore(client, saved, { secretKey })).rejects.toThrow(/different SECRET_KEY/);
    const out = new PassThrough();
    const [bytes] = await Promise.all([
      buffer(out),
      write(await connect(database), out, { withSecretKey: false }),
    ]);
    await expect(restore(client, bytes, { secretKey: null })).rejects.toThrow(/Set SECRET_KEY/);
    expect(await listTables(client)).toEqual([]);
  });

  it('that is truncated, altered or not a backup changes neither database nor data folder', async () => {
    const { rows } = await app.pool.query('select participant_id, id from evidence');
    const upload = { folder: rows[0].participant_id, name: rows[0].id };
    const file = join(folder, newId());
    await packBackup(file, KEY, async (out) => void out.write(saved));
    const packed = readFileSync(file);
    const altered = Buffer.from(packed);
    // The very last byte is altered: all rows and files were read by then.
    altered.writeUInt8((altered.at(-1) ?? 0) ^ 1, altered.length - 1);
    for (const [bytes, problem] of [
      [packed.subarray(0, packed.length - 1), /truncated/],
      [packed.subarray(0, packed.length >> 1), /truncated/],
      [altered, /was changed/],
      [
        Buffer.from('this is a letter to someone, and not a backup at all'.padEnd(99)),
        /not a backup/,
      ],
    ] as const) {
      writeFileSync(file, bytes);
      const client = await emptyDatabase();
      const root = join(folder, newId());
      const evidence = diskStorage(root);
      const { folder: attempt, name } = upload;
      await evidence.put(attempt, newId(), Buffer.from('existing'));
      const storeSecretKey = vi.fn();
      const images = diskStorage(root);
      const parts = { client, secretKey: null, evidence, images, storeSecretKey };
      await expect(unpackBackup(file, KEY, (input) => restoreBackup(parts, input))).rejects.toThrow(
        problem,
      );
      expect(storeSecretKey).not.toHaveBeenCalled();
      expect(await evidence.get(attempt, name)).toBeUndefined();
      expect(readdirSync(join(root, attempt))).toHaveLength(1);
      for (const { name } of await listTables(client)) {
        if (name === 'admins' || name === 'answers') expect(await count(client, name)).toBe(0);
      }
    }
  });

  it('whose restore fails at the end leaves no file and no key behind', async () => {
    const client = await emptyDatabase();
    const root = join(folder, newId());
    const storeSecretKey = () => {
      throw new Error('the disk is full');
    };
    const storages = { evidence: diskStorage(root), images: diskStorage(root) };
    await expect(
      restore(client, saved, { secretKey: null, ...storages, storeSecretKey }),
    ).rejects.toThrow('the disk is full');
    expect(readdirSync(root)).toEqual([]);
    expect(await count(client, 'admins')).toBe(0);
    expect(await restore(client, saved)).toMatchObject({ evidence: 1 });
  });

  it('restores every row, key, constraint and file as of its time', async () => {
    const client = await emptyDatabase();
    const files = storage();
    const images = storage();
    let key = '';
    const restored = await restore(client, saved, {
      secretKey: null,
      evidence: files,
      images,
      storeSecretKey: (k) => {
        key = k;
      },
    });
    expect(restored).toMatchObject({
      evidence: 1,
      images: 1,
      createdAt: new Date(0).toISOString(),
    });
    expect(key).toBe(KEY);
    const { sessions, pending_sign_ins, password_resets, preview_codes, ...kept } = digestThen;
    const left = { sessions, pending_sign_ins, password_resets, preview_codes };
    for (const [table, digest] of Object.entries(left)) {
      expect(digest).not.toMatch(/^0 /);
      expect(await count(client, table)).toBe(0);
    }
    expect(await digests(client)).toMatchObject(kept);
    const shape = `select conname, pg_get_constraintdef(oid) as is from pg_constraint
      where connamespace = 'public'::regnamespace order by 1, 2`;
    const [there, here] = [await client.query(shape), await app.pool.query(shape)];
    expect(there.rows).toEqual(here.rows);
    const { rows } = await client.query('select participant_id, id from evidence');
    const original = storage('evidence');
    const { participant_id: attempt, id } = rows[0];
    expect(await files.get(attempt, id)).toEqual(await original.get(attempt, id));
    const restoredImage = await images.get(imageFile.folder, imageFile.name);
    expect(
      createHash('sha256')
        .update(restoredImage ?? '')
        .digest('hex'),
    ).toBe(imageFile.name);
  });

  it('of an earlier version is migrated', async () => {
    const client = await emptyDatabase();
    const sql = ['alter table categories add column color text'];
    const next = { sql, hash: 'next', folderMillis: Date.now(), bps: true };
    await restore(client, saved, { migrations: [...MIGRATIONS, next] });
    expect((await client.query('select color from categories')).rows).toContainEqual({
      color: null,
    });
  });
});

async function count(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query(`select count(*)::int as n from "${table}"`);
  return rows[0].n;
}
