import type { ViolationTally } from '@invigil/core/domain/violations/violation-counting';
import {
  COUNTING_TYPES,
  FLAG_TYPES,
  LIFECYCLE_TYPES,
  LONG_MS,
  type ReportGroup,
  reportGroupOf,
} from '@invigil/core/domain/violations/violation-types';
import { and, asc, eq, gt, inArray, notInArray, type SQL, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../../database.ts';
import { violations } from '../../schema/monitoring.ts';

export type ViolationRow = typeof violations.$inferSelect;

const ALL_TYPES = [...COUNTING_TYPES, ...FLAG_TYPES, ...LIFECYCLE_TYPES];
const isTypeIn = (group: ReportGroup, durationMs: number | null) =>
  inArray(
    violations.type,
    ALL_TYPES.filter((type) => reportGroupOf(type, durationMs) === group),
  );
/** Whether a flag lasted for so long (LONG_MS) that it is for a reviewer; other types never did. */
export const lastedLong = (type: SQL, durationMs: SQL) =>
  sql`coalesce(${durationMs} >= (${JSON.stringify(LONG_MS)}::jsonb ->> ${type})::int, false)`;
/** Whether a report is in a group: its type decides, and whether it lasted long. */
const isIn = (group: ReportGroup) =>
  sql`case when ${lastedLong(sql`${violations.type}`, sql`${violations.durationMs}`)} then ${isTypeIn(group, Number.POSITIVE_INFINITY)} else ${isTypeIn(group, null)} end`;

export async function findViolation(db: Queryable, id: string): Promise<ViolationRow | undefined> {
  const [row] = await db.select().from(violations).where(eq(violations.id, id));
  return row;
}

/** False when the id is taken. */
export async function insertViolation(tx: Tx, row: ViolationRow): Promise<boolean> {
  const rows = await tx
    .insert(violations)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: violations.id });
  return rows.length > 0;
}

/** How many reports of a group an attempt sent after a moment. */
export function countReportsSince(
  tx: Tx,
  participantId: string,
  group: ReportGroup,
  since: Date,
): Promise<number> {
  const where = and(
    eq(violations.participantId, participantId),
    isIn(group),
    gt(violations.receivedAt, since),
  );
  return tx.$count(violations, where);
}

/** How many of a type an attempt has. */
export function countViolations(tx: Tx, participantId: string, type: string): Promise<number> {
  return tx.$count(
    violations,
    and(eq(violations.participantId, participantId), eq(violations.type, type)),
  );
}

export async function setCandidateNote(tx: Tx, id: string, note: string): Promise<void> {
  await tx.update(violations).set({ candidateNote: note }).where(eq(violations.id, id));
}

/** The violations of an attempt, in the order in which they happened, without page lifecycle events. */
export function listViolations(db: Queryable, participantId: string): Promise<ViolationRow[]> {
  return (
    db
      .select()
      .from(violations)
      .where(
        and(
          eq(violations.participantId, participantId),
          notInArray(violations.type, [...LIFECYCLE_TYPES]),
        ),
      )
      // Within a millisecond in order of arrival; ids are the page's and random.
      .orderBy(asc(violations.at), asc(violations.receivedAt), asc(violations.id))
  );
}

export interface Reported {
  tally: ViolationTally;
  perGroup: Record<ReportGroup, number>;
  lastReceivedAt: Date | null;
}

/** Counts of the violations of an attempt, and the last of each; to change them, lock the attempt. */
export async function readTally(tx: Queryable, participantId: string): Promise<Reported> {
  const counted = (type: string) =>
    sql<number>`count(*) filter (where ${violations.counted} and ${violations.type} = ${type})::int`;
  const lastAt = (type: string) =>
    sql<Date | null>`max(${violations.at}) filter (where ${violations.counted} and ${violations.type} = ${type})`.mapWith(
      violations.at,
    );
  const inGroup = (group: ReportGroup) => sql<number>`count(*) filter (where ${isIn(group)})::int`;
  const row = onlyRow(
    await tx
      .select({
        face: counted('face_not_detected'),
        voice: counted('voice_detected'),
        fullscreenExits: counted('fullscreen_exit'),
        tabSwitches: counted('tab_hidden'),
        lastFaceAt: lastAt('face_not_detected'),
        lastVoiceAt: lastAt('voice_detected'),
        counting: inGroup('counting'),
        flag: inGroup('flag'),
        recorded: inGroup('recorded'),
        lastReceivedAt: sql<Date | null>`max(${violations.receivedAt})`.mapWith(
          violations.receivedAt,
        ),
      })
      .from(violations)
      .where(and(eq(violations.participantId, participantId))),
  );
  const { counting, flag, recorded, lastReceivedAt, ...tally } = row;
  return { tally, perGroup: { counting, flag, recorded }, lastReceivedAt };
}
