import { parseArgs } from 'node:util';
import { configFromEnvironment } from './config.ts';
import { openDatabase } from './db/database.ts';
import { verifyAudit } from './features/audit/seal-audit.ts';
import { requireKeyToRead } from './key-rotation/require-key.ts';
import { createLog } from './log.ts';
import { openCommandPool, openForCommand } from './open-for-command.ts';
import { loadSecretKey } from './secret-key.ts';
import { deriveKeys } from './security/keys.ts';
import { StartProblem } from './start-problem.ts';

/*
 * `npm run audit:verify`: walks the chain of the audit log and says whether it is whole. It reads the
 * same settings as the server, works while the server runs, and changes nothing.
 *
 *   npm run audit:verify -- --head 123:<hash>   also compares with a head that the server's log told
 */

const HEAD = /^(\d+):([0-9a-f]{64})$/;

process.exitCode = await main();

async function main(): Promise<number> {
  const { head, problem } = readArguments();
  if (problem !== undefined) return complain(problem);
  const settings = configFromEnvironment();
  if ('problems' in settings) return complain(...settings.problems);
  const { dataDir, secretKey } = settings.config;
  const log = createLog('error');
  try {
    const { connection, close } = await openForCommand(settings.config, log);
    const pool = openCommandPool(connection);
    try {
      const secret = secretKey ?? loadSecretKey(dataDir);
      await requireKeyToRead(pool, secret, settings.config);
      const keys = deriveKeys(secret);
      return report(await verifyAudit({ db: openDatabase(pool), keys }, head));
    } finally {
      await pool.end();
      await close();
    }
  } catch (error) {
    if (error instanceof StartProblem) return complain(error.message);
    return complain(`The audit log could not be read: ${sentence(error)}`);
  }
}

function readArguments(): { head?: { number: number; hash: string }; problem?: string } {
  const { values } = parseArgs({
    options: { 'verify-audit': { type: 'boolean' }, head: { type: 'string' } },
  });
  if (values.head === undefined) return {};
  const [, number, hash] = HEAD.exec(values.head) ?? [];
  if (number === undefined || hash === undefined) {
    return { problem: '--head takes a number and a hash of 64 hexadecimal digits: 123:0f3a…' };
  }
  return { head: { number: Number(number), hash } };
}

function report({ entries, waiting, head, problem }: Awaited<ReturnType<typeof verifyAudit>>) {
  if (problem !== null) return complain(`The audit log is NOT whole: ${problem}.`);
  const soon = waiting === 0 ? '' : `, ${waiting} not sealed yet`;
  process.stdout.write(`The audit log is whole: ${entries} entries${soon}.\n`);
  if (head !== null) process.stdout.write(`Head: ${head.number}:${head.hash.toString('hex')}\n`);
  return 0;
}

function complain(...lines: string[]): number {
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
