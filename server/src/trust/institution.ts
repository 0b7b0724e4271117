import { ENGLISH_ALONE, isLanguage } from '@invigil/core/texts/languages';
import type { BaseContext } from '../app-context.ts';
import type { Queryable } from '../db/database.ts';
import { findInstitution, type InstitutionRow } from '../db/queries/institution.ts';
import { INSTITUTION, isGenuine, requireGenuine } from './row-kinds.ts';

type Ctx = Pick<BaseContext, 'config' | 'keys' | 'trust'>;

/** The operator as mails and screens show it. */
export type ShownInstitution = ReturnType<typeof shown>;

/**
 * The operator for screens. Read each time, so that a change holds on every process at once. A row that was
 * changed outside of Invigil is not shown, and no link leads there: the environment's values apply.
 */
export async function readInstitution(ctx: Ctx, db: Queryable): Promise<ShownInstitution> {
  const row = await findInstitution(db);
  return shown(ctx, row && isGenuine(ctx, INSTITUTION, row) ? row : undefined);
}

/** The same for what is signed or sent on an administrator's behalf. Throws CHANGED_OUTSIDE. */
export async function requireInstitution(ctx: Ctx, db: Queryable): Promise<ShownInstitution> {
  const row = await findInstitution(db);
  if (row) requireGenuine(ctx, INSTITUTION, row);
  return shown(ctx, row);
}

function shown({ config }: Ctx, row: InstitutionRow | undefined) {
  return {
    name: row?.name ?? null,
    logo: row?.logo ?? null,
    languages: (row?.languages ?? ENGLISH_ALONE).filter(isLanguage),
    timeZone: row?.timeZone ?? config.timeZone,
    publicUrl: row?.publicUrl ?? config.publicUrl,
  };
}
