import type { AppContext } from '../../../app-context.ts';
import type { PendingSignInRow } from '../../../db/queries/pending-sign-ins.ts';
import { fitsSeal, sealFields } from '../../../security/row-seal.ts';
import { pendingFields } from '../../../trust/sealed-fields.ts';

type Unsealed = Omit<PendingSignInRow, 'seal'>;

/** Binds a sign-in with a right password to its administrator. */
export function sealPending({ keys }: Pick<AppContext, 'keys'>, row: Unsealed): PendingSignInRow {
  return { ...row, seal: sealFields(keys.integrity, contextOf(row), pendingFields(row)) };
}

/** Whether a pending sign-in was sealed by us for this administrator; raises an alarm if not. */
export function isGenuinePending(
  { keys, trust }: Pick<AppContext, 'keys' | 'trust'>,
  row: PendingSignInRow,
): boolean {
  if (fitsSeal(keys.integrity, contextOf(row), pendingFields(row), row.seal)) return true;
  trust.reportBroken('pending_sign_in', row.adminId);
  return false;
}

const contextOf = ({ tokenHash }: Unsealed) => `pending_sign_ins/${tokenHash.toString('hex')}`;
