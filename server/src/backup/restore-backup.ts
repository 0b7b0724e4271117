import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import type pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { transactionOf } from '../db/database.ts';
import { cancelLinkMail } from '../db/queries/outbox.ts';
import { applyMigrations, listApplied, MIGRATIONS } from '../db/upkeep/migrate.ts';
import { LINK_KINDS } from '../deliveries/mails.ts';
import { StartProblem } from '../runtime/app-error.ts';
import type { Storage } from '../storage/storage.ts';
import { keyFingerprint } from './backup-file.ts';
import {
  beginLoad,
  copyOf,
  dropReferences,
  emptyTables,
  findFilledTable,
  listTables,
  type StoredFile,
} from './backup-queries.ts';
import { BrokenBackup, type Manifest, readRecords, type Section } from './container.ts';
import type { BackupTally } from './write-backup.ts';

export interface RestoreParts {
  /** A separate connection without timeouts. */
  client: pg.Client;
  evidence: Storage;
  images: Storage;
  /** The key of this installation; `null` if it has none yet. */
  secretKey: string | null;
  /** Stores the key of the backup if there is none yet; called right before the commit. */
  storeSecretKey(key: string): void;
  /** The migrations of this version unless given. */
  migrations?: readonly MigrationMeta[];
  /** Is called after every table and file, with how far it is. */
  report?(done: string): void;
}

/**
 * Tables of credentials, which do not survive a restore: a session or link that ended since the backup, or
 * that an attacker wrote into the tables before it, must not come back.
 */
const NOT_RESTORED = ['sessions', 'pending_sign_ins', 'password_resets', 'preview_codes'];

/**
 * Restores a backup into an empty database in one transaction, all or nothing, with evidence,
 * images and the secret key. The schema is migrated to the version of the backup, filled, and then
 * migrated to the current one. NOT_RESTORED is left out.
 *
 * @throws StartProblem for what an operator can correct; BrokenBackup for an incomplete or changed
 *   file
 */
export async function restoreBackup(
  parts: RestoreParts,
  input: Readable,
): Promise<BackupTally & { createdAt: string; hasSecretKey: boolean }> {
  const { client, migrations = MIGRATIONS } = parts;
  const tally = { tables: 0, rows: 0, evidence: 0, images: 0 };
  let manifest: Manifest | undefined;
  let references: string[] = [];
  let section: Section | undefined;
  let copying: CopyStreamQuery | undefined;
  let copied: Promise<void> | undefined;
  let collected: Buffer[] = [];
  let key: string | undefined;
  const added: (StoredFile & { to: Storage })[] = [];

  const begin = async (next: Section) => {
    section = next;
    collected = [];
    if (next.kind === 'manifest') {
      manifest = next;
      await prepare(parts, manifest, migrations);
      await beginLoad(client);
      references = await dropReferences(client);
      await emptyTables(
        client,
        (await listTables(client)).map(({ name }) => name),
      );
    } else if (manifest === undefined) {
      throw new BrokenBackup('this is not a backup of Invigil');
    } else if (next.kind === 'table') {
      copying = client.query(copyFrom(copyOf(next, 'from stdin')));
      copied = finished(copying);
      // Awaited at the end of the table; until then a rejection must count as handled.
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
    } else if (section?.kind === 'evidence' || section?.kind === 'image') {
      const { folder, name } = section;
      const to = section.kind === 'image' ? parts.images : parts.evidence;
      if ((await to.get(folder, name)) === undefined) added.push({ folder, name, to });
      await to.put(folder, name, Buffer.concat(collected));
      tally[section.kind === 'image' ? 'images' : 'evidence'] += 1;
    } else if (section?.kind === 'secret-key' && parts.secretKey === null) {
      key = Buffer.concat(collected).toString('utf8');
    }
  };

  try {
    for await (const record of readRecords(input)) {
      if ('section' in record) {
        await finish();
        const { tables, rows, evidence, images } = tally;
        parts.report?.(`${tables} tables, ${rows} rows, ${evidence + images} files`);
        await begin(record.section);
      } else if (copying) {
        if (!copying.write(record.bytes)) await Promise.race([once(copying, 'drain'), copied]);
      } else collected.push(record.bytes);
    }
    await finish();
    if (!manifest) throw new BrokenBackup('this is not a backup of Invigil');
    const made = await listTables(client);
    await emptyTables(
      client,
      made.map(({ name }) => name).filter((name) => NOT_RESTORED.includes(name)),
    );
    await cancelLinkMail(transactionOf(client), LINK_KINDS, 'restored');
    for (const statement of references) await client.query(statement);
    // Right before the commit: a key left behind by a failed restore would make every other backup
    // be refused, and a crash between commit and key would leave data that cannot be decrypted.
    if (key !== undefined) parts.storeSecretKey(key);
    await client.query('commit');
  } catch (error) {
    copying?.destroy();
    await copied?.catch(() => undefined);
    await client.query('rollback').catch(() => undefined);
    for (const { folder, name, to } of added) {
      // The first error is the one to report.
      await to.remove(folder, name).catch(() => undefined);
    }
    throw error;
  }
  await applyMigrations(client, migrations);
  await client.query('analyze');
  const { createdAt, hasSecretKey } = manifest;
  return { ...tally, createdAt, hasSecretKey };
}

/** Refuses what must not or cannot be restored here, then migrates to the schema of the backup. */
async function prepare(
  { client, secretKey }: RestoreParts,
  manifest: Manifest,
  migrations: readonly MigrationMeta[],
): Promise<void> {
  const filled = await findFilledTable(client);
  if (filled !== undefined) {
    throw new StartProblem(
      `The database already contains data (table ${filled}). Restore into an empty one: use another DATA_DIR, or a new database for DATABASE_URL.`,
    );
  }
  if (secretKey !== null && keyFingerprint(secretKey) !== manifest.keyFingerprint) {
    throw new StartProblem(
      'The backup was made with a different SECRET_KEY, so its encrypted data could not be read. Set the one that was in use then.',
    );
  }
  if (secretKey === null && !manifest.hasSecretKey) {
    throw new StartProblem(
      'The backup does not contain its secret key. Set SECRET_KEY to the one of that installation.',
    );
  }
  const { length } = manifest.migrations;
  if (manifest.migrations.some((hash, i) => hash !== migrations[i]?.hash)) {
    throw new StartProblem('The backup was made by a newer Invigil. Restore it with that version.');
  }
  if ((await listApplied(client)).length > length) {
    throw new StartProblem(
      'The database was set up by a newer Invigil than the backup. Restore into a new one.',
    );
  }
  await applyMigrations(client, migrations.slice(0, length));
}
