import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { hashSessionToken, newSessionToken } from '../../security/tokens.ts';
import { recordAudit } from '../audit/queries.ts';
import { isTotpRequired } from '../totp/queries.ts';
import type { SecondStepKind } from '../totp/require-code.ts';
import { noteAdminSignIn } from './queries.ts';
import { insertSession } from './session-queries.ts';
import type { SignedIn } from './signed-in.ts';

/**
 * A session for an administrator who has proved to be the one. Audited.
 *
 * @param secondStep how the second step was taken; `null` for somebody who has none
 */
export async function openAdminSession(
  tx: Tx,
  ctx: Pick<AppContext, 'keys'>,
  admin: { id: string; email: string },
  secondStep: SecondStepKind | null,
  now: Date,
): Promise<SignedIn> {
  const token = newSessionToken();
  const id = newId();
  const expiresAt = new Date(now.getTime() + SESSION_LIMITS.adminTotalMs);
  await insertSession(tx, {
    id,
    tokenHash: hashSessionToken(ctx.keys.sessions, token),
    owner: { adminId: admin.id },
    now,
    expiresAt,
  });
  await noteAdminSignIn(tx, admin.id, now);
  await recordAudit(tx, {
    adminId: admin.id,
    action: 'admin.signed_in',
    ...(secondStep === null ? {} : { details: { secondStep } }),
    at: now,
  });
  return {
    token,
    session: {
      kind: 'admin',
      id,
      adminId: admin.id,
      email: admin.email,
      mustSetUpTotp: secondStep === null && (await isTotpRequired(tx)),
      expiresAt,
      endedAt: null,
      endReason: null,
    },
  };
}
