import type pg from 'pg';
import type { AppContext, BaseContext } from '../app-context.ts';
import { holdingLock } from '../db/advisory-locks.ts';
import { describeDemo, fillDemo } from '../demo/fill-demo.ts';
import { bootstrapSmtpSettings } from '../features/invitations/smtp-settings.ts';
import { ensureFirstAdmin } from '../features/sign-in/admins/admins.ts';
import { isJournal, storeFirstPassword } from '../features/sign-in/first-password.ts';
import { AppError, StartProblem } from '../runtime/app-error.ts';
import { journalStream } from '../runtime/config.ts';

/**
 * Applies the settings to a new database: mail server, demonstration, first administrator. One process at
 * a time: of two that start together the second finds it done.
 *
 * @returns lines for the terminal; a password in them is never shown again
 */
export function setUpFirst(ctx: AppContext, pool: pg.Pool, withDemo: boolean): Promise<string[]> {
  return holdingLock(pool, 'firstSetUp', async () => {
    const { db, clock, config, keys } = ctx;
    await bootstrapSmtpSettings(ctx).catch((error: unknown) => {
      throw error instanceof AppError ? new StartProblem(`SMTP_URL: ${error.message}`) : error;
    });
    const demo = withDemo ? await fillDemo(ctx) : null;
    const firstAdmin = demo ? demo.firstAdmin : await ensureFirstAdmin({ db, clock, config, keys });
    return [
      ...(firstAdmin
        ? [`First administrator: ${firstAdmin.email}`, showPassword(ctx, firstAdmin.password)]
        : []),
      ...(demo ? describeDemo(demo) : []),
    ];
  });
}

/**
 * The terminal, and a program that reads our output, get the password itself. The journal is stored for
 * months and read by more people than the data folder: it gets the name of a file.
 */
function showPassword({ config, log }: BaseContext, password: string): string {
  if (isJournal(journalStream())) {
    try {
      const path = storeFirstPassword(config.dataDir, password);
      return `Its password is in ${path}, which is removed when an administrator signs in.`;
    } catch (error) {
      // Only its hash is stored: if it were printed nowhere, no one could ever sign in.
      log.warn({ err: error }, 'the first password could not be written to a file');
    }
  }
  return `password: ${password}`;
}
