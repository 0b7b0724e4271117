import type {
  AttemptStatus,
  CloseReason,
  SubmissionType,
  Verdict,
} from '@invigil/core/domain/attempt';
import type { SQL } from 'drizzle-orm';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../database.ts';
import { runNamed } from '../../database.ts';
import { prepared } from '../../prepared.ts';
import { quizPolicies } from '../../schema/assessments.ts';
import { participants } from '../../schema/attempts.ts';

export type Row = typeof participants.$inferSelect;

/** A person's accommodations for the sensors. */
export interface SensorSwitches {
  cameraEnabled: boolean;
  microphoneEnabled: boolean;
  /** The face may be partly covered: a missing face never counts. */
  faceCovered: boolean;
}

/** An attempt with its policy; the text columns have the values that their checks allow. */
export interface ParticipantView
  extends Omit<Row, 'status' | 'closeReason' | 'submissionType' | 'verdict' | keyof SensorSwitches>,
    SensorSwitches {
  status: AttemptStatus;
  closeReason: CloseReason;
  submissionType: SubmissionType | null;
  verdict: Verdict | null;
  /** Stored once it has ended; before that, counted from stored answers. */
  answered: number;
  policySettings: unknown;
}

/** An interval: the time of an attempt until a moment, without pauses (core, `timeSpentSeconds`). */
export function timeSpent(until: SQL): SQL {
  const { startedAt, pausedUntil, pausedMs } = participants;
  return sql`(${until} - ${startedAt} - ${pausedMs} * interval '1 millisecond'
    + greatest(${pausedUntil} - ${until}, interval '0'))`;
}

const answered = sql<number>`coalesce(${participants.answeredCount}, (
  select count(*)::int from answers a
  where a.participant_id = ${participants.id} and (a.option_id is not null or a.response is not null)
))`;

function selectViews(db: Queryable, where: SQL | undefined) {
  return db
    .select({
      row: participants,
      settings: quizPolicies.settings,
      answered,
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
  return rows.map(({ row, settings, answered: count }) => ({
    ...row,
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

/** No administrator has set the attempt aside (`isSetAside` of core). */
export const STANDS = sql`coalesce(${participants.replacedHow}, 'retake') = 'retake'`;

/** The latest attempt of a person at a quiz, whatever its status; none once an administrator has set it aside. */
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
        STANDS,
        sql`${participants.attempt} = (select max(a.attempt) from participants a
          where a.user_id = ${participants.userId} and a.quiz_id = ${participants.quizId})`,
      ),
    ),
  );
  const [row] = viewsOf(await statement.execute({ userId, quizId }));
  return row;
}

/** The attempt of a person at a quiz that counts, or that runs. */
export async function findCounting(
  db: Queryable,
  userId: string,
  quizId: string,
): Promise<ParticipantView | undefined> {
  const [row] = await selectParticipants(
    db,
    and(
      eq(participants.userId, userId),
      eq(participants.quizId, quizId),
      isNull(participants.replacedAt),
    ),
  );
  return row;
}

/** A person at a quiz. */
export type Taker = Pick<Row, 'userId' | 'quizId'>;

/** Every attempt of some people, the oldest of each first. */
export async function listAttemptsOf(
  db: Queryable,
  takers: readonly Taker[],
): Promise<ParticipantView[]> {
  const rows = await selectParticipants(db, ofTakers(takers));
  return rows.sort((a, b) => a.attempt - b.attempt);
}

/** The condition that an attempt is one of some people. */
export const ofTakers = (takers: readonly Taker[]): SQL =>
  sql`(${participants.userId}, ${participants.quizId}) in (select * from unnest(
    ${sql.param(takers.map(({ userId }) => userId))}::uuid[],
    ${sql.param(takers.map(({ quizId }) => quizId))}::uuid[]))`;

export async function findParticipant(
  db: Queryable,
  id: string,
): Promise<ParticipantView | undefined> {
  const [row] = await listParticipantsById(db, [id]);
  return row;
}

/** The attempts with these ids; unknown ones are missing. */
export async function listParticipantsById(
  db: Queryable,
  ids: string[],
): Promise<ParticipantView[]> {
  const statement = prepared(db, 'participants', (on) =>
    selectViews(on, sql`${participants.id} = any (${sql.placeholder('ids')}::uuid[])`),
  );
  return viewsOf(await statement.execute({ ids }));
}

export async function insertParticipants(
  tx: Tx,
  rows: (typeof participants.$inferInsert)[],
): Promise<void> {
  await tx.insert(participants).values(rows);
}

/** Whether an invitation ever had an attempt, replaced ones included. */
export async function hasAttempt(db: Queryable, invitationId: string): Promise<boolean> {
  return (await listInvitationsWithAttempt(db, [invitationId])).has(invitationId);
}

/** The ids of the given invitations that ever had an attempt, replaced ones included. */
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
