import type { AppContext } from '../app-context.ts';
import type { AdminSessionRow, SessionGuard } from '../db/queries/sessions.ts';
import type { Keys } from '../security/keys.ts';
import { sessionFields } from '../trust/sealed-fields.ts';
import { isWhole, SESSIONS, sealOf } from '../trust/sealed-kinds.ts';
import { isTotpRequired } from './sign-in-policy.ts';

/** Binds a session to its administrator. */
export function adminOwner(
  keys: Pick<Keys, 'integrity'>,
  row: Omit<AdminSessionRow, 'seal'> & { adminId: string },
): { adminId: string; seal: Buffer } {
  const seal = sealOf(keys.integrity, SESSIONS, row.id, sessionFields(row));
  return { adminId: row.adminId, seal };
}

/** A row that we did not write is no session: a candidate's row could be turned into another's. */
export function guardOf(ctx: Pick<AppContext, 'keys' | 'trust'>): SessionGuard {
  return {
    isGenuine(row) {
      const { id, seal } = row;
      if (isWhole(ctx.keys.integrity, SESSIONS, { id, fields: sessionFields(row), seal }))
        return true;
      ctx.trust.reportBroken('session', id);
      return false;
    },
    isTotpRequired: (db) => isTotpRequired(ctx, db),
  };
}
