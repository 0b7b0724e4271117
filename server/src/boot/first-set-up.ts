import type pg from 'pg';
import type { AppContext } from '../app-context.ts';
import { holdingLock } from '../db/advisory-locks.ts';
import { describeDemo, fillDemo } from '../demo/fill-demo.ts';
import { bootstrapSmtpSettings } from '../features/invitations/smtp-settings/bootstrap-smtp-settings.ts';
import { ensureFirstAdmin } from '../features/sign-in/admins/ensure-first-admin.ts';
import { isJournal, keepFirstPassword } from '../features/sign-in/passwords/first-password.ts';
import { AppError } from '../runtime/app-error.ts';
import { journalStream } from '../runtime/config.ts';
import { StartProblem } from '../runtime/start-problem.ts';

/**
 * Puts into a new database what the settings say: mail server, demonstration, first administrator.
 * One process of all at a time: of two that start together the second finds it done.
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
        ? [`First administrator: ${firstAdmin.email}`, tellPassword(ctx, firstAdmin.password)]
        : []),
      ...(demo ? describeDemo(demo) : []),
    ];
  });
}

/**
 * For the terminal, and for a program that reads us, the password itself. The journal is kept for
 * months and read by more people than the data folder: it is told a file.
 */
function tellPassword({ config, log }: AppContext, password: string): string {
  if (isJournal(journalStream())) {
    try {
      const path = keepFirstPassword(config.dataDir, password);
      return `Its password is in ${path}, which goes away when an administrator signs in.`;
    } catch (error) {
      // It is stored hashed already: told nowhere, no one would ever get in.
      log.warn({ err: error }, 'the first password could not be written to a file');
    }
  }
  return `password: ${password}`;
}
