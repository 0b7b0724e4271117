import { randomBytes } from 'node:crypto';
import { type Database, inTransaction } from '../../../db/database.ts';
import { countAdmins, insertAdmin, lockAdmins } from '../../../db/queries/admins.ts';
import { StartProblem } from '../../../runtime/app-error.ts';
import type { ServiceClock } from '../../../runtime/clock.ts';
import type { Config } from '../../../runtime/config.ts';
import type { Keys } from '../../../security/keys.ts';
import { isCommon } from '../../../security/secrets/guessable-password.ts';
import { hashPassword } from '../../../security/secrets/passwords.ts';
import { newAdmin } from '../passwords/genuine-admin.ts';

const DEFAULT_EMAIL = 'admin@localhost.localdomain';

/**
 * Creates the first administrator in a database without one: from ADMIN_EMAIL and ADMIN_PASSWORD, else
 * with a random password that is returned once, for the terminal. Returns `null` when no password was
 * generated. Two processes starting together create one. Throws StartProblem for a common ADMIN_PASSWORD.
 */
export async function ensureFirstAdmin(deps: {
  db: Database;
  clock: ServiceClock;
  config: Pick<Config, 'adminEmail' | 'adminPassword'>;
  keys: Keys;
}): Promise<{ email: string; password: string } | null> {
  if ((await countAdmins(deps.db)) > 0) return null;
  const email = deps.config.adminEmail ?? DEFAULT_EMAIL;
  const password = deps.config.adminPassword ?? randomBytes(15).toString('base64url');
  if (await isCommon(password)) {
    throw new StartProblem('ADMIN_PASSWORD is a common or leaked password. Use a different one.');
  }
  const passwordHash = await hashPassword(password);
  const made = await inTransaction(deps.db, async (tx) => {
    await lockAdmins(tx);
    if ((await countAdmins(tx)) > 0) return false;
    await insertAdmin(tx, newAdmin(deps.keys, { email, passwordHash, now: deps.clock.now() }));
    return true;
  });
  return made && deps.config.adminPassword === null ? { email, password } : null;
}
