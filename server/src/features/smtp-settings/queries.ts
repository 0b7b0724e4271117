import { sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../../db/database.ts';
import { smtpSettings } from '../../db/schema.ts';

export type SmtpSettingsRow = typeof smtpSettings.$inferSelect;

export async function findSmtpSettings(db: Queryable): Promise<SmtpSettingsRow | undefined> {
  const [row] = await db.select().from(smtpSettings);
  return row;
}

/** Two administrators saving at once go one after the other. */
export async function lockSmtpSettings(tx: Tx): Promise<void> {
  await tx.execute(sql`lock table ${smtpSettings} in share row exclusive mode`);
}

export async function putSmtpSettings(
  db: Queryable,
  row: Omit<SmtpSettingsRow, 'one'>,
): Promise<SmtpSettingsRow> {
  const { id: _, ...set } = row;
  return onlyRow(
    await db
      .insert(smtpSettings)
      .values(row)
      .onConflictDoUpdate({ target: smtpSettings.id, set })
      .returning(),
  );
}
