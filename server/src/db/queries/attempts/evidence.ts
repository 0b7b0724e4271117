import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../../database.ts';
import { participants } from '../../schema/attempts.ts';
import { evidence, evidenceKeys, stillHashes } from '../../schema/monitoring.ts';

export type EvidenceRow = typeof evidence.$inferSelect;
export type EvidenceKeyRow = typeof evidenceKeys.$inferSelect;

export async function findEvidence(db: Queryable, id: string): Promise<EvidenceRow | undefined> {
  const [row] = await db.select().from(evidence).where(eq(evidence.id, id));
  return row;
}

/** The stored evidence of one attempt, in the order of its moments. */
export function listEvidence(db: Queryable, participantId: string): Promise<EvidenceRow[]> {
  return db
    .select()
    .from(evidence)
    .where(and(eq(evidence.participantId, participantId), isNotNull(evidence.storedAt)))
    .orderBy(asc(evidence.at), asc(evidence.receivedAt), asc(evidence.id));
}

/** Locks the key of an attempt against destruction; false: it is already destroyed. */
export async function holdEvidenceKey(tx: Tx, participantId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: evidenceKeys.participantId })
    .from(evidenceKeys)
    .where(and(eq(evidenceKeys.participantId, participantId), isNotNull(evidenceKeys.sealedKey)))
    .for('share');
  return rows.length > 0;
}

export async function insertEvidence(tx: Tx, row: EvidenceRow): Promise<void> {
  await tx.insert(evidence).values(row);
}

/** Marks the file as stored. False when it was marked before, or the row has been deleted. */
export async function setStored(
  db: Queryable,
  id: string,
  at: Date,
  seal: Buffer,
): Promise<boolean> {
  const rows = await db
    .update(evidence)
    .set({ storedAt: at, seal })
    .where(and(eq(evidence.id, id), isNull(evidence.storedAt)))
    .returning({ id: evidence.id });
  return rows.length > 0;
}

export async function findEvidenceKey(
  db: Queryable,
  participantId: string,
): Promise<EvidenceKeyRow | undefined> {
  const [row] = await db
    .select()
    .from(evidenceKeys)
    .where(eq(evidenceKeys.participantId, participantId));
  return row;
}

/**
 * The key of an attempt, locked exclusively: uploads of one attempt run one after the other, and none
 * during a deletion. `fresh` becomes the key if there was none.
 */
export async function lockEvidenceKey(tx: Tx, fresh: EvidenceKeyRow): Promise<EvidenceKeyRow> {
  await tx.insert(evidenceKeys).values(fresh).onConflictDoNothing();
  return onlyRow(
    await tx
      .select()
      .from(evidenceKeys)
      .where(eq(evidenceKeys.participantId, fresh.participantId))
      .for('update'),
  );
}

/**
 * Locks the row of an attempt against the erasure of its person; saves and heartbeats continue. Called
 * before the key is locked, in the order of the erasure.
 */
export async function holdParticipant(tx: Tx, id: string): Promise<void> {
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(eq(participants.id, id))
    .for('key share');
}

/** The uploads of an attempt so far, in total and for one violation. */
export async function readUploads(
  tx: Tx,
  participantId: string,
  violationId: string | null,
  minuteAgo: Date,
) {
  const ofViolation = sql`${evidence.violationId} is not distinct from ${violationId}::uuid`;
  return onlyRow(
    await tx
      .select({
        bytes: sql<number>`coalesce(sum(${evidence.bytes}), 0)::float8`,
        inMinute: sql<number>`count(*) filter (where ${evidence.receivedAt} > ${minuteAgo.toISOString()}::timestamptz)::int`,
        ofViolation: sql<number>`count(*) filter (where ${ofViolation})::int`,
        stillsOfViolation: sql<number>`coalesce(sum(${evidence.stills}) filter (where ${ofViolation}), 0)::int`,
        lastAt: sql<Date | null>`max(${evidence.receivedAt}) filter (where ${ofViolation})`.mapWith(
          evidence.receivedAt,
        ),
      })
      .from(evidence)
      .where(eq(evidence.participantId, participantId)),
  );
}

/**
 * Attempts that ended before a moment and whose key still exists, at most so many. A key is created
 * during its attempt or shortly after, so an index on its age finds them.
 */
export async function lockExpiredKeys(tx: Tx, endedBefore: Date, most: number): Promise<string[]> {
  const rows = await tx
    .select({ id: evidenceKeys.participantId })
    .from(evidenceKeys)
    .innerJoin(participants, eq(participants.id, evidenceKeys.participantId))
    .where(
      and(
        isNotNull(evidenceKeys.sealedKey),
        lt(evidenceKeys.createdAt, endedBefore),
        lt(participants.submittedAt, endedBefore),
      ),
    )
    .orderBy(asc(evidenceKeys.createdAt))
    .limit(most)
    .for('update', { of: evidenceKeys, skipLocked: true });
  return rows.map((row) => row.id);
}

export async function listAttemptIdsOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(eq(participants.userId, userId));
  return rows.map((row) => row.id);
}

/** Destroys the keys of attempts and deletes their uploads. Returns how many uploads each had. */
export async function destroyKeys(
  tx: Tx,
  ids: readonly string[],
  now: Date,
): Promise<{ id: string; uploads: number }[]> {
  if (ids.length === 0) return [];
  const destroyed = await tx
    .update(evidenceKeys)
    .set({ sealedKey: null, destroyedAt: now })
    .where(and(inArray(evidenceKeys.participantId, [...ids]), isNotNull(evidenceKeys.sealedKey)))
    .returning({ id: evidenceKeys.participantId });
  const gone = await tx
    .delete(evidence)
    .where(inArray(evidence.participantId, [...ids]))
    .returning({ id: evidence.participantId, storedAt: evidence.storedAt });
  const stored = gone.filter(({ storedAt }) => storedAt !== null);
  return destroyed.map(({ id }) => ({ id, uploads: stored.filter((g) => g.id === id).length }));
}

/** Marks files of an attempt without a key as gone, or (`null`) as possibly there again. */
export async function setFilesRemoved(
  db: Queryable,
  participantId: string,
  at: Date | null,
): Promise<void> {
  await db
    .update(evidenceKeys)
    .set({ filesRemovedAt: at })
    .where(and(eq(evidenceKeys.participantId, participantId), isNull(evidenceKeys.sealedKey)));
}

/** Attempts whose key is gone and whose files may remain, after an id, at most so many. */
export async function listLeftFolders(
  db: Queryable,
  after: string,
  most: number,
): Promise<string[]> {
  const rows = await db
    .select({ id: evidenceKeys.participantId })
    .from(evidenceKeys)
    .where(
      and(
        isNull(evidenceKeys.sealedKey),
        isNull(evidenceKeys.filesRemovedAt),
        gt(evidenceKeys.participantId, after),
      ),
    )
    .orderBy(asc(evidenceKeys.participantId))
    .limit(most);
  return rows.map((row) => row.id);
}

/** Stills stored before, of any attempt, by their hashes; once per attempt. */
export function listSameStills(tx: Tx, hashes: Buffer[]) {
  return tx
    .select({
      participantId: stillHashes.participantId,
      hash: stillHashes.hash,
      takenAt: stillHashes.takenAt,
    })
    .from(stillHashes)
    .where(inArray(stillHashes.hash, hashes))
    .limit(1_000);
}

/** Keeps the first moment of each hash. */
export async function insertStillHashes(
  tx: Tx,
  rows: (typeof stillHashes.$inferInsert)[],
): Promise<void> {
  await tx.insert(stillHashes).values(rows).onConflictDoNothing();
}
