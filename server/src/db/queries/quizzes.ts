import { isSingleChoice } from '@invigil/core/domain/questions/question-definition';
import type { Reach } from '@invigil/core/domain/rights';
import { and, asc, desc, eq, getTableColumns, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import {
  categories,
  questions,
  questionVersions,
  quizPolicies,
  quizzes,
} from '../schema/assessments.ts';
import { participants } from '../schema/attempts.ts';
import { institution, retention } from '../schema/installation.ts';
import { quizWithin } from './places.ts';
import { practiceColumns } from './practice.ts';
import { isDraft, typesThat } from './question-conditions.ts';
import { currentVersion } from './questions.ts';
import {
  findTimes,
  LAST_START,
  type ScheduleChange,
  storeSchedules,
  withTimesOf,
} from './schedules.ts';

export type QuizRow = typeof quizzes.$inferSelect;

/** A quiz with what the wire format needs from other tables. */
export interface QuizView extends QuizRow {
  category: string;
  /** Number of its own questions without drafts, which no paper gets. */
  questionCount: number;
  /** Some of its own questions ask for more than one option. */
  hasOtherAnswers: boolean;
  policySettings: unknown;
  /** The token of the practice assessment that it names, if people can use that. */
  namedToken: string | null;
  /** How many assessments name it for practice. */
  namedBy: number;
  /** How long monitoring data is stored, if an administrator has set it; else `null`. */
  retentionDays: number | null;
  /** The institution's, if an administrator has set it. */
  timeZone: string | null;
  /** The languages that the institution offers, if an administrator has set them. */
  offered: string[] | null;
}

const questionCount = sql<number>`(
  select count(*)::int from ${questions} join ${questionVersions} on ${currentVersion}
  where ${questions.quizId} = ${quizzes.id} and ${questions.deletedAt} is null
    and ${questions.archivedAt} is null and not ${isDraft}
)`;

const hasOtherAnswers = sql<boolean>`exists (
  select from ${questions} join ${questionVersions} on ${currentVersion}
  where ${questions.quizId} = ${quizzes.id} and ${questions.deletedAt} is null
    and ${questions.archivedAt} is null
    and ${questionVersions.details} ->> 'type' not in ${typesThat(isSingleChoice)}
)`;

function selectQuizzes(db: Queryable) {
  return db
    .select({
      ...getTableColumns(quizzes),
      category: categories.name,
      questionCount,
      hasOtherAnswers,
      policySettings: quizPolicies.settings,
      ...practiceColumns,
      retentionDays: sql<number | null>`(select days from ${retention})`,
      timeZone: sql<string | null>`(select time_zone from ${institution})`,
      offered: sql<string[] | null>`(select languages from ${institution})`,
    })
    .from(quizzes)
    .innerJoin(categories, eq(categories.id, quizzes.categoryId))
    .innerJoin(
      quizPolicies,
      and(eq(quizPolicies.quizId, quizzes.id), eq(quizPolicies.version, quizzes.policyVersion)),
    );
}

/** `isQuizOpen` as a condition: for someone in a group, if not for all. */
export function isOpen(now: Date): SQL {
  const at = now.toISOString();
  const later = `$[*].window ? (@.startBy > "${at}"
    || (!exists(@.startBy) && (@.endDate == null || @.endDate > "${at}")))`;
  const lastStart = sql`coalesce(${quizzes.startBy}, ${quizzes.endDate})`;
  const open = and(
    isNull(quizzes.archivedAt),
    quizzes.isActive,
    or(
      isNull(lastStart),
      sql`${lastStart} > ${at}::timestamptz`,
      sql`coalesce(${quizzes.timeRules} @? ${later}::jsonpath, false)`,
    ),
  );
  return open ?? sql`true`;
}

/** The same for the person of a row of `invitations` joined with `quizzes`. */
export function isOpenToInvited(now: Date): SQL {
  const open = and(
    isNull(quizzes.archivedAt),
    quizzes.isActive,
    or(isNull(LAST_START), gt(LAST_START, now)),
  );
  return open ?? sql`true`;
}

export function listQuizzes(db: Queryable, reach: Reach): Promise<QuizView[]> {
  return selectQuizzes(db)
    .where(and(isNull(quizzes.archivedAt), quizWithin(reach)))
    .orderBy(desc(quizzes.createdAt), desc(quizzes.id));
}

/** A quiz by id, archived ones included. */
export async function findQuiz(db: Queryable, id: string): Promise<QuizView | undefined> {
  const [row] = await listQuizzesById(db, [id]);
  return row;
}

/** A quiz with the times of one of its invitations, archived ones included. */
export async function findQuizFor(
  db: Queryable,
  { quizId, invitationId }: { quizId: string; invitationId: string },
): Promise<QuizView | undefined> {
  const quiz = await findQuiz(db, quizId);
  const times = await findTimes(db, invitationId);
  return quiz && times && withTimesOf(quiz, times);
}

/** Several by id, archived ones included. */
export function listQuizzesById(db: Queryable, ids: string[]): Promise<QuizView[]> {
  return prepared(db, 'quizzes', (on) =>
    selectQuizzes(on).where(sql`${quizzes.id} = any (${sql.placeholder('ids')}::uuid[])`),
  ).execute({ ids });
}

/** Locks a quiz that is not archived: `update` to change it, `share` to rely on it. */
export async function lockQuiz(
  tx: Tx,
  id: string,
  strength: 'update' | 'share',
): Promise<QuizRow | undefined> {
  const statement = prepared(tx, `lock-quiz-${strength}`, (on) =>
    on
      .select()
      .from(quizzes)
      .where(and(eq(quizzes.id, sql.placeholder('id')), isNull(quizzes.archivedAt)))
      .for(strength),
  );
  const [row] = await statement.execute({ id });
  return row;
}

/** The same for what is about its results, which outlive it: an archived one, too. */
export async function lockQuizOfResults(
  tx: Tx,
  id: string,
  strength: 'update' | 'share',
): Promise<QuizRow | undefined> {
  const [row] = await tx.select().from(quizzes).where(eq(quizzes.id, id)).for(strength);
  return row;
}

/** The given quizzes that are neither archived nor being changed, locked against changes. */
export async function lockFreeQuizzes(tx: Tx, ids: string[]): Promise<QuizRow[]> {
  return prepared(tx, 'lock-free-quizzes', (on) =>
    on
      .select()
      .from(quizzes)
      .where(
        and(
          sql`${quizzes.id} = any (${sql.placeholder('ids')}::uuid[])`,
          isNull(quizzes.archivedAt),
        ),
      )
      .orderBy(asc(quizzes.id))
      .for('share', { skipLocked: true }),
  ).execute({ ids });
}

export async function insertQuiz(tx: Tx, row: QuizRow): Promise<void> {
  await tx.insert(quizzes).values(row);
}

/** Returns the invitations whose times change with it. */
export async function updateQuiz(
  tx: Tx,
  id: string,
  set: Partial<QuizRow>,
): Promise<ScheduleChange[]> {
  await tx.update(quizzes).set(set).where(eq(quizzes.id, id));
  return storeSchedules(tx, { quizId: id });
}

/** Stores the starts that were given; the times of invitations do not depend on them. */
export async function setCommonStarts(
  tx: Tx,
  id: string,
  commonStarts: NonNullable<QuizRow['commonStarts']>,
): Promise<void> {
  await tx.update(quizzes).set({ commonStarts }).where(eq(quizzes.id, id));
}

export async function insertPolicy(
  tx: Tx,
  policy: typeof quizPolicies.$inferInsert,
): Promise<void> {
  await tx.insert(quizPolicies).values(policy);
}

/** Whether anyone is taking this assessment right now. */
export async function hasRunningAttempts(tx: Tx, quizId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.quizId, quizId), eq(participants.status, 'in_progress')))
    .limit(1);
  return rows.length === 1;
}

/** Whether anyone has taken a quiz again by its rule. */
export async function hasBeenRetaken(tx: Tx, quizId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.quizId, quizId), eq(participants.replacedHow, 'retake')))
    .limit(1);
  return rows.length === 1;
}

/** One version of a quiz's policy, as it was stored. */
export async function getPolicy(
  db: Queryable,
  quizId: string,
  version: number,
): Promise<typeof quizPolicies.$inferSelect> {
  return onlyRow(
    await db
      .select()
      .from(quizPolicies)
      .where(and(eq(quizPolicies.quizId, quizId), eq(quizPolicies.version, version))),
  );
}

/** How many attempts a quiz has had, replaced ones included. */
export const countAttempts = (db: Queryable, quizId: string): Promise<number> =>
  db.$count(participants, eq(participants.quizId, quizId));
