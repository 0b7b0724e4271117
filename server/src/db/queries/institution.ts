import type { PersonField } from '@invigil/core/domain/people';
import { eq } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../database.ts';
import { institution } from '../schema/installation.ts';

export type InstitutionRow = Omit<typeof institution.$inferSelect, 'one'>;

/** The id of the one row, for its seal. */
export const THE_INSTITUTION = 'true';

export async function findInstitution(db: Queryable): Promise<InstitutionRow | undefined> {
  const [row] = await db.select().from(institution).where(eq(institution.one, true));
  return row;
}

/** The same, locked: what its seal is checked for is what is then changed. */
export async function lockInstitution(tx: Tx): Promise<InstitutionRow | undefined> {
  const [row] = await tx
    .select()
    .from(institution)
    .where(eq(institution.one, true))
    .for('no key update');
  return row;
}

export async function putInstitution(
  tx: Tx,
  set: Partial<InstitutionRow> & Pick<InstitutionRow, 'updatedAt'>,
): Promise<InstitutionRow> {
  return onlyRow(
    await tx
      .insert(institution)
      .values(set)
      .onConflictDoUpdate({ target: institution.one, set })
      .returning(),
  );
}

/** The installation's own fields of people, in the order of their columns. */
export const listPersonFields = async (db: Queryable): Promise<PersonField[]> =>
  (await findInstitution(db))?.personFields ?? [];
