import type { DueTime, Pause, SubmissionType } from '@invigil/core/domain/attempt';
import type { ScoredSection } from '@invigil/core/domain/results/outcome';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../database.ts';
import { runNamed } from '../../database.ts';
import { participantEvents, participants } from '../../schema/attempts.ts';
import type { ParticipantView } from './attempts.ts';
import { focusedSql, focusedText } from './focus.ts';

export interface StoredScore {
  score: number;
  /** Ten-thousandths; null for an attempt whose questions have no points. */
  points: number | null;
  maxPoints: number | null;
  /** Set where the points are one for each right answer, because a question was left out. */
  countsRight: true | null;
  /** Sections with the points of each; null for a paper without sections. */
  sections: ScoredSection[] | null;
}

export interface ParticipantEnd extends StoredScore {
  id: string;
  status: 'completed' | 'dismissed';
  submissionType: SubmissionType;
  submittedAt: Date;
  answeredCount: number;
  receiptId: string;
  resultSeal: Buffer;
  /** A last report of the seconds of each question in view. */
  lastFocused?: readonly number[] | undefined;
}

const END_SQL = `
update participants p
set status = e.status, submission_type = e.submission_type, submitted_at = e.submitted_at,
    score = e.score, answered_count = e.answered_count, receipt_id = e.receipt_id,
    result_seal = e.result_seal, points = e.points, max_points = e.max_points,
    counts_right = e.counts_right, sections = e.sections, help_at = null, focused = ${focusedSql('e.focused', 'e.submitted_at')}
from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::smallint[], $6::smallint[],
  $7::text[], $8::bytea[], $9::int[], $10::int[], $11::jsonb[], $12::text[], $13::boolean[])
  as e(id, status, submission_type, submitted_at, score, answered_count, receipt_id, result_seal,
    points, max_points, sections, focused, counts_right)
where p.id = e.id and p.status = 'in_progress'`;

/** Ends attempts that are locked and in progress. */
export async function endParticipants(tx: Tx, ends: ParticipantEnd[]): Promise<void> {
  await runNamed(tx, {
    name: 'end-participants',
    text: END_SQL,
    values: [
      ends.map((e) => e.id),
      ends.map((e) => e.status),
      ends.map((e) => e.submissionType),
      ends.map((e) => e.submittedAt.toISOString()),
      ends.map((e) => e.score),
      ends.map((e) => e.answeredCount),
      ends.map((e) => e.receiptId),
      ends.map((e) => e.resultSeal),
      ends.map((e) => e.points),
      ends.map((e) => e.maxPoints),
      ends.map(sectionsJson),
      ends.map((e) => focusedText(e.lastFocused)),
      ends.map((e) => e.countsRight),
    ],
  });
}

const sectionsJson = ({ sections }: StoredScore) => sections && JSON.stringify(sections);

/** New scores of ended attempts, after a key was corrected. */
export async function setScores(
  tx: Tx,
  scores: readonly (StoredScore & { id: string })[],
): Promise<void> {
  if (scores.length === 0) return;
  await tx.execute(sql`
    update participants p 
    set score = s.score, points = s.points, max_points = s.max_points,
      counts_right = s.counts_right, sections = s.sections
    from unnest(
      ${sql.param(scores.map((s) => s.id))}::uuid[],
      ${sql.param(scores.map((s) => s.score))}::smallint[],
      ${sql.param(scores.map((s) => s.points))}::int[],
      ${sql.param(scores.map((s) => s.maxPoints))}::int[],
      ${sql.param(scores.map((s) => s.countsRight))}::boolean[],
      ${sql.param(scores.map(sectionsJson))}::jsonb[]
    ) as s(id, score, points, max_points, counts_right, sections)
    where p.id = s.id and p.status <> 'in_progress'`);
}

/** Begins a pause, changes its end, or ends it. The page's monitor then begins anew. */
export async function setPause(
  tx: Tx,
  id: string,
  paused: DueTime &
    Pause &
    Partial<Pick<ParticipantView, 'pauseReason' | 'breaksLeft' | 'breakMsLeft'>>,
): Promise<void> {
  const { deadlineAt, closeAt, pausedAt, pausedUntil, pausedMs } = paused;
  const { pauseReason, breaksLeft, breakMsLeft } = paused;
  await tx
    .update(participants)
    .set({
      ...{ deadlineAt, closeAt, pausedAt, pausedUntil, pausedMs },
      ...{ pauseReason, breaksLeft, breakMsLeft },
      silentSince: null,
      monitorChecks: null,
      checksStalledSince: pausedUntil,
    })
    .where(eq(participants.id, id));
}

/** Changes an attempt's times, after an audited extension, an end-now, or a limit that was reached. */
export async function setDueTime(tx: Tx, id: string, due: DueTime): Promise<void> {
  const { deadlineAt, closeAt, closeReason } = due;
  await tx
    .update(participants)
    .set({ deadlineAt, closeAt, closeReason })
    .where(eq(participants.id, id));
}

export async function setReplaced(
  tx: Tx,
  ids: readonly string[],
  how: 'another' | 'reinstate' | 'retake',
  addedMinutes: number | null,
  now: Date,
): Promise<void> {
  await tx
    .update(participants)
    .set({ replacedAt: now, replacedHow: how, addedMinutes })
    .where(inArray(participants.id, [...ids]));
}

/** Lets attempts count; those that did are marked first. */
export async function setCounting(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .update(participants)
    .set({ replacedAt: null, replacedHow: null })
    .where(inArray(participants.id, [...ids]));
}

/** A flood this long before an outage may have caused it. */
const FLOOD_REMEMBERED_MS = 15 * 60_000;

/**
 * After an outage: extends attempts whose deadline or due time it covered, so that candidates can send
 * what they hold (see closeAtAfterOutage in core, the same rule). Returns the sessions of those attempts.
 */
export async function postponeCovered(
  tx: Queryable,
  aliveUntil: Date,
  readyAt: Date,
  closeAt: Date,
): Promise<(string | null)[]> {
  const until = sql`${aliveUntil.toISOString()}::timestamptz`;
  const ready = sql`${readyAt.toISOString()}::timestamptz`;
  // Rows are locked in the order of saves and heartbeats, as all candidates come back at this moment.
  const covered = tx
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(
        eq(participants.status, 'in_progress'),
        // No one gains time by their own flood of requests.
        sql`not exists (select from ${participantEvents} e
          where e.participant_id = ${participants.id} and e.kind = 'flooded'
            and e.at > ${until} - ${FLOOD_REMEMBERED_MS} * interval '1 millisecond')`,
        sql`${participants.closeAt} > ${until}`,
        sql`(${participants.closeAt} <= ${ready}
          or (${participants.deadlineAt} > ${until} and ${participants.deadlineAt} <= ${ready}))`,
      ),
    )
    .orderBy(asc(participants.id))
    .for('update');
  const rows = await tx
    .update(participants)
    .set({ closeAt: sql`greatest(${participants.closeAt}, ${closeAt.toISOString()}::timestamptz)` })
    .where(inArray(participants.id, covered))
    .returning({ sessionId: participants.sessionId });
  return rows.map((row) => row.sessionId);
}
