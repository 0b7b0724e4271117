import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { migrateTo, OURS } from '../db/upkeep/migrate.ts';
import { StartProblem } from '../runtime/start-problem.ts';
import type { Storage } from '../storage/storage.ts';
import {
  beginLoad,
  copyOf,
  dropReferences,
  emptyTables,
  findFilledTable,
  listMigrations,
  listTables,
  type StoredFile,
} from './backup-queries.ts';
import { BrokenBackup, type Manifest, readRecords, type Section } from './container.ts';
import { keyFingerprint } from './key-fingerprint.ts';
import type { BackupTally } from './write-backup.ts';

export interface RestoreParts {
  /** A connection of its own, without time limits. */
  client: pg.Client;
  evidence: Storage;
  /** The key of this installation; `null` where there is none yet. */
  secretKey: string | null;
  /** Takes the key of the backup where there is none yet; called once all else is done. */
  keepSecretKey(key: string): void;
}

/**
 * Whoever was signed in at the time of the backup is not any more: a session that was ended since, or
 * that somebody wrote into the tables before the backup, must not come back.
 */
const ENDED = ['sessions', 'pending_sign_ins'];

/**
 * Puts a backup into an empty database, in one transaction: all of it or nothing, files of evidence
 * and the secret key as well. The schema is brought to where it was when the backup was made, filled,
 * and then brought up to date. Sessions and sign-ins that wait for their second step are left out.
 *
 * @throws StartProblem for what a person can put right; BrokenBackup for a file that is not whole
 */
export async function restoreBackup(
  parts: RestoreParts,
  input: Readable,
): Promise<BackupTally & { createdAt: string; hasSecretKey: boolean; hasSeals: boolean }> {
  const { client } = parts;
  const tally = { tables: 0, rows: 0, evidence: 0 };
  let manifest: Manifest | undefined;
  let references: string[] = [];
  let section: Section | undefined;
  let copying: CopyStreamQuery | undefined;
  let copied: Promise<void> | undefined;
  let collected: Buffer[] = [];
  let key: string | undefined;
  const added: StoredFile[] = [];

  const begin = async (next: Section) => {
    section = next;
    collected = [];
    if (next.kind === 'manifest') {
      manifest = next;
      await prepare(parts, manifest);
      await beginLoad(client);
      references = await dropReferences(client);
      await emptyTables(
        client,
        (await listTables(client)).map(({ name }) => name),
      );
    } else if (manifest === undefined) {
      throw new BrokenBackup('this is no backup of Invigil');
    } else if (next.kind === 'table') {
      copying = client.query(copyFrom(copyOf(next, 'from stdin')));
      copied = finished(copying);
      // Awaited where the table ends; until then a failure is no surprise to the process.
      copied.catch(() => undefined);
      tally.tables += 1;
    }
  };
  const finish = async () => {
    if (section?.kind === 'table' && copying) {
      copying.end();
      await copied;
      tally.rows += copying.rowCount;
      copying = undefined;
    } else if (section?.kind === 'evidence') {
      const { folder, name } = section;
      if ((await parts.evidence.get(folder, name)) === undefined) added.push({ folder, name });
      await parts.evidence.put(folder, name, Buffer.concat(collected));
      tally.evidence += 1;
    } else if (section?.kind === 'secret-key' && parts.secretKey === null) {
      key = Buffer.concat(collected).toString('utf8');
    }
  };

  try {
    for await (const record of readRecords(input)) {
      if ('section' in record) {
        await finish();
        await begin(record.section);
      } else if (copying) {
        if (!copying.write(record.bytes)) await Promise.race([once(copying, 'drain'), copied]);
      } else collected.push(record.bytes);
    }
    if (!manifest) throw new BrokenBackup('the backup is cut off');
    const made = await listTables(client);
    await emptyTables(
      client,
      made.map(({ name }) => name).filter((name) => ENDED.includes(name)),
    );
    for (const statement of references) await client.query(statement);
    // The last but one: a key that a failed restore left behind would refuse every other backup, and
    // one that a crash took after the commit would leave data that nobody can open.
    if (key !== undefined) parts.keepSecretKey(key);
    await client.query('commit');
  } catch (error) {
    copying?.destroy();
    await copied?.catch(() => undefined);
    await client.query('rollback').catch(() => undefined);
    for (const { folder, name } of added) {
      // What failed first is what has to be told.
      await parts.evidence.remove(folder, name).catch(() => undefined);
    }
    throw error;
  }
  // Seen before the schema is brought up to date, which brings them.
  const hasSeals = (await listTables(client)).some(({ name }) => name === 'trust_state');
  await migrateTo(client, OURS.length);
  await client.query('analyze');
  const { createdAt, hasSecretKey } = manifest;
  return { ...tally, createdAt, hasSecretKey, hasSeals };
}

/** Refuses what must not or cannot be restored here, then makes the schema of that time. */
async function prepare({ client, secretKey }: RestoreParts, manifest: Manifest): Promise<void> {
  const filled = await findFilledTable(client);
  if (filled !== undefined) {
    throw new StartProblem(
      `The database holds data already (table ${filled}). Restore into an empty one: another DATA_DIR, or a new database for DATABASE_URL.`,
    );
  }
  if (secretKey !== null && keyFingerprint(secretKey) !== manifest.keyFingerprint) {
    throw new StartProblem(
      'The backup was made with another SECRET_KEY than the one that is set here: nothing that is encrypted in it could be read. Set the right one.',
    );
  }
  if (secretKey === null && !manifest.hasSecretKey) {
    throw new StartProblem(
      'The backup does not hold its secret key. Set SECRET_KEY to the one of that installation.',
    );
  }
  const { migrations } = manifest;
  const known = OURS.slice(0, migrations.length);
  if (migrations.some((hash, i) => hash !== known[i])) {
    throw new StartProblem('The backup was made by a newer Invigil. Restore it with that version.');
  }
  const applied = await listMigrations(client);
  if (applied.length > migrations.length) {
    throw new StartProblem(
      'The database has been set up by a newer Invigil than the backup. Restore into a new one.',
    );
  }
  await migrateTo(client, migrations.length);
}
