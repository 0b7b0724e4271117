import type { BaseContext } from '../../../app-context.ts';
import type { TotpRow } from '../../../db/queries/two-step.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { seal, unsealOrNull } from '../../../security/sealing.ts';

/** A secret as stored: readable only with a key outside the database, and only in its row. */
export function sealTotpSecret(ctx: BaseContext, adminId: string, secret: string): Buffer {
  return seal(ctx.keys.sealing, secret, contextOf(adminId));
}

/** Throws TOTP_UNREADABLE when it was sealed with another SECRET_KEY; sign-in is then impossible. */
export function openTotpSecret(ctx: BaseContext, { adminId, sealedSecret }: TotpRow): string {
  const secret = unsealOrNull(ctx.keys.sealing, sealedSecret, contextOf(adminId));
  if (secret !== null) return secret;
  ctx.log.error({ admin: adminId }, 'a two-step secret cannot be opened with this SECRET_KEY');
  throw new AppError('TOTP_UNREADABLE');
}

const contextOf = (adminId: string) => `admin_totp/${adminId}`;
