import type { ErrorIssue } from '@invigil/core/contract/definition/errors';
import { acceptsSaves, compareSave, endsTooEarly } from '@invigil/core/domain/attempt';
import { isBlank } from '@invigil/core/domain/questions/scoring';
import type { AppContext } from '../../../app-context.ts';
import { ALONE, Batches } from '../../../db/batches.ts';
import { inBatch, inTransaction, type Tx } from '../../../db/database.ts';
import { isDatabaseAway, timeoutOf } from '../../../db/database-away.ts';
import {
  listAnswersOf,
  type StoredAnswer,
  writeAnswers,
} from '../../../db/queries/attempts/answers.ts';
import {
  findParticipant,
  listParticipantsById,
  type ParticipantView,
} from '../../../db/queries/attempts/attempts.ts';
import { lockFreeParticipants, lockParticipant } from '../../../db/queries/attempts/locks.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { type MatchedAnswer, matchAnswers, type WireAnswer } from '../answers/match-answers.ts';
import { keepLate } from '../answers/save-answers.ts';
import { isOwn } from '../is-own.ts';
import { presentOwnParticipant, presentSummary } from '../present.ts';
import { makeReceipt } from '../receipts/make-receipt.ts';
import type { AttemptSubmits, Ended, Submission } from './attempt-work.ts';
import { closeParticipants } from './close-participants.ts';

/** What a browser sends at the end: unsaved rows, and whether the clock ended the attempt. */
export interface Submit {
  answers: readonly (WireAnswer & { participantId?: string | undefined })[];
  participant?:
    | { submissionType?: string | undefined; deadlineAt?: string | undefined }
    | undefined;
}

type Context = Pick<AppContext, 'config' | 'db' | 'keys' | 'trust'>;

/** Most attempts that end in one commit: some 2,000 answers to score. */
const MOST_SUBMITS = 50;
/** A page retries after 15 s at the latest. */
const TIMEOUT_MS = 12_000;

/** Submits in group commits, as many candidates submit at the deadline. */
export function openAttemptSubmits(ctx: Context): AttemptSubmits {
  const batches = new Batches<Submission, Ended | undefined>({
    keyOf: ({ participantId }) => participantId,
    most: MOST_SUBMITS,
    isForAll: isDatabaseAway,
    timeout: timeoutOf(TIMEOUT_MS, 'a submit waited too long'),
    run: (submissions) => inBatch(ctx.db, (tx) => endMany(tx, ctx, submissions)),
    alone: (submission) => inTransaction(ctx.db, (tx) => endOne(tx, ctx, submission)),
  });
  return { submit: (submission) => batches.add(submission) };
}

/**
 * A set of saves plus one transition (I9). The first call ends the attempt; every later one gets the same
 * answer and changes nothing (I10). Answers that arrive after the end are stored separately.
 *
 * `late` counts rows that came after the end and would have changed something. It is not part of the
 * body, which is the same at every call.
 *
 * Throws NOT_FOUND, INVALID_INPUT, REVISION_CONFLICT, SESSION_REPLACED, TIME_LEFT.
 */
export async function submitParticipant(
  ctx: Pick<AppContext, 'attemptSubmits' | 'db' | 'keys' | 'papers'>,
  session: ParticipantSession,
  participantId: string,
  { answers: rows, participant: claimed }: Submit,
  now: Date,
) {
  const foreign = rows.some((r) => (r.participantId ?? participantId) !== participantId);
  const paper = await ctx.papers.find(participantId);
  if (foreign || !isOwn(session, paper)) throw new AppError('NOT_FOUND');
  const matched = matchAnswers(paper, rows);
  const isAuto = claimed?.submissionType === 'auto';
  const { deadlineAt } = claimed ?? {};
  const knownDeadlineAt = isAuto && deadlineAt !== undefined ? new Date(deadlineAt) : null;
  const sessionId = session.id;
  const submission = { participantId, sessionId, matched, isAuto, knownDeadlineAt, now };
  const ended = await ctx.attemptSubmits.submit(submission);
  if (ended) return { body: await presentEnd(ctx, ended), late: 0 };
  const late = await keepLate(ctx, participantId, matched, now);
  const attempt = await getOwn(ctx.db, participantId);
  const answers = await listAnswersOf(ctx.db, [participantId]);
  return { body: await presentEnd(ctx, { attempt, answers }), late };
}

/** Submits without an obstacle; those refused, late or locked by others are left to `endOne`. */
async function endMany(
  tx: Tx,
  ctx: Pick<AppContext, 'config' | 'keys' | 'trust'>,
  submissions: Submission[],
): Promise<(Ended | typeof ALONE)[]> {
  const ids = submissions.map(({ participantId }) => participantId);
  const locked = await listParticipantsById(tx, await lockFreeParticipants(tx, ids));
  const attempts = new Map(locked.map((attempt) => [attempt.id, attempt]));
  const bringing = submissions.filter(({ matched }) => matched.length > 0);
  const stored = await readStored(tx, bringing);
  const taken = submissions.flatMap((submission) => {
    const attempt = attempts.get(submission.participantId);
    const isPlain =
      attempt !== undefined &&
      isTaken(attempt, submission) &&
      !hasTimeLeft(attempt, submission) &&
      !clashes(submission, stored);
    return isPlain ? [{ submission, attempt }] : [];
  });
  const ended = await endTaken(tx, ctx, taken, stored);
  return submissions.map(({ participantId }) => ended.get(participantId) ?? ALONE);
}

/** Any submit, with every rule: also those that wait for a lock, are late, or are refused. */
async function endOne(
  tx: Tx,
  ctx: Pick<AppContext, 'config' | 'keys' | 'trust'>,
  submission: Submission,
): Promise<Ended | undefined> {
  const { participantId, sessionId, now } = submission;
  await lockParticipant(tx, participantId);
  const attempt = await getOwn(tx, participantId);
  if (attempt.status !== 'in_progress') return undefined;
  if (attempt.sessionId !== sessionId) throw new AppError('SESSION_REPLACED');
  if (!isTaken(attempt, submission)) {
    await closeParticipants(tx, ctx, [{ attempt, how: 'due', now }]);
    return undefined;
  }
  if (hasTimeLeft(attempt, submission)) throw new AppError('TIME_LEFT');
  const stored = await readStored(tx, [submission]);
  const issues = clashes(submission, stored);
  if (issues) throw new AppError('REVISION_CONFLICT', { issues });
  return (await endTaken(tx, ctx, [{ submission, attempt }], stored)).get(participantId);
}

function isTaken(attempt: ParticipantView, { sessionId, now }: Submission): boolean {
  const isHeld = attempt.replacedAt === null && attempt.sessionId === sessionId;
  return isHeld && acceptsSaves(attempt.status, attempt.closeAt, now);
}

function hasTimeLeft(attempt: ParticipantView, { knownDeadlineAt, now }: Submission): boolean {
  return knownDeadlineAt !== null && endsTooEarly(attempt, knownDeadlineAt, now);
}

/** The stored answers of attempts, by attempt and question. */
type Stored = Map<string, Map<string, StoredAnswer>>;

async function readStored(tx: Tx, submissions: readonly Submission[]): Promise<Stored> {
  if (submissions.length === 0) return new Map();
  const rows = await listAnswersOf(
    tx,
    submissions.map(({ participantId }) => participantId),
  );
  const grouped = Map.groupBy(rows, (row) => row.participantId);
  return new Map(
    [...grouped].map(([id, answers]) => [id, new Map(answers.map((a) => [a.questionId, a]))]),
  );
}

function verdictsOf({ participantId, matched }: Submission, stored: Stored) {
  const own = stored.get(participantId);
  return matched.map((m) => compareSave(own?.get(m.questionId) ?? null, m));
}

/** The rows whose revision is stored with other content; any of them refuses the whole submit. */
function clashes(submission: Submission, stored: Stored): ErrorIssue[] | undefined {
  const issues = verdictsOf(submission, stored).flatMap((verdict, i) =>
    verdict === 'conflict'
      ? [{ path: `answers.${i}`, message: 'Changed somewhere else at this revision' }]
      : [],
  );
  return issues.length === 0 ? undefined : issues;
}

/** Applies the rows of submits by the revision rule and ends their attempts, which are locked. */
async function endTaken(
  tx: Tx,
  ctx: Pick<AppContext, 'config' | 'keys' | 'trust'>,
  taken: readonly { submission: Submission; attempt: ParticipantView }[],
  stored: Stored,
): Promise<Map<string, Ended>> {
  if (taken.length === 0) return new Map();
  await writeAnswers(
    tx,
    taken.flatMap(({ submission }) => newsOf(submission, stored)),
  );
  await closeParticipants(
    tx,
    ctx,
    taken.map(({ submission, attempt }) => ({
      attempt,
      how: howItEnds(attempt, submission),
      now: submission.now,
    })),
  );
  const ids = taken.map(({ attempt }) => attempt.id);
  const answers = Map.groupBy(await listAnswersOf(tx, ids), (row) => row.participantId);
  const attempts = await listParticipantsById(tx, ids);
  return new Map(
    attempts.map((attempt) => [attempt.id, { attempt, answers: answers.get(attempt.id) ?? [] }]),
  );
}

function newsOf(submission: Submission, stored: Stored) {
  const { participantId, matched, now } = submission;
  const verdicts = verdictsOf(submission, stored);
  const news = matched.filter((m, i) => verdicts[i] === 'write' && !isEmptyFirst(m));
  return news.map((m) => ({ ...m, participantId, now, revision: m.revision ?? 1 }));
}

/** A blank without a revision where nothing is stored means nothing; the seed sends such rows. */
function isEmptyFirst(m: MatchedAnswer): boolean {
  return m.revision === null && isBlank(m) && !m.isFlagged;
}

function howItEnds(attempt: ParticipantView, { isAuto, now }: Submission) {
  // In the second after a limit is reached a submit adds answers but does not avoid the dismissal (I15).
  if (attempt.closeReason === 'dismissed') return 'due';
  return isAuto && now >= attempt.deadlineAt ? 'auto' : 'manual';
}

async function getOwn(
  db: Parameters<typeof findParticipant>[0],
  id: string,
): Promise<ParticipantView> {
  const attempt = await findParticipant(db, id);
  if (!attempt || attempt.replacedAt !== null) throw new AppError('NOT_FOUND');
  return attempt;
}

/** The same body at every call: its times are those of the end. */
async function presentEnd(ctx: Pick<AppContext, 'keys' | 'papers'>, { attempt, answers }: Ended) {
  if (attempt.submittedAt === null || attempt.receiptId === null) {
    throw new Error('a submitted attempt has not ended');
  }
  return {
    participant: presentOwnParticipant(attempt, attempt.submittedAt),
    summary: presentSummary(attempt),
    receipt: { id: attempt.receiptId, signed: (await makeReceipt(ctx, attempt, answers)).signed },
  };
}
