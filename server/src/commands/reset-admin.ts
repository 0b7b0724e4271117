import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../app-context.ts';
import { openDatabase } from '../db/database.ts';
import { requireGoodPassword } from '../features/sign-in/admins/change-admins.ts';
import { resetPasswordAtMachine } from '../features/sign-in/admins/change-own-password.ts';
import { resetTotpAtMachine } from '../features/sign-in/two-step/change-totp.ts';
import { requireKeyToRead } from '../key-rotation/require-key.ts';
import { AppError, StartProblem } from '../runtime/app-error.ts';
import { type Config, configFromEnvironment } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import { deriveKeys } from '../security/keys.ts';
import { loadSecretKey } from '../security/secret-key.ts';
import { hashPassword } from '../security/secrets/passwords.ts';
import { openCommandPool, openForCommand } from './open-for-command.ts';

/*
 * Account recovery by the operator, when no other administrator can help:
 *
 *   npm run admin:reset-two-step -- <address>            removes the two-step sign-in
 *   npm run admin:reset-password -- <address>            sets a random password and prints it once
 *   npm run admin:reset-password -- <address> --stdin    sets the one that it reads
 *
 * Both read the settings of the server and work while the server runs. Audited.
 */

const { values, positionals } = parseArgs({
  options: {
    'reset-two-step': { type: 'boolean' },
    'reset-password': { type: 'boolean' },
    stdin: { type: 'boolean' },
  },
  allowPositionals: true,
});
const command = values['reset-password'] ? 'admin:reset-password' : 'admin:reset-two-step';

process.exitCode = await main();

async function main(): Promise<number> {
  const [email] = positionals;
  if (email === undefined || positionals.length > 1) {
    return complain(`Name one address: npm run ${command} -- admin@example.org`);
  }
  const settings = configFromEnvironment();
  if ('problems' in settings) return complain(...settings.problems);
  const { config } = settings;
  try {
    const prepare = values['reset-password'] ? preparePassword : prepareTotp;
    const reset = await prepare(config, email);
    const { connection, close } = await openForCommand(config, createLog('error'));
    const pool = openCommandPool(connection);
    try {
      const secret = config.secretKey ?? loadSecretKey(config.dataDir);
      await requireKeyToRead(pool, secret, config);
      process.stdout.write(await reset({ db: openDatabase(pool), keys: deriveKeys(secret) }));
    } finally {
      await pool.end();
      await close();
    }
  } catch (error) {
    return complain(sentenceOf(error, email));
  }
  return 0;
}

/** Performs a command and returns its output. */
type Reset = (ctx: Pick<AppContext, 'db' | 'keys'>) => Promise<string>;

async function prepareTotp(_: Config, email: string): Promise<Reset> {
  return async (ctx) => {
    await resetTotpAtMachine(ctx, email, new Date());
    return `${email} now signs in with the password only. The sessions have ended.\n`;
  };
}

async function preparePassword(config: Config, email: string): Promise<Reset> {
  const typed = values.stdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  if (typed !== null) await requireAllowed(config, email, typed);
  const password = typed ?? randomBytes(15).toString('base64url');
  const passwordHash = await hashPassword(password);
  return async (ctx) => {
    await resetPasswordAtMachine(ctx, email, passwordHash, new Date());
    const shown = typed === null ? `password: ${password}\n` : '';
    return `${email} has a new password, and the sessions have ended. Two-step sign-in, if any, stays.\n${shown}`;
  };
}

async function requireAllowed(config: Config, email: string, password: string): Promise<void> {
  const { adminPasswordMinCharacters: min, adminPasswordMaxCharacters: max } = SESSION_LIMITS;
  if (password.length < min || password.length > max) {
    throw new StartProblem(`A password has ${min} to ${max} characters. Nothing was reset.`);
  }
  await requireGoodPassword({ config }, email, password, 'password');
}

function sentenceOf(error: unknown, email: string): string {
  if (error instanceof StartProblem) return error.message;
  if (!(error instanceof AppError)) return `Nothing was reset: ${String(error)}`;
  if (error.code === 'NOT_FOUND') return `There is no administrator ${email}.`;
  return error.code === 'TOTP_OFF' ? `${email} has no two-step sign-in.` : error.message;
}

function complain(...lines: string[]): number {
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}
