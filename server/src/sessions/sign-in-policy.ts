import type { BaseContext } from '../app-context.ts';
import { lockUntilCommit } from '../db/advisory-locks.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { putSignInPolicy } from '../db/queries/two-step.ts';
import { inTransaction } from '../db/transaction.ts';
import { policyFields } from '../trust/sealed-fields.ts';
import { isWhole, POLICY, sealOf } from '../trust/sealed-kinds.ts';
import { isUnused } from '../trust/sealed-queries.ts';

const ID = 'true';

/**
 * Whether all administrators must have a second step. A row that was deleted or changed outside of
 * Invigil does not switch it off: then it is required.
 */
export async function isTotpRequired(
  { keys, trust }: Pick<BaseContext, 'keys' | 'trust'>,
  db: Queryable,
): Promise<boolean> {
  const [row] = await POLICY.list(db, { ids: [ID] });
  if (row && isWhole(keys.integrity, POLICY, row)) return row.fields[0] === true;
  trust.reportBroken('sign_in_policy', ID);
  return true;
}

/**
 * Stores that nothing is required, in an installation that was never used: from then on a missing row is a
 * deleted one. Called by every start.
 */
export async function storeFirstPolicy(
  ctx: Pick<BaseContext, 'db' | 'keys' | 'trust'>,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockUntilCommit(tx, 'sealing');
    if (ctx.trust.read() !== 'none' || !(await isUnused(tx))) return;
    await setTotpRequired(tx, ctx, false, now);
  });
}

/** Sets what all administrators need, whatever was stored before. */
export async function setTotpRequired(
  tx: Tx,
  { keys }: Pick<BaseContext, 'keys'>,
  totpRequired: boolean,
  now: Date,
): Promise<void> {
  const row = { totpRequired, updatedAt: now };
  await putSignInPolicy(tx, {
    ...row,
    seal: sealOf(keys.integrity, POLICY, ID, policyFields(row)),
  });
}
