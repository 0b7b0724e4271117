import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../app-context.ts';
import { openDatabase } from '../db/database.ts';
import { requireGoodPassword, resetPasswordAtMachine } from '../features/sign-in/admins/admins.ts';
import { resetTotpAtMachine } from '../features/sign-in/totp.ts';
import { AppError, StartProblem } from '../runtime/app-error.ts';
import type { Config } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import { deriveKeys } from '../security/keys.ts';
import { hashPassword } from '../security/secrets/passwords.ts';
import { complain, runCommand, withData } from './open-for-command.ts';

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
  return runCommand(
    async (config) => {
      const prepare = values['reset-password'] ? preparePassword : prepareTotp;
      const reset = await prepare(config, email);
      return withData(config, createLog('error'), {}, async (pool, secretKey) => {
        const ctx = { db: openDatabase(pool), keys: deriveKeys(secretKey) };
        process.stdout.write(await reset(ctx));
        return 0;
      });
    },
    (_, error) => sentenceOf(error, email),
  );
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
  if (!(error instanceof AppError)) return `Nothing was reset: ${String(error)}`;
  if (error.code === 'NOT_FOUND') return `There is no administrator ${email}.`;
  return error.code === 'TOTP_OFF' ? `${email} has no two-step sign-in.` : error.message;
}
