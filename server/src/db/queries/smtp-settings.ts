import { sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../database.ts';
import { auditEntries } from '../schema/installation.ts';
import { smtpSettings } from '../schema/mail.ts';

export type SmtpSettingsRow = typeof smtpSettings.$inferSelect;

export async function findSmtpSettings(db: Queryable): Promise<SmtpSettingsRow | undefined> {
  const [row] = await db.select().from(smtpSettings);
  return row;
}

/**
 * Whether there ever was a mail server, by the audit log: its entries are never removed, while the
 * settings may be.
 */
export async function wasMailEverConfigured(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ ever: boolean }>(sql`
    select exists (select from ${smtpSettings}) or exists (
      select from ${auditEntries} where ${auditEntries.action} = 'smtp_settings.changed') as ever`);
  return rows[0]?.ever === true;
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

/** A test message was taken with the stored settings. */
export async function putTestedAt(tx: Tx, testedAt: Date): Promise<void> {
  await tx.update(smtpSettings).set({ testedAt });
}
