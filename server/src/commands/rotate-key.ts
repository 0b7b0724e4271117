import { parseArgs } from 'node:util';
import { findPrimary } from '../db/connection/database-client.ts';
import { WITHOUT_TIME_LIMITS } from '../db/connection/pool.ts';
import { openDatabase } from '../db/database.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres/supervisor.ts';
import { migrate } from '../db/upkeep/migrate.ts';
import { type RotationTally, rotateKey } from '../key-rotation/rotate-key.ts';
import { StartProblem } from '../runtime/app-error.ts';
import type { Config } from '../runtime/config.ts';
import { claimDataDir, makeDataDir } from '../runtime/data-dir.ts';
import { createLog } from '../runtime/log.ts';
import { adoptNextKey, findSecretKey, makeNextKey } from '../security/secret-key.ts';
import {
  type OpenDatabase,
  openCommandPool,
  requireOwnDatabase,
  runCommand,
  say,
} from './open-for-command.ts';

/*
 * `npm run rotate-key` reseals everything with another SECRET_KEY. It reads the settings of the
 * server, which must not run.
 *
 *   OLD_SECRET_KEY=… SECRET_KEY=… npm run rotate-key    where the key comes from the environment
 *   npm run rotate-key                                  where it is in DATA_DIR: creates a new one
 *   … -- --despite-attempts                             also while attempts are in progress
 *   … -- --old-key-lost                                 the old key is lost
 */

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'rotate-key': { type: 'boolean' },
      'despite-attempts': { type: 'boolean', default: false },
      'old-key-lost': { type: 'boolean', default: false },
    },
  });
  const isLost = values['old-key-lost'];
  return runCommand(
    async (config) => {
      report(await rotate(config, isLost, values['despite-attempts']), isLost, config);
      return 0;
    },
    (message) => `Nothing was changed: ${message}`,
  );
}

async function rotate(
  config: Config,
  isLost: boolean,
  despiteAttempts: boolean,
): Promise<RotationTally> {
  const { secretKey, oldSecretKey, databaseUrl, dataDir } = config;
  if (databaseUrl === null) requireOwnDatabase(dataDir);
  makeDataDir(dataDir);
  const { connection, close } = await openAlone(config);
  try {
    const oldKey = isLost ? null : (oldSecretKey ?? findSecretKey(dataDir));
    if (oldKey === null && !isLost) {
      throw new StartProblem(
        'Set OLD_SECRET_KEY to the previous key. If it is lost: --old-key-lost, see docs/run/backup.md.',
      );
    }
    // The new key is on disk before the database uses it: it must not be lost between the two.
    const newKey = secretKey ?? makeNextKey(dataDir);
    const pool = openCommandPool({ ...connection, ...WITHOUT_TIME_LIMITS });
    try {
      await migrate(pool, createLog('warn'));
      const rotation = { oldKey, newKey, despiteAttempts, dataDir, now: new Date() };
      const tally = await rotateKey(openDatabase(pool), rotation);
      if (secretKey === null) adoptNextKey(dataDir);
      return tally;
    } finally {
      await pool.end();
    }
  } finally {
    await close();
  }
}

/** The database of the settings, with the data folder claimed. Throws StartProblem. */
async function openAlone({ databaseUrl, dataDir }: Config): Promise<OpenDatabase> {
  if (databaseUrl !== null) {
    const connectionString = await findPrimary(databaseUrl);
    return { connection: { connectionString }, close: async () => undefined };
  }
  const claim = claimDataDir(dataDir);
  try {
    const database = await startEmbeddedPostgres({ dataDir, log: createLog('error'), claim });
    return {
      connection: database.connection,
      async close() {
        await database.stop();
        claim.release();
      },
    };
  } catch (error) {
    claim.release();
    throw error;
  }
}

function report(tally: RotationTally, isLost: boolean, { secretKey, dataDir }: Config): void {
  for (const [what, n] of Object.entries(tally.resealed)) say(`Resealed: ${n} ${what}.`);
  if (tally.unreadable > 0) {
    say(`${tally.unreadable} could not be opened with the old key and were not changed.`);
  }
  if (tally.brokenSeals > 0) {
    say(
      `${tally.brokenSeals} rows did not match their seals and were not changed: npm run verify lists them.`,
    );
  }
  say(
    `${tally.endedCodes} one-time passwords that were sent out, all sessions, recovery codes and links to set a password are no longer valid.`,
  );
  if (isLost) {
    say(
      'What the lost key sealed cannot be read: evidence, reasons in the audit log, the password of the mail server, waiting one-time passwords. Administrators with two-step sign-in need "npm run admin:reset-two-step".',
    );
  }
  const where = secretKey === null ? `in ${dataDir}/secret-key` : 'of SECRET_KEY';
  say(`The key is now the one ${where}. Start Invigil.`);
}
