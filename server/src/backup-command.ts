import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { BrokenBackup, requireWhole } from './backup/container.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { writeBackup } from './backup/write-backup.ts';
import { type Config, configFromEnvironment } from './config.ts';
import { makeDataDir } from './data-dir.ts';
import { WITHOUT_TIME_LIMITS } from './db/pool.ts';
import { flushFolder } from './flush-folder.ts';
import { requireKeyToRead } from './key-rotation/require-key.ts';
import { createLog } from './log.ts';
import { openCommandPool, openForCommand } from './open-for-command.ts';
import { findSecretKey, keepSecretKey } from './secret-key.ts';
import { StartProblem } from './start-problem.ts';
import { openEvidenceStorage } from './storage/open-evidence-storage.ts';

/*
 * `npm run backup -- <file>` writes everything of an installation into one file, also while it runs.
 * `npm run restore -- <file>` puts it into an empty one. Both read the settings of the server.
 */

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      backup: { type: 'boolean' },
      restore: { type: 'boolean' },
      'without-secret-key': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const way = values.restore ? 'restore' : 'backup';
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    return complain(`Name one file: npm run ${way} -- invigil.backup`);
  }
  const settings = configFromEnvironment();
  if ('problems' in settings) return complain(...settings.problems);
  try {
    if (way === 'backup') {
      return await backup(settings.config, resolve(file), !values['without-secret-key']);
    }
    await restore(settings.config, resolve(file));
    return 0;
  } catch (error) {
    if (error instanceof StartProblem) return complain(error.message);
    const sentence = error instanceof Error ? error.message : String(error);
    if (error instanceof BrokenBackup) return complain(`${file} cannot be restored: ${sentence}.`);
    return complain(`The ${way} failed: ${sentence}`);
  }
}

/** Gives the exit code: a backup that lacks evidence is written, and is no success. */
async function backup(config: Config, file: string, mayHoldKey: boolean): Promise<number> {
  if (existsSync(file)) throw new StartProblem(`${file} is there already. Choose another name.`);
  const secretKey = config.secretKey ?? findSecretKey(config.dataDir);
  if (secretKey === null) throw new StartProblem(`There is no Invigil in ${config.dataDir}.`);
  // A key of the environment is kept by whoever set it.
  const withSecretKey = config.secretKey === null && mayHoldKey;
  const evidence = openEvidenceStorage(config);
  const parts = { secretKey, withSecretKey, now: new Date() };
  const tally = await withClient(config, { name: 'invigil backup', secretKey }, (client) =>
    intoFile(file, (out) =>
      writeBackup({ ...parts, client, evidence: evidence.isOurs ? evidence : null }, out),
    ),
  );
  say(
    `Backup written to ${file}: ${tally.tables} tables, ${tally.rows} rows, ${tally.evidence} files of evidence.`,
  );
  if (!evidence.isOurs)
    say('Evidence lies in the S3 store and is NOT in it: back the bucket up too.');
  say(
    withSecretKey
      ? 'It holds the secret key: whoever has the file can read all that is in it. Keep it as you keep passwords.'
      : 'SECRET_KEY is NOT in it: without that key no one-time password works and nothing encrypted can be read. Keep it in another place.',
  );
  if (tally.missing === 0) return 0;
  const [files, are] = tally.missing === 1 ? ['file', 'is'] : ['files', 'are'];
  return complain(
    `${tally.missing} ${files} of evidence that the database names ${are} NOT in it, because not in ${join(config.dataDir, 'evidence')}. Is DATA_DIR that of the server?`,
  );
}

async function restore(config: Config, file: string): Promise<void> {
  if (!existsSync(file)) throw new StartProblem(`${file} is not there.`);
  // To its last byte, before anything is made for it: what a broken file was tried on stays as good as
  // new for the whole one.
  await unpacking(file, requireWhole);
  makeDataDir(config.dataDir);
  const parts = {
    evidence: openEvidenceStorage(config),
    secretKey: config.secretKey ?? findSecretKey(config.dataDir),
    keepSecretKey: (key: string) => keepSecretKey(config.dataDir, key),
  };
  const { createdAt, ...tally } = await withClient(
    config,
    { name: 'invigil restore', mayMake: true },
    (client) => unpacking(file, (input) => restoreBackup({ ...parts, client }, input)),
  );
  say(
    `Restored as of ${createdAt}: ${tally.tables} tables, ${tally.rows} rows, ${tally.evidence} files of evidence.`,
  );
  say('Mail that waited at that time is sent when Invigil starts, also what was sent since.');
}

interface Opening {
  /** By which the database, and a migration that waits for us, tell who we are. */
  name: string;
  /** Refused where it is not the one of the data; a backup names it by its fingerprint. */
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

/** Gives `work` the content of a packed file. */
async function unpacking<T>(file: string, work: (input: Readable) => Promise<T>): Promise<T> {
  const input = createZstdDecompress();
  const reading = pipeline(createReadStream(file), input);
  // `work` reads the same stream and meets the failure there.
  reading.catch(() => undefined);
  try {
    return await work(input);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^Z(STD)?_/.test(code)) throw error;
    throw new BrokenBackup('it is no backup of Invigil, or it is cut off or damaged');
  } finally {
    input.destroy();
  }
}

/** Under another name until it is whole and on the disk. */
async function intoFile<T>(
  file: string,
  write: (out: ReturnType<typeof createZstdCompress>) => Promise<T>,
): Promise<T> {
  const draft = `${file}.${process.pid}.part`;
  try {
    const packing = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } });
    const stored = pipeline(
      packing,
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    );
    const written = write(packing).then((tally) => {
      packing.end();
      return tally;
    });
    // A full disk is told by the first; the other then waits for nothing, and ends with its connection.
    const [tally] = await Promise.all([written, stored]);
    await rename(draft, file);
    flushFolder(dirname(file));
    return tally;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(...lines: string[]): number {
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}
