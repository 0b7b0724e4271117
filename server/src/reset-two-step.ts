import { parseArgs } from 'node:util';
import { AppError } from './app-error.ts';
import { configFromEnvironment } from './config.ts';
import { openDatabase } from './db/database.ts';
import { resetTotpAtMachine } from './features/totp/change-totp.ts';
import { createLog } from './log.ts';
import { openCommandPool, openForCommand } from './open-for-command.ts';
import { StartProblem } from './start-problem.ts';

/*
 * `npm run admin:reset-two-step -- <address>` takes the two-step sign-in of an administrator away, who
 * lost both app and recovery codes, where no other administrator can. It reads the settings of the
 * server and works while the server runs. Audited.
 */

process.exitCode = await main();

async function main(): Promise<number> {
  const { positionals } = parseArgs({
    options: { 'reset-two-step': { type: 'boolean' } },
    allowPositionals: true,
  });
  const [email] = positionals;
  if (email === undefined || positionals.length > 1) {
    return complain('Name one address: npm run admin:reset-two-step -- admin@example.org');
  }
  const settings = configFromEnvironment();
  if ('problems' in settings) return complain(...settings.problems);
  try {
    const { connection, close } = await openForCommand(settings.config, createLog('error'));
    const pool = openCommandPool(connection);
    try {
      await resetTotpAtMachine(openDatabase(pool), email, new Date());
    } finally {
      await pool.end();
      await close();
    }
  } catch (error) {
    return complain(sentenceOf(error, email));
  }
  process.stdout.write(`${email} signs in with the password alone now. The sessions have ended.\n`);
  return 0;
}

function sentenceOf(error: unknown, email: string): string {
  if (error instanceof StartProblem) return error.message;
  if (!(error instanceof AppError)) return `Nothing was reset: ${String(error)}`;
  return error.code === 'NOT_FOUND'
    ? `There is no administrator ${email}.`
    : `${email} has no two-step sign-in.`;
}

function complain(...lines: string[]): number {
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}
