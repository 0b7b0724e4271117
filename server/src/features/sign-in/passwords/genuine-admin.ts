import type { BaseContext } from '../../../app-context.ts';
import type { Queryable } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import type { NewAdmin } from '../../../db/queries/admins.ts';
import type { Keys } from '../../../security/keys.ts';
import { adminFields } from '../../../trust/sealed-fields.ts';
import { ADMINS, isWhole, sealOf } from '../../../trust/sealed-kinds.ts';

/** A new administrator, with a seal: sign-in refuses one without. */
export function newAdmin(
  keys: Pick<Keys, 'integrity'>,
  { email, passwordHash, now }: { email: string; passwordHash: string; now: Date },
): NewAdmin {
  const id = newId();
  const admin = { email, passwordHash, createdAt: now };
  const seal = sealOf(keys.integrity, ADMINS, id, adminFields(admin, null));
  return { id, ...admin, lastSignInAt: null, seal };
}

/** Whether an administrator's credential and second step match the seal; raises an alarm if not. */
export async function isGenuineAdmin(
  { keys, trust }: Pick<BaseContext, 'keys' | 'trust'>,
  db: Queryable,
  id: string,
): Promise<boolean> {
  const [row] = await ADMINS.list(db, { ids: [id] });
  if (row && isWhole(keys.integrity, ADMINS, row)) return true;
  if (row) trust.reportBroken('administrator', id);
  return false;
}
