import type { AppContext } from '../../../app-context.ts';
import type { PendingSignInRow } from '../../../db/queries/pending-sign-ins.ts';
import { fitsSeal, sealFields } from '../../../security/row-seal.ts';
import { pendingFields } from '../../../trust/sealed-fields.ts';

type Unsealed = Omit<PendingSignInRow, 'seal'>;

/** Binds a sign-in whose password was right to its administrator. */
export function sealPending({ keys }: Pick<AppContext, 'keys'>, row: Unsealed): PendingSignInRow {
  return { ...row, seal: sealFields(keys.integrity, contextOf(row), pendingFields(row)) };
}

/** Whether a waiting sign-in was made by us, for this administrator; if not, an alarm. */
export function isGenuinePending(
  { keys, trust }: Pick<AppContext, 'keys' | 'trust'>,
  row: PendingSignInRow,
): boolean {
  if (fitsSeal(keys.integrity, contextOf(row), pendingFields(row), row.seal)) return true;
  trust.reportBroken('pending_sign_in', row.adminId);
  return false;
}

const contextOf = ({ tokenHash }: Unsealed) => `pending_sign_ins/${tokenHash.toString('hex')}`;
