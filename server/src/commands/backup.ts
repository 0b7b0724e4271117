import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { packBackup, unpackBackup, verifyBackup } from '../backup/backup-file.ts';
import { BrokenBackup, readToEnd } from '../backup/container.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { WITHOUT_TIME_LIMITS } from '../db/connection/pool.ts';
import { requireKeyToRead } from '../key-rotation/require-key.ts';
import { StartProblem } from '../runtime/app-error.ts';
import type { Config } from '../runtime/config.ts';
import { makeDataDir } from '../runtime/data-dir.ts';
import { createLog } from '../runtime/log.ts';
import { findSecretKey, storeSecretKey } from '../security/secret-key.ts';
import { openEvidenceStorage, openImageStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { removeTrustFile } from '../trust/trust-root.ts';
import { complain, openCommandPool, openForCommand, runCommand, say } from './open-for-command.ts';

/*
 * `npm run backup -- <file>` writes a whole installation into one file, also while it runs.
 * `npm run restore -- <file>` restores it into an empty one, after a check with the secret key.
 * Both read the settings of the server.
 *
 *   … restore -- <file> --unauthenticated   with the key inside it
 */

const SAID_EACH_MS = 2_000;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      backup: { type: 'boolean' },
      restore: { type: 'boolean' },
      'without-secret-key': { type: 'boolean', default: false },
      unauthenticated: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const way = values.restore ? 'restore' : 'backup';
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    return complain(`Name one file: npm run ${way} -- invigil.backup`);
  }
  return runCommand(
    (config) =>
      way === 'backup'
        ? backup(config, resolve(file), !values['without-secret-key'])
        : restore(config, resolve(file), values.unauthenticated),
    (message, error) =>
      error instanceof BrokenBackup
        ? `${file} cannot be restored: ${message}.`
        : `The ${way} failed: ${message}`,
  );
}

/** Says every few seconds how far it is. On standard error: the result alone is output. */
function teller(doing: string): (done: string) => void {
  let saidAt = performance.now();
  return (done) => {
    if (performance.now() - saidAt < SAID_EACH_MS) return;
    saidAt = performance.now();
    complain(`${doing}: ${done}…`);
  };
}

/** Returns the exit code: a backup without all files is written, but is no success. */
async function backup(config: Config, file: string, mayHoldKey: boolean): Promise<number> {
  if (existsSync(file)) throw new StartProblem(`${file} already exists. Use another name.`);
  const secretKey = config.secretKey ?? findSecretKey(config.dataDir);
  if (secretKey === null) throw new StartProblem(`There is no Invigil in ${config.dataDir}.`);
  // A key from the environment is stored by its owner.
  const withSecretKey = config.secretKey === null && mayHoldKey;
  // An S3 store has its own backups.
  const ours = (storage: Storage) => (storage.isOurs ? storage : null);
  const evidence = ours(openEvidenceStorage(config));
  const images = ours(openImageStorage(config));
  const parts = { secretKey, withSecretKey, now: new Date(), report: teller('Writing') };
  const tally = await withClient(config, { name: 'invigil backup', secretKey }, (client) =>
    packBackup(file, secretKey, (out) => writeBackup({ ...parts, client, evidence, images }, out)),
  );
  say(
    `Backup written to ${file}: ${tally.tables} tables, ${tally.rows} rows, ${tally.evidence} files of evidence, ${tally.images} images.`,
  );
  if (evidence === null)
    say('Evidence and images are in the S3 store and NOT in this file: back up the bucket, too.');
  say(
    withSecretKey
      ? 'It contains the secret key: anyone who has the file can read everything in it. Store it like a password.'
      : 'SECRET_KEY is NOT in it: without that key no one-time password works and nothing encrypted can be read. Store it in another place.',
  );
  const key =
    config.secretKey === null
      ? `put a copy of the file secret-key of ${config.dataDir} into the empty DATA_DIR there`
      : 'set the same SECRET_KEY there';
  say(
    `To restore it elsewhere, ${key} first: the backup is checked with it.${
      withSecretKey
        ? ' If you have no copy, "npm run restore -- <file> --unauthenticated" uses the key inside; only do so if no one else could have written the file.'
        : ''
    }`,
  );
  if (tally.missing === 0) return 0;
  const [files, are] = tally.missing === 1 ? ['file', 'is'] : ['files', 'are'];
  return complain(
    `${tally.missing} ${files} of evidence or images that the database names ${are} NOT in it, because missing from ${config.dataDir}. Is this the DATA_DIR of the server?`,
  );
}

async function restore(config: Config, file: string, unauthenticated: boolean): Promise<number> {
  if (!existsSync(file)) throw new StartProblem(`${file} does not exist.`);
  const secretKey = config.secretKey ?? findSecretKey(config.dataDir);
  // Verified completely before anything is created: after a broken file the target is still unused.
  const checkedWith = await check(file, secretKey, unauthenticated);
  makeDataDir(config.dataDir);
  const parts = {
    evidence: openEvidenceStorage(config),
    images: openImageStorage(config),
    secretKey,
    storeSecretKey: (key: string) => storeSecretKey(config.dataDir, key),
    report: teller('Restoring'),
  };
  const { createdAt, ...tally } = await withClient(
    config,
    { name: 'invigil restore', mayMake: true },
    (client) =>
      unpackBackup(file, checkedWith, (input) => restoreBackup({ ...parts, client }, input)),
  );
  // Caches here are out of date; the next start reads what was restored.
  removeTrustFile(config.dataDir);
  say(
    `Restored as of ${createdAt}: ${tally.tables} tables, ${tally.rows} rows, ${tally.evidence} files of evidence, ${tally.images} images.`,
  );
  say(
    'Everyone must sign in again. Email that was waiting at that time is sent when Invigil starts, even if it was sent since.',
  );
  return 0;
}

/**
 * Verifies a backup and returns the key that it was verified with.
 *
 * @param trustsInside whether that may be the key inside it. Throws StartProblem, BrokenBackup.
 */
async function check(
  file: string,
  secretKey: string | null,
  trustsInside: boolean,
): Promise<string> {
  if (secretKey === null && !trustsInside) {
    throw new StartProblem(
      `There is no secret key here to check ${file} with. Set SECRET_KEY, or put the secret-key file of that installation into DATA_DIR first. To use the key inside the backup, if you trust its origin, add --unauthenticated.`,
    );
  }
  const key = secretKey ?? (await unpackBackup(file, null, readToEnd));
  if (key === null) {
    throw new StartProblem(
      'The backup does not contain its secret key. Set SECRET_KEY to the one of that installation.',
    );
  }
  await verifyBackup(file, key);
  return key;
}

interface Opening {
  /** The name by which the database, and a migration that waits for us, identify us. */
  name: string;
  /** Refused when it is not the key of the data; a backup identifies it by its fingerprint. */
  secretKey?: string;
  mayMake?: boolean;
}

async function withClient<T>(
  config: Config,
  { name, secretKey, mayMake = false }: Opening,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { connection, close } = await openForCommand(config, createLog('error'), { mayMake });
  try {
    if (secretKey !== undefined) {
      const pool = openCommandPool(connection);
      await requireKeyToRead(pool, secretKey, config).finally(() => pool.end());
    }
    const settings = { ...connection, ...WITHOUT_TIME_LIMITS, application_name: name };
    const client = new pg.Client(settings as pg.ClientConfig);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await close();
  }
}
