import { desc, eq } from 'drizzle-orm';
import type { Queryable, Tx } from '../../database.ts';
import { certificates } from '../../schema/attempts.ts';

export type CertificateRow = typeof certificates.$inferSelect;

export async function findCertificate(
  db: Queryable,
  number: string,
): Promise<CertificateRow | undefined> {
  const [row] = await db.select().from(certificates).where(eq(certificates.number, number));
  return row;
}

/** The certificates of an attempt, newest first. */
export function listCertificatesOf(db: Queryable, participantId: string) {
  return db
    .select()
    .from(certificates)
    .where(eq(certificates.participantId, participantId))
    .orderBy(desc(certificates.issuedAt), desc(certificates.number));
}

export async function insertCertificate(tx: Tx, row: CertificateRow): Promise<void> {
  await tx.insert(certificates).values(row);
}

export async function revokeCertificateRow(tx: Tx, number: string, at: Date): Promise<void> {
  await tx.update(certificates).set({ revokedAt: at }).where(eq(certificates.number, number));
}
