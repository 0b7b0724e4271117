import type { Writable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { StartProblem } from '../runtime/start-problem.ts';
import type { Storage } from '../storage/storage.ts';
import {
  beginSnapshot,
  copyOf,
  countReadable,
  listMigrations,
  listStoredEvidence,
  listTables,
  type StoredFile,
} from './backup-queries.ts';
import { BackupWriter } from './container.ts';
import { keyFingerprint } from './key-fingerprint.ts';

export interface BackupParts {
  /** A connection of its own, without time limits. */
  client: pg.Client;
  /** Where evidence lies; `null` leaves it out. */
  evidence: Storage | null;
  secretKey: string;
  /** Whether the key itself goes into the backup. */
  withSecretKey: boolean;
  now: Date;
}

export interface BackupTally {
  tables: number;
  rows: number;
  evidence: number;
}

export interface WrittenBackup extends BackupTally {
  /** Files of evidence that should be where evidence lies and are not: they are in no backup. */
  missing: number;
}

/**
 * Writes everything of an installation as of one moment, while it runs. Evidence is copied after the
 * rows that name it: a file is there before its row says so, and never changes. One that was deleted
 * meanwhile is left out, one that is missing is left out and counted.
 *
 * @throws StartProblem where the database holds no Invigil
 */
export async function writeBackup(parts: BackupParts, out: Writable): Promise<WrittenBackup> {
  const { client, evidence, secretKey, withSecretKey, now } = parts;
  const writer = new BackupWriter(out);
  const tally = { tables: 0, rows: 0 };
  let files: StoredFile[] = [];
  await beginSnapshot(client);
  try {
    const migrations = await listMigrations(client);
    const tables = await listTables(client);
    if (migrations.length === 0 || tables.length === 0) {
      throw new StartProblem(
        'There is no Invigil in this database. Set DATA_DIR, or DATABASE_URL, as it is set for the server.',
      );
    }
    await writer.begin({
      kind: 'manifest',
      format: 1,
      createdAt: now.toISOString(),
      migrations,
      keyFingerprint: keyFingerprint(secretKey),
      hasSecretKey: withSecretKey,
    });
    if (withSecretKey) {
      await writer.begin({ kind: 'secret-key' });
      await writer.data(Buffer.from(secretKey));
    }
    for (const table of tables) {
      await writer.begin({ kind: 'table', ...table });
      const copying = client.query(copyTo(copyOf(table, 'to stdout')));
      for await (const bytes of copying) await writer.data(bytes);
      tally.tables += 1;
      tally.rows += copying.rowCount;
    }
    if (evidence) files = await listStoredEvidence(client);
  } finally {
    // Before the files, which may take hours: until here every change of a table waits for us, and
    // every save behind that.
    await client.query('rollback');
  }
  const absent = evidence ? await copyEvidence(files, evidence, writer) : [];
  await writer.end();
  // A key is destroyed before its files are removed, so whatever has one now should have its file.
  const missing = await countReadable(client, absent);
  return { ...tally, evidence: files.length - absent.length, missing };
}

/** Returns the ids of those that are not there. */
async function copyEvidence(files: readonly StoredFile[], from: Storage, writer: BackupWriter) {
  const absent: string[] = [];
  for (const { folder, name } of files) {
    const bytes = await from.get(folder, name);
    if (!bytes) {
      absent.push(name);
      continue;
    }
    await writer.begin({ kind: 'evidence', folder, name });
    await writer.data(bytes);
  }
  return absent;
}
