import { isDeepStrictEqual } from 'node:util';
import { nameOf } from '@invigil/core/domain/people';
import {
  type ReleaseCourse,
  type ReleasedResult,
  resultOf,
  type StoredResult,
} from '@invigil/core/domain/results/outcome';
import {
  holdOf,
  keyPartsOf,
  type LatePart,
  openDecision,
  openUntil,
  type ReleasedPart,
  type ReleaseRules,
  waitingParts,
  waitOf,
} from '@invigil/core/domain/results/release';
import { widestWindow } from '@invigil/core/domain/schedule';
import type { BaseContext } from '../../app-context.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import {
  findReleasable,
  findReleaseOfInvited,
  insertReleases,
  isAnyUnderWay,
  lockReleasable,
  lockReleases,
  lockRulesOf,
  noteReleases,
  type ReleasableRow,
  type ReleaseRow,
} from '../../db/queries/attempts/releases.ts';
import { isSessionForTakingOnly } from '../../db/queries/codes.ts';
import { findQuiz, type QuizView } from '../../db/queries/quizzes.ts';
import type { ParticipantSession } from '../../db/queries/sessions.ts';
import { findSmtpSettings } from '../../db/queries/smtp-settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { resultReleased } from '../../deliveries/mails/result-released.ts';
import { queueMail } from '../../deliveries/queue-mail.ts';
import { requireInstitution } from '../../trust/institution.ts';
import {
  ASSESSMENTS,
  isGenuine,
  listGenuine,
  PEOPLE,
  RELEASES,
  readGenuine,
} from '../../trust/row-kinds.ts';
import { changeSealed, RESULTS } from '../../trust/sealed-kinds.ts';
import { isQuizOpen } from '../assessments/present-quiz.ts';

type Context = Pick<BaseContext, 'config' | 'keys' | 'trust'>;

/** Whether candidates can learn by mail that their result is there. */
export const canMail = async (db: Queryable): Promise<boolean> =>
  (await findSmtpSettings(db))?.isActive === true;

/** Whether what was released last is no longer the result. */
export const hasChanged = (
  row: Pick<ReleasableRow, 'released' | 'resultRules' | keyof StoredResult>,
): boolean =>
  row.released !== null && !isDeepStrictEqual(row.released, resultOf(row, row.resultRules));

/** An attempt with the name of its person. */
interface GenuineRow extends ReleasableRow {
  sealedName: string;
}

/**
 * Attempts of which nothing was changed outside of Invigil that a release or a certificate says: their
 * results, what was answered, the rules of their assessment, and who took it, with title, rules, address and
 * name as checked. The others are reported. Call it with the attempts locked.
 */
export async function onlyGenuine(
  ctx: Context,
  db: Queryable,
  rows: readonly ReleasableRow[],
): Promise<GenuineRow[]> {
  const quizIds = rows.map(({ quizId }) => quizId);
  const quizzes = await readGenuine(ctx, db, ASSESSMENTS, quizIds);
  const left = rows.filter(({ quizId }) => quizzes.has(quizId));
  const userIds = left.map(({ userId }) => userId);
  const people = await readGenuine(ctx, db, PEOPLE, userIds);
  const some = left.flatMap((row) => {
    const quiz = quizzes.get(row.quizId);
    const person = people.get(row.userId);
    if (!quiz || !person) return [];
    const { title, resultRules, releaseRules } = quiz;
    const { endDate } = widestWindow(quiz);
    const { email } = person;
    const sealed = { title, resultRules, releaseRules, endDate, email };
    return [{ ...row, ...sealed, sealedName: nameOf(person) }];
  });
  const ids = some.map(({ id }) => id);
  const genuine = await listGenuine(ctx, db, RESULTS, ids);
  return some.filter(({ id }) => genuine.has(id));
}

/**
 * Locks attempts, releases the results of those that are due and queues a mail to each candidate. Those whose
 * released result is still the same are left out, and those that were changed outside of Invigil.
 *
 * @param by the administrator; null: by its rule
 * @returns whose
 */
async function release(
  tx: Tx,
  ctx: Context,
  ids: readonly string[],
  { by, isDue }: { by: string | null; isDue: (row: ReleasableRow) => boolean },
  now: Date,
): Promise<string[]> {
  await lockRulesOf(tx, ids);
  const rows = await lockReleasable(tx, ids);
  const isWanted = (row: ReleasableRow) =>
    row.releaseRules !== null && (!row.released || hasChanged(row)) && isDue(row);
  const due = (await onlyGenuine(ctx, tx, rows.filter(isWanted))).filter(isWanted);
  if (due.length === 0) return [];
  // After the one it replaces, whose process may have had a clock that is ahead.
  const stampOf = ({ lastReleasedAt }: Pick<ReleasableRow, 'lastReleasedAt'>) =>
    new Date(Math.max(now.getTime(), (lastReleasedAt?.getTime() ?? 0) + 1));
  await insertReleases(
    tx,
    due.map((row) =>
      RELEASES.sealed(ctx.keys.integrity, {
        ...{ id: newId(), participantId: row.id, releasedAt: stampOf(row), releasedBy: by },
        result: resultOf(row, row.resultRules),
      }),
    ),
  );
  const { publicUrl, timeZone } = await requireInstitution(ctx, tx);
  const keyWaits = await listKeyWaits(tx, due, now);
  const messages = due.flatMap(({ email, invitationId, title, releaseRules, endDate, ...row }) => {
    if (email === null || releaseRules === null) return [];
    const params = {
      keyFollows: keyWaits.has(row.quizId),
      ...{ name: nameOf(row), title, isCorrected: row.released !== null },
      until: openUntil(stampOf(row), releaseRules, endDate).toISOString(),
    };
    return {
      ...{ recipient: email, invitationId, params: { ...params, publicUrl, timeZone } },
      language: row.language ?? undefined,
    };
  });
  await queueMail(tx, ctx, publicUrl, resultReleased, messages, now);
  return due.map(({ id }) => id);
}

/** The assessments of some attempts whose answers wait for the end. */
async function listKeyWaits(tx: Tx, rows: readonly ReleasableRow[], now: Date) {
  const waits = new Set<string>();
  for (const id of new Set(rows.map(({ quizId }) => quizId))) {
    const quiz = await findQuiz(tx, id);
    if (
      quiz?.releaseRules &&
      (await shownOf(tx, quiz, quiz.releaseRules, now)).waiting.length > 0
    ) {
      waits.add(id);
    }
  }
  return waits;
}

/** Releases by hand. Without names only what nothing is open about. Returns whose. */
export async function releaseByHand(
  tx: Tx,
  ctx: Context,
  ids: readonly string[],
  { isNamed, by }: { isNamed: boolean; by: string },
  now: Date,
): Promise<string[]> {
  const isDue = (row: ReleasableRow) => {
    const open = openDecision(row);
    return isNamed ? open !== 'running' && open !== 'revoked' : open === null;
  };
  return release(tx, ctx, ids, { by, isDue }, now);
}

/** Releases what its rule says by now, for the periodic job. */
export async function releaseDue(
  ctx: Pick<BaseContext, 'db'> & Context,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await inTransaction(ctx.db, async (tx) => {
    const isOn = await canMail(tx);
    const isDue = (row: ReleasableRow) =>
      row.released === null &&
      row.releaseRules !== null &&
      holdOf(row.releaseRules, row, now, isOn) === null;
    await release(tx, ctx, ids, { by: null, isDue }, now);
  });
}

/** A result that was released, or that the next run of the job releases: without an id. */
type GivenRelease = Pick<ReleaseRow, 'releasedAt'> & {
  id: string | null;
  result: ReleasedResult;
  course: ReleaseCourse;
};

/** A result that its candidate may see now. */
export interface OpenResult {
  /** The parts that are shown now, and the parts that wait for the end of the assessment. */
  parts: readonly ReleasedPart[];
  waiting: readonly LatePart[];
  release: GivenRelease;
  until: Date;
}

/**
 * Whether a session may read the result of an ended attempt: the one that took it, or one whose password opens
 * results. A password made by someone who may not see scores opens a session in which the next attempt can begin.
 */
export const mayReadResult = async (
  db: Queryable,
  session: ParticipantSession,
  attempt: { sessionId: string | null },
): Promise<boolean> =>
  attempt.sessionId === session.id || !(await isSessionForTakingOnly(db, session));

/** The result that a candidate may see of an ended attempt at this moment, by the one rule. */
export async function findOpenResult(
  ctx: { db: Queryable } & Context,
  id: string,
  quiz: QuizView | undefined,
  now: Date,
): Promise<OpenResult | null> {
  const given = await findGivenResult(ctx, id, quiz, now);
  return given && now <= given.until ? given : null;
}

/** The same, also after its time to be read. Nothing is shown of what was changed outside of Invigil. */
export async function findGivenResult(
  ctx: { db: Queryable } & Context,
  id: string,
  quiz: QuizView | undefined,
  now: Date,
): Promise<OpenResult | null> {
  const rules = quiz?.releaseRules ?? null;
  if (!quiz || rules === null) return null;
  const found = await findReleaseOfInvited(ctx.db, id);
  if (!found && waitOf(rules, now) !== null) return null;
  if (!isGenuine(ctx, ASSESSMENTS, quiz)) return null;
  if (found && !isGenuine(ctx, RELEASES, found)) return null;
  // A release that is stored counts, also where the clock of another process is ahead.
  const release = found ? givenBy(found) : await findDueResult(ctx, id, now);
  if (!release) return null;
  const until = openUntil(release.releasedAt, rules, widestWindow(quiz).endDate);
  return { release, until, ...(await shownOf(ctx.db, quiz, rules, now)) };
}

/** A stored release, with the result apart from what became of it. */
export function givenBy({
  id,
  releasedAt,
  result: { course = {}, ...result },
}: ReleaseRow): GivenRelease {
  return { id, releasedAt, result, course };
}

/** The parts of a released result that are shown now, and those that wait for the end of the assessment. */
export async function shownOf(
  db: Queryable,
  quiz: QuizView,
  rules: ReleaseRules,
  now: Date,
): Promise<Pick<OpenResult, 'parts' | 'waiting'>> {
  const canWait = waitingParts(rules, false).length > 0;
  const isOver = canWait && !isQuizOpen(quiz, now) && !(await isAnyUnderWay(db, quiz.id, now));
  const waiting = waitingParts(rules, isOver);
  return { waiting, parts: rules.parts.filter((part) => !waiting.some((one) => one === part)) };
}

/** Notes that a candidate has a released result before them, the first time with and without the key. */
export async function noteSeen(
  ctx: Pick<BaseContext, 'db' | 'keys'>,
  { release: { id, course }, parts }: OpenResult,
  hasAnswers: boolean,
  now: Date,
): Promise<void> {
  const hasKey =
    hasAnswers && parts.includes('answers') && keyPartsOf({ parts: [...parts] }).length > 0;
  if (id === null || (course.seenAt && (course.keySeenAt || !hasKey))) return;
  const at = now.toISOString();
  await inTransaction(ctx.db, async (tx) => {
    const ids = await lockReleases(tx, { releaseId: id });
    await changeSealed(tx, ctx.keys.integrity, RELEASES, ids, () =>
      noteReleases(tx, ids, { seenAt: at, ...(hasKey ? { keySeenAt: at } : {}) }),
    );
  });
}

/** The result that the next run of the job releases by its rule. Reading it writes nothing. */
async function findDueResult(
  ctx: { db: Queryable } & Context,
  id: string,
  now: Date,
): Promise<GivenRelease | null> {
  const row = await findReleasable(ctx.db, id);
  if (!row?.releaseRules) return null;
  if (holdOf(row.releaseRules, row, now, await canMail(ctx.db)) !== null) return null;
  const [genuine] = await onlyGenuine(ctx, ctx.db, [row]);
  if (!genuine) return null;
  const result = resultOf(genuine, genuine.resultRules);
  return { id: null, releasedAt: now, result, course: {} };
}
