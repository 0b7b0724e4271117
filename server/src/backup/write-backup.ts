import type { Writable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { listApplied } from '../db/upkeep/migrate.ts';
import { StartProblem } from '../runtime/app-error.ts';
import { fileOfImage, type Storage } from '../storage/storage.ts';
import { keyFingerprint } from './backup-file.ts';
import {
  beginSnapshot,
  copyOf,
  countReadable,
  listImageHashes,
  listStoredEvidence,
  listTables,
  type StoredFile,
} from './backup-queries.ts';
import { BackupWriter } from './container.ts';

export interface BackupParts {
  /** A separate connection without timeouts. */
  client: pg.Client;
  /** The storage of evidence, and that of images; `null` leaves it out. */
  evidence: Storage | null;
  images: Storage | null;
  secretKey: string;
  /** Whether the backup contains the key itself. */
  withSecretKey: boolean;
  now: Date;
  /** Is called after every table and file, with how far it is. */
  report?(done: string): void;
}

export interface BackupTally {
  tables: number;
  rows: number;
  evidence: number;
  images: number;
}

export interface WrittenBackup extends BackupTally {
  /** Files of evidence and images that are missing from the storage, and so from the backup. */
  missing: number;
}

/**
 * Writes a consistent snapshot of a running installation. Files are copied after the rows that
 * name them: a file is stored before its row says so, and never changes. Evidence that was deleted
 * since is left out; a file that is missing is left out and counted.
 *
 * @throws StartProblem if the database is not one of Invigil
 */
export async function writeBackup(parts: BackupParts, out: Writable): Promise<WrittenBackup> {
  const { client, evidence, images, secretKey, withSecretKey, now, report } = parts;
  const writer = new BackupWriter(out);
  const tally = { tables: 0, rows: 0 };
  let uploads: StoredFile[] = [];
  let pictures: StoredFile[] = [];
  await beginSnapshot(client);
  try {
    const migrations = await listApplied(client);
    const tables = await listTables(client);
    if (migrations.length === 0 || tables.length === 0) {
      throw new StartProblem(
        'This database does not belong to Invigil. Set DATA_DIR or DATABASE_URL as it is set for the server.',
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
      report?.(`${tally.tables} of ${tables.length} tables, ${tally.rows} rows`);
    }
    if (evidence) uploads = await listStoredEvidence(client);
    if (images) pictures = (await listImageHashes(client)).map(fileOfImage);
  } finally {
    // Before the files, which may take hours: until here a schema change waits for this
    // transaction, and every save waits behind it.
    await client.query('rollback');
  }
  const absent = evidence ? await copyFiles('evidence', uploads, evidence, writer, report) : [];
  const absentImages = images ? await copyFiles('image', pictures, images, writer, report) : [];
  // A key is destroyed before its files are removed, so an upload that has a key should have its
  // file. Images are never removed.
  const missing = (await countReadable(client, absent)) + absentImages.length;
  return {
    ...tally,
    evidence: uploads.length - absent.length,
    images: pictures.length - absentImages.length,
    missing,
  };
}

/** Returns the names of missing files. */
async function copyFiles(
  kind: 'evidence' | 'image',
  files: readonly StoredFile[],
  from: Storage,
  writer: BackupWriter,
  report: BackupParts['report'],
): Promise<string[]> {
  const absent: string[] = [];
  for (const [done, { folder, name }] of files.entries()) {
    report?.(`${done} of ${files.length} ${kind === 'image' ? 'images' : 'files of evidence'}`);
    const bytes = await from.get(folder, name);
    if (!bytes) {
      absent.push(name);
      continue;
    }
    await writer.begin({ kind, folder, name });
    await writer.data(bytes);
  }
  return absent;
}
