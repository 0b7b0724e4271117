import { randomBytes } from 'node:crypto';
import type { ServiceClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { type Database, inTransaction } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { hashPassword } from '../../security/passwords.ts';
import { countAdmins, insertAdmin, lockAdmins } from './queries.ts';

const DEFAULT_EMAIL = 'admin@localhost.localdomain';

/**
 * Makes the first administrator in a database without one: from ADMIN_EMAIL and ADMIN_PASSWORD, else
 * with a random password that is returned once, for the terminal. Returns `null` when there was
 * nothing to make up. Two processes that start together make one.
 */
export async function ensureFirstAdmin(deps: {
  db: Database;
  clock: ServiceClock;
  config: Pick<Config, 'adminEmail' | 'adminPassword'>;
}): Promise<{ email: string; password: string } | null> {
  if ((await countAdmins(deps.db)) > 0) return null;
  const email = deps.config.adminEmail ?? DEFAULT_EMAIL;
  const password = deps.config.adminPassword ?? randomBytes(15).toString('base64url');
  const passwordHash = await hashPassword(password);
  const made = await inTransaction(deps.db, async (tx) => {
    await lockAdmins(tx);
    if ((await countAdmins(tx)) > 0) return false;
    await insertAdmin(tx, {
      id: newId(),
      email,
      passwordHash,
      createdAt: deps.clock.now(),
      lastSignInAt: null,
    });
    return true;
  });
  return made && deps.config.adminPassword === null ? { email, password } : null;
}
