import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { insertAudit } from '../../db/queries/audit.ts';
import { recordAdminSignIn } from '../../db/queries/codes.ts';
import { insertSession } from '../../db/queries/session-changes.ts';
import { AppError } from '../../runtime/app-error.ts';
import { hashSessionToken, newSessionToken } from '../../security/secrets/tokens.ts';
import { adminOwner, guardOf } from '../../sessions/session-reader.ts';
import { isTotpRequired } from '../../sessions/sign-in-policy.ts';
import type { SignedIn } from './signed-in.ts';
import type { SecondStepKind } from './totp.ts';

/**
 * Opens an audited session for an administrator whose credential was verified. The caller must have
 * locked the administrator (`lockAdmin`) and checked the credential again under that lock. Throws
 * INVALID_CREDENTIALS when the row was changed outside of Invigil.
 *
 * @param secondStep how the second step was taken; `null` without one
 */
export async function openAdminSession(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys' | 'trust'>,
  admin: { id: string; email: string },
  secondStep: SecondStepKind | null,
  now: Date,
): Promise<SignedIn> {
  const found = (await guardOf(ctx).readAdmins(tx, [admin.id])).get(admin.id);
  if (!found) throw new AppError('INVALID_CREDENTIALS');
  const token = newSessionToken();
  const id = newId();
  const expiresAt = new Date(now.getTime() + SESSION_LIMITS.adminTotalMs);
  const tokenHash = hashSessionToken(ctx.keys.sessions, token);
  const row = { id, adminId: admin.id, tokenHash, createdAt: now, expiresAt };
  await insertSession(tx, { id, tokenHash, owner: adminOwner(ctx.keys, row), now, expiresAt });
  await recordAdminSignIn(tx, admin.id, now);
  const details = secondStep === null ? undefined : { secondStep };
  await insertAudit(tx, now, admin.id, 'admin.signed_in', null, details);
  return {
    token,
    session: {
      kind: 'admin',
      id,
      adminId: admin.id,
      email: admin.email,
      name: found.name,
      language: found.language,
      grants: found.grants,
      mustSetUpTotp: secondStep === null && (await isTotpRequired(ctx, tx)),
      passwordAt: now,
      expiresAt,
      endedAt: null,
      endReason: null,
    },
  };
}
