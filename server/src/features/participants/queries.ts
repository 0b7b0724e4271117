import type {
  AttemptStatus,
  CloseReason,
  DueTime,
  SubmissionType,
  Verdict,
} from '@invigil/core/domain/attempt';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import {
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm';
import { type Queryable, runNamed, type Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { prepared } from '../../db/prepared.ts';
import {
  paperQuestions,
  participantEvents,
  participants,
  questionVersions,
  quizPolicies,
  users,
} from '../../db/schema.ts';
import { sensorSwitch } from './switch-queries.ts';

type Row = typeof participants.$inferSelect;

/** An attempt with the policy it runs under; the text columns are what their checks allow. */
export interface ParticipantView
  extends Omit<
    Row,
    'status' | 'closeReason' | 'submissionType' | 'verdict' | 'cameraEnabled' | 'microphoneEnabled'
  > {
  cameraEnabled: boolean;
  microphoneEnabled: boolean;
  status: AttemptStatus;
  closeReason: CloseReason;
  submissionType: SubmissionType | null;
  verdict: Verdict | null;
  /** Once it has ended the stored number, before that a count of stored answers. */
  answered: number;
  policySettings: unknown;
}

const answered = sql<number>`coalesce(${participants.answeredCount}, (
  select count(*)::int from answers a
  where a.participant_id = ${participants.id} and a.option_id is not null
))`;

function selectViews(db: Queryable, where: SQL | undefined) {
  return db
    .select({
      row: participants,
      settings: quizPolicies.settings,
      answered,
      cameraEnabled: sensorSwitch('camera_enabled', 'participants'),
      microphoneEnabled: sensorSwitch('microphone_enabled', 'participants'),
    })
    .from(participants)
    .innerJoin(
      quizPolicies,
      and(
        eq(quizPolicies.quizId, participants.quizId),
        eq(quizPolicies.version, participants.policyVersion),
      ),
    )
    .where(where);
}

function viewsOf(rows: Awaited<ReturnType<typeof selectViews>>): ParticipantView[] {
  return rows.map(({ row, settings, answered: count, ...switches }) => ({
    ...row,
    ...switches,
    status: row.status as AttemptStatus,
    closeReason: row.closeReason as CloseReason,
    submissionType: row.submissionType as SubmissionType | null,
    verdict: row.verdict as Verdict | null,
    answered: count,
    policySettings: settings,
  }));
}

async function selectParticipants(
  db: Queryable,
  where: SQL | undefined,
): Promise<ParticipantView[]> {
  return viewsOf(await selectViews(db, where));
}

/** The current attempt of a person at a quiz, whatever its status. */
export async function findCurrentParticipant(
  db: Queryable,
  userId: string,
  quizId: string,
): Promise<ParticipantView | undefined> {
  const statement = prepared(db, 'current-participant', (on) =>
    selectViews(
      on,
      and(
        eq(participants.userId, sql.placeholder('userId')),
        eq(participants.quizId, sql.placeholder('quizId')),
        isNull(participants.replacedAt),
      ),
    ),
  );
  const [row] = viewsOf(await statement.execute({ userId, quizId }));
  return row;
}

export async function findParticipant(
  db: Queryable,
  id: string,
): Promise<ParticipantView | undefined> {
  const [row] = await listParticipantsById(db, [id]);
  return row;
}

/** The attempts with these ids; those that are not there are missing. */
export async function listParticipantsById(
  db: Queryable,
  ids: string[],
): Promise<ParticipantView[]> {
  const statement = prepared(db, 'participants', (on) =>
    selectViews(on, sql`${participants.id} = any (${sql.placeholder('ids')}::uuid[])`),
  );
  return viewsOf(await statement.execute({ ids }));
}

/** Takes those of several attempts alone that nobody else holds, in an order that all batches keep. */
export async function lockFreeParticipants(tx: Tx, ids: string[]): Promise<string[]> {
  const rows = await prepared(tx, 'lock-free-participants', (on) =>
    on
      .select({ id: participants.id })
      .from(participants)
      .where(sql`${participants.id} = any (${sql.placeholder('ids')}::uuid[])`)
      .orderBy(asc(participants.id))
      .for('update', { skipLocked: true }),
  ).execute({ ids });
  return rows.map((row) => row.id);
}

/**
 * Takes an attempt alone: no save is on its way when this returns, and none starts before the end.
 * Whoever changes status, `closeAt` or session of an attempt holds it like this first: saves lock
 * its key alone, and an update by itself would not wait for them.
 */
export async function lockParticipant(tx: Tx, id: string): Promise<void> {
  await prepared(tx, 'lock-participant', (on) =>
    on
      .select({ id: participants.id })
      .from(participants)
      .where(eq(participants.id, sql.placeholder('id')))
      .for('update'),
  ).execute({ id });
}

/**
 * The current attempt of a person at a quiz, taken alone where it can still change, and read again
 * then: it may have ended meanwhile. Always taken before its session, as every end does; the other
 * way round, a sign-in and an end would wait for each other.
 */
export async function lockCurrentParticipant(
  tx: Tx,
  userId: string,
  quizId: string,
): Promise<ParticipantView | undefined> {
  const found = await findCurrentParticipant(tx, userId, quizId);
  if (found?.status !== 'in_progress') return found;
  await lockParticipant(tx, found.id);
  return findCurrentParticipant(tx, userId, quizId);
}

/**
 * Locks attempts that are past their due time, oldest first. Those that somebody else holds are left
 * for the next round: a submit that is under way will end them itself.
 *
 * @param except those that were tried and could not be ended
 */
export async function lockDueParticipants(
  tx: Tx,
  now: Date,
  most: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const rows = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(
        eq(participants.status, 'in_progress'),
        lt(participants.closeAt, now),
        notInArray(participants.id, [...except]),
      ),
    )
    .orderBy(asc(participants.closeAt))
    .limit(most)
    .for('update', { skipLocked: true });
  return rows.map((row) => row.id);
}

export type PaperKey = Awaited<ReturnType<typeof selectPaperKeys>>[number];

/** The key of several papers; for scoring, never for an answer to a candidate. */
export async function listPaperKeys(tx: Queryable, participantIds: string[]) {
  return prepared(tx, 'paper-keys', selectPaperKeys).execute({ ids: participantIds });
}

function selectPaperKeys(db: Queryable) {
  return db
    .select({
      participantId: paperQuestions.participantId,
      questionId: paperQuestions.questionId,
      correctOptionId: questionVersions.correctOptionId,
      position: paperQuestions.position,
      questionVersion: paperQuestions.questionVersion,
      /** As text: it is compared and never read. */
      optionOrder: sql<string>`${paperQuestions.optionOrder}::text`,
    })
    .from(paperQuestions)
    .innerJoin(
      questionVersions,
      and(
        eq(questionVersions.questionId, paperQuestions.questionId),
        eq(questionVersions.version, paperQuestions.questionVersion),
      ),
    )
    .where(sql`${paperQuestions.participantId} = any (${sql.placeholder('ids')}::uuid[])`);
}

/** The right option of each question of one paper. */
export async function findKeys(db: Queryable, id: string): Promise<Map<string, number>> {
  return keyMap(await listPaperKeys(db, [id]));
}

export function keyMap(keys: readonly PaperKey[]): Map<string, number> {
  return new Map(keys.map((key) => [key.questionId, key.correctOptionId]));
}

/** What an end writes. */
export interface ParticipantEnd {
  id: string;
  status: 'completed' | 'dismissed';
  submissionType: SubmissionType;
  submittedAt: Date;
  score: number;
  answeredCount: number;
  receiptId: string;
  resultSeal: Buffer;
}

const END_SQL = `
update participants p
set status = e.status, submission_type = e.submission_type, submitted_at = e.submitted_at,
    score = e.score, answered_count = e.answered_count, receipt_id = e.receipt_id,
    result_seal = e.result_seal
from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::smallint[], $6::smallint[],
  $7::text[], $8::bytea[])
  as e(id, status, submission_type, submitted_at, score, answered_count, receipt_id, result_seal)
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
    ],
  });
}

export async function insertParticipants(
  tx: Tx,
  rows: (typeof participants.$inferInsert)[],
): Promise<void> {
  await tx.insert(participants).values(rows);
}

/**
 * Attempts whose paper holds a question, with the version they hold, locked against their end. Those
 * in progress are held by their key alone: their saves and heartbeats go on meanwhile. Ended ones are
 * taken alone, because two rescorings at once would each write a score without the other's key.
 */
export async function listHoldersOf(tx: Tx, questionId: string) {
  await selectHolders(tx, eq(paperQuestions.questionId, questionId)).for('key share', {
    of: participants,
  });
  await selectHolders(
    tx,
    and(eq(paperQuestions.questionId, questionId), ne(participants.status, 'in_progress')),
  ).for('no key update', { of: participants });
  return selectHolders(tx, eq(paperQuestions.questionId, questionId));
}

function selectHolders(tx: Tx, where: SQL | undefined) {
  return tx
    .select({
      id: participants.id,
      userEmail: users.email,
      score: participants.score,
      totalMarks: participants.totalMarks,
      questionVersion: paperQuestions.questionVersion,
    })
    .from(paperQuestions)
    .innerJoin(participants, eq(participants.id, paperQuestions.participantId))
    .innerJoin(users, eq(users.id, participants.userId))
    .where(where)
    .orderBy(asc(participants.id));
}

/** Ended attempts whose verdict an administrator gave. */
export async function listJudgedBy(tx: Tx, adminId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(eq(participants.verdictBy, adminId))
    .orderBy(asc(participants.id))
    .for('no key update');
  return rows.map((row) => row.id);
}

/** New scores of ended attempts, after a key was corrected. */
export async function setScores(
  tx: Tx,
  scores: readonly { id: string; score: number }[],
): Promise<void> {
  if (scores.length === 0) return;
  await tx.execute(sql`
    update participants p set score = s.score
    from unnest(
      ${sql.param(scores.map((s) => s.id))}::uuid[],
      ${sql.param(scores.map((s) => s.score))}::smallint[]
    ) as s(id, score)
    where p.id = s.id and p.status <> 'in_progress'`);
}

/** Whether an invitation ever led to an attempt, replaced ones included. */
export async function hasAttempt(db: Queryable, invitationId: string): Promise<boolean> {
  return (await listInvitationsWithAttempt(db, [invitationId])).has(invitationId);
}

/** Those of several invitations that ever led to an attempt, replaced ones included. */
export async function listInvitationsWithAttempt(
  db: Queryable,
  ids: string[],
): Promise<Set<string>> {
  const rows = await runNamed<{ id: string }>(db, {
    name: 'invitations-with-attempt',
    text: 'select invitation_id as id from participants where invitation_id = any ($1::uuid[])',
    values: [ids],
  });
  return new Set(rows.map((row) => row.id));
}

/** What happened to an attempt, in order. */
export function listParticipantEvents(db: Queryable, participantId: string) {
  return db
    .select({
      kind: participantEvents.kind,
      at: participantEvents.at,
      details: participantEvents.details,
    })
    .from(participantEvents)
    .where(eq(participantEvents.participantId, participantId))
    .orderBy(asc(participantEvents.at), asc(participantEvents.id));
}

/** Moves an attempt's times: an audited extension, an end-now, or a limit that was reached. */
export async function setDueTime(tx: Tx, id: string, due: DueTime): Promise<void> {
  const { deadlineAt, closeAt, closeReason } = due;
  await tx
    .update(participants)
    .set({ deadlineAt, closeAt, closeReason })
    .where(eq(participants.id, id));
}

/** What the violations so far come to. */
export async function setViolationCounts(
  tx: Tx,
  id: string,
  counts: Pick<Row, 'countedViolations' | 'fullscreenExits' | 'tabSwitches'>,
): Promise<void> {
  await tx.update(participants).set(counts).where(eq(participants.id, id));
}

/** One more flag that asks for a person's eye. */
export async function addReviewFlag(tx: Tx, id: string): Promise<void> {
  await tx
    .update(participants)
    .set({ reviewFlags: sql`${participants.reviewFlags} + 1` })
    .where(eq(participants.id, id));
}

/** One more call of the counter. */
export async function addViolationCall(tx: Tx, id: string): Promise<void> {
  await tx
    .update(participants)
    .set({ violationCalls: sql`${participants.violationCalls} + 1` })
    .where(eq(participants.id, id));
}

export async function setNote(tx: Tx, id: string, note: string): Promise<void> {
  await tx.update(participants).set({ note }).where(eq(participants.id, id));
}

export async function setVerdict(
  tx: Tx,
  id: string,
  given: { verdict: string; verdictNote: string; verdictAt: Date; verdictBy: string },
): Promise<void> {
  await tx.update(participants).set(given).where(eq(participants.id, id));
}

export async function setReplaced(
  tx: Tx,
  id: string,
  how: 'another' | 'reinstate',
  now: Date,
): Promise<void> {
  await tx
    .update(participants)
    .set({ replacedAt: now, replacedHow: how })
    .where(eq(participants.id, id));
}

/** The attempt before the next one: the replaced row with the highest number. */
export async function findLatestReplaced(
  tx: Tx,
  userId: string,
  quizId: string,
): Promise<ParticipantView | undefined> {
  const rows = await selectParticipants(
    tx,
    and(
      eq(participants.userId, userId),
      eq(participants.quizId, quizId),
      isNotNull(participants.replacedAt),
    ),
  );
  return rows.sort((a, b) => b.attempt - a.attempt)[0];
}

/** The page is there again after a reload or on another device; its monitor starts anew. */
export async function noteReturn(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .update(participants)
    .set({
      lastSeenAt: now,
      monitorAt: now,
      silentSince: null,
      monitorChecks: null,
      unjudgedSince: null,
    })
    .where(eq(participants.id, id));
}

/** Gives an attempt to a session: from this commit on only that session's saves are taken. */
export async function setParticipantSession(tx: Tx, id: string, sessionId: string): Promise<void> {
  await tx.update(participants).set({ sessionId }).where(eq(participants.id, id));
}

/** What the attempt is taken on now. */
export async function setDevice(
  tx: Tx,
  id: string,
  seen: Pick<Row, 'device' | 'isPhone' | 'usedComputer'>,
): Promise<void> {
  await tx.update(participants).set(seen).where(eq(participants.id, id));
}

/** Takes a session that ends away from whatever attempt it held. */
export async function leaveParticipantSession(tx: Tx, sessionId: string): Promise<void> {
  const held = tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.sessionId, sessionId), eq(participants.status, 'in_progress')))
    .for('update');
  await tx.update(participants).set({ sessionId: null }).where(inArray(participants.id, held));
}

export interface ParticipantEvent {
  participantId: string;
  kind:
    | 'started'
    | 'resumed'
    | 'device_changed'
    | 'flooded'
    | 'signed_in'
    | 'extended'
    | 'ending'
    | 'message'
    | 'limit_reached'
    | 'reported'
    | 'gap'
    | 'replaced'
    | 'ended';
  at: Date;
  details?: Record<string, unknown>;
}

export async function insertParticipantEvent(
  tx: Queryable,
  event: ParticipantEvent,
): Promise<void> {
  await insertParticipantEvents(tx, [event]);
}

/** What a candidate can repeat without end, and how much of it one attempt keeps: more says nothing new. */
const REPEATED = {
  returns: { kinds: ['resumed', 'signed_in', 'gap'], max: ATTEMPT_LIMITS.returnsRecordedMax },
  devices: { kinds: ['device_changed'], max: ATTEMPT_LIMITS.deviceChangesRecordedMax },
  floods: { kinds: ['flooded'], max: ATTEMPT_LIMITS.returnsRecordedMax },
} as const;
type Repeated = keyof typeof REPEATED;

/** Inserts an event unless its attempt has the most of its group. Returns how many it had before. */
export async function insertRepeatedEvent<G extends Repeated>(
  tx: Queryable,
  group: G,
  event: ParticipantEvent & { kind: (typeof REPEATED)[G]['kinds'][number] },
): Promise<number> {
  const { kinds, max } = REPEATED[group];
  const mine = eq(participantEvents.participantId, event.participantId);
  const before = await tx.$count(
    participantEvents,
    and(mine, inArray(participantEvents.kind, kinds)),
  );
  if (before < max) await insertParticipantEvent(tx, event);
  return before;
}

const INSERT_EVENTS_SQL = `
insert into participant_events (id, participant_id, kind, at, details)
select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::jsonb[])`;

export async function insertParticipantEvents(tx: Queryable, events: ParticipantEvent[]) {
  await runNamed(tx, {
    name: 'insert-events',
    text: INSERT_EVENTS_SQL,
    values: [
      events.map(() => newId()),
      events.map((e) => e.participantId),
      events.map((e) => e.kind),
      events.map((e) => e.at.toISOString()),
      events.map((e) => (e.details === undefined ? null : JSON.stringify(e.details))),
    ],
  });
}

/** The attempt under way of an invitation, held, if there is one. */
export async function findRunningOf(tx: Tx, invitationId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.invitationId, invitationId), eq(participants.status, 'in_progress')))
    .for('update');
  return row?.id;
}

/** A flood this long before an outage may have caused it. */
const FLOOD_REMEMBERED_MS = 15 * 60_000;

/**
 * After an outage: gives attempts whose deadline or due time it covered a moment more, so that
 * candidates can send what they hold (see closeAtAfterOutage in core, which says it in the same
 * terms). Returns the session of each, if any.
 */
export async function postponeCovered(
  tx: Queryable,
  aliveUntil: Date,
  readyAt: Date,
  closeAt: Date,
): Promise<(string | null)[]> {
  const until = sql`${aliveUntil.toISOString()}::timestamptz`;
  const ready = sql`${readyAt.toISOString()}::timestamptz`;
  // In the order in which saves and heartbeats take them: everybody comes back at this moment.
  const covered = tx
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(
        eq(participants.status, 'in_progress'),
        // Nobody gains time by load of their own making.
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
