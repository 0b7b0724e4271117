import { isCodeShaped } from '@invigil/core/domain/one-time-code';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import {
  type AdminRow,
  countAdmins,
  deleteAdmin,
  findAdmin,
  insertAdmin,
  lockAdmins,
} from '../../../db/queries/admins.ts';
import { listReviewedBy } from '../../../db/queries/attempts/changes.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { isGuessable } from '../../../security/secrets/guessable-password.ts';
import { hashPassword } from '../../../security/secrets/passwords.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { changeSealed, RESULTS } from '../../../trust/sealed-kinds.ts';
import { newAdmin } from '../passwords/genuine-admin.ts';

/**
 * Refuses a password that sign-in would take for a one-time code (product 5), and one that is common,
 * leaked or derived from known data. Throws LOOKS_LIKE_CODE, GUESSABLE_PASSWORD.
 *
 * @param path of the field, for the message
 */
export async function requireGoodPassword(
  { config }: Pick<BaseContext, 'config'>,
  email: string,
  password: string,
  path: string,
): Promise<void> {
  if (isCodeShaped(password)) throw AppError.at(path, 'LOOKS_LIKE_CODE');
  if (await isGuessable(password, [email, config.publicUrl])) {
    throw AppError.at(path, 'GUESSABLE_PASSWORD');
  }
}

/** Adds an administrator. Throws ADMIN_EXISTS, LOOKS_LIKE_CODE, GUESSABLE_PASSWORD, NOT_SIGNED_IN. */
export async function addAdmin(
  ctx: BaseContext,
  by: string,
  email: string,
  password: string,
  now: Date,
): Promise<AdminRow> {
  await requireGoodPassword(ctx, email, password, 'password');
  const row = newAdmin(ctx.keys, { email, passwordHash: await hashPassword(password), now });
  await inTransaction(ctx.db, async (tx) => {
    if (!(await insertAdmin(tx, row))) throw AppError.at('email', 'ADMIN_EXISTS');
    await recordAudit(tx, {
      adminId: by,
      action: 'admin.added',
      subject: subject(row.id),
      at: now,
    });
  });
  return { ...row, hasTotp: false };
}

/** Deletes an administrator. Throws OWN_ACCOUNT, NOT_FOUND, LAST_ADMIN, NOT_SIGNED_IN. */
export async function removeAdmin(ctx: BaseContext, by: string, id: string, now: Date) {
  if (id === by) throw new AppError('OWN_ACCOUNT');
  await inTransaction(ctx.db, async (tx) => {
    // When two administrators delete each other concurrently, one of them has already been deleted.
    await lockAdmins(tx);
    if (!(await findAdmin(tx, by))) throw new AppError('NOT_SIGNED_IN');
    if (!(await findAdmin(tx, id))) throw new AppError('NOT_FOUND');
    if ((await countAdmins(tx)) <= 1) throw new AppError('LAST_ADMIN');
    // Deletes their name on verdicts, too.
    const reviewed = await listReviewedBy(tx, id);
    await changeSealed(tx, ctx.keys.integrity, RESULTS, reviewed, () => deleteAdmin(tx, id));
    await recordAudit(tx, { adminId: by, action: 'admin.deleted', subject: subject(id), at: now });
  });
}

function subject(id: string) {
  return { type: 'admin', id };
}
