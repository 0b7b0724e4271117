import {
  acceptsSaves,
  compareSave,
  endsTooEarly,
  type SaveVerdict,
} from '@invigil/core/domain/attempt';
import { isBlank } from '@invigil/core/domain/questions/given-answer';
import { isSetAside } from '@invigil/core/domain/retakes';
import type { AttemptContext, BaseContext } from '../../../app-context.ts';
import { ALONE, Batches } from '../../../db/batches.ts';
import { inBatch, type Tx } from '../../../db/database.ts';
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
import { inTransaction } from '../../../db/transaction.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { type MatchedAnswer, matchAnswers, type WireAnswer } from '../answers/match-answers.ts';
import { clashIssues, storeLate } from '../answers/save-answers.ts';
import { isOwn } from '../own-attempt.ts';
import { presentOwnParticipant, presentSummary } from '../present.ts';
import { makeReceipt, requireReceipt } from '../receipts.ts';
import type { AttemptSubmits, Ended, Submission } from './begin-attempts.ts';
import { closeParticipants } from './close-participants.ts';

/** The data that a browser sends at the end: unsaved rows, and whether the clock ended the attempt. */
export interface Submit {
  answers: readonly (WireAnswer & { participantId?: string | undefined })[];
  participant?:
    | { submissionType?: string | undefined; deadlineAt?: string | undefined }
    | undefined;
  focused?: readonly number[] | undefined;
}

type Closer = Pick<BaseContext, 'config' | 'keys' | 'trust'>;

/** Most attempts that end in one commit: some 2,000 answers to score. */
const MOST_SUBMITS = 50;
/** A page retries after 15 s at the latest. */
const TIMEOUT_MS = 12_000;

/** Submits in group commits, as many candidates submit at the deadline. */
export function openAttemptSubmits(ctx: Closer & Pick<BaseContext, 'db'>): AttemptSubmits {
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
 * Throws NOT_FOUND, INVALID_INPUT, REVISION_CONFLICT, SESSION_REPLACED, TIME_LEFT; CHANGED_OUTSIDE at a later
 * call.
 */
export async function submitParticipant(
  ctx: Pick<AttemptContext, 'attemptSubmits' | 'db' | 'keys' | 'papers' | 'trust'>,
  session: ParticipantSession,
  participantId: string,
  { answers: rows, participant: claimed, focused }: Submit,
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
  const submission = { participantId, sessionId, matched, isAuto, knownDeadlineAt, focused, now };
  const ended = await ctx.attemptSubmits.submit(submission);
  if (ended) {
    const { attempt, answers } = ended;
    return { body: presentEnd(attempt, await makeReceipt(ctx, attempt, answers)), late: 0 };
  }
  const late = await storeLate(ctx, participantId, matched, now);
  const attempt = await findParticipant(ctx.db, participantId);
  if (!attempt || isSetAside(attempt)) throw new AppError('NOT_FOUND');
  return { body: presentEnd(attempt, await requireReceipt(ctx, attempt)), late };
}

/** Submits that simply end; those refused, late or locked by others are left to `endOne`. */
async function endMany(
  tx: Tx,
  ctx: Closer,
  submissions: Submission[],
): Promise<(Ended | typeof ALONE)[]> {
  const ids = submissions.map(({ participantId }) => participantId);
  const evaluated = await evaluate(tx, submissions, await lockFreeParticipants(tx, ids));
  const ended = await end(
    tx,
    ctx,
    evaluated.filter(({ verdict }) => verdict === 'ends'),
  );
  return ids.map((id) => ended.get(id) ?? ALONE);
}

/** Any submit: also those that wait for a lock, are late, or are refused. */
async function endOne(tx: Tx, ctx: Closer, submission: Submission): Promise<Ended | undefined> {
  const { participantId, now } = submission;
  await lockParticipant(tx, participantId);
  const evaluated = await evaluate(tx, [submission], [participantId]);
  const [{ verdict, attempt } = { verdict: new AppError('NOT_FOUND') }] = evaluated;
  if (verdict instanceof AppError) throw verdict;
  if (verdict === 'ends') return (await end(tx, ctx, evaluated)).get(participantId);
  if (verdict === 'due' && attempt)
    await closeParticipants(tx, ctx, [{ attempt, how: 'due', now }]);
  return undefined;
}

/** A submit of a locked attempt: whether it ends it, came after the end or the due time, or is refused. */
interface Evaluated {
  submission: Submission;
  attempt: ParticipantView;
  verdicts: readonly SaveVerdict[];
  verdict: 'ends' | 'ended' | 'due' | AppError;
}

/** Evaluates submits by every rule; those of attempts that this transaction has not locked are missing. */
async function evaluate(tx: Tx, submissions: Submission[], locked: string[]): Promise<Evaluated[]> {
  const attempts = new Map((await listParticipantsById(tx, locked)).map((a) => [a.id, a]));
  const bringing = submissions.filter(({ matched }) => matched.length > 0);
  const stored = await readStored(
    tx,
    bringing.map(({ participantId }) => participantId),
  );
  return submissions.flatMap((submission) => {
    const { participantId, matched } = submission;
    const attempt = attempts.get(participantId);
    if (!attempt) return [];
    const own = stored.get(participantId);
    const verdicts = matched.map((m) => compareSave(own?.get(m.questionId) ?? null, m));
    return [{ submission, attempt, verdicts, verdict: verdictOn(attempt, submission, verdicts) }];
  });
}

function verdictOn(
  attempt: ParticipantView,
  { sessionId, knownDeadlineAt, now }: Submission,
  verdicts: readonly SaveVerdict[],
): Evaluated['verdict'] {
  if (isSetAside(attempt)) return new AppError('NOT_FOUND');
  if (attempt.status !== 'in_progress') return 'ended';
  if (attempt.sessionId !== sessionId) return new AppError('SESSION_REPLACED');
  if (!acceptsSaves(attempt.status, attempt.closeAt, now)) return 'due';
  if (knownDeadlineAt !== null && endsTooEarly(attempt, knownDeadlineAt, now)) {
    return new AppError('TIME_LEFT');
  }
  const issues = clashIssues(verdicts.map((verdict) => verdict === 'conflict'));
  return issues.length > 0 ? new AppError('REVISION_CONFLICT', { issues }) : 'ends';
}

/** The stored answers of attempts, by attempt and question. */
async function readStored(tx: Tx, ids: string[]): Promise<Map<string, Map<string, StoredAnswer>>> {
  const rows = ids.length === 0 ? [] : await listAnswersOf(tx, ids);
  const grouped = Map.groupBy(rows, (row) => row.participantId);
  return new Map(
    [...grouped].map(([id, answers]) => [id, new Map(answers.map((a) => [a.questionId, a]))]),
  );
}

/** Applies the rows of submits by the revision rule and ends their attempts. */
async function end(
  tx: Tx,
  ctx: Closer,
  evaluated: readonly Evaluated[],
): Promise<ReadonlyMap<string, Ended>> {
  if (evaluated.length === 0) return new Map();
  await writeAnswers(tx, evaluated.flatMap(newsOf));
  return closeParticipants(
    tx,
    ctx,
    evaluated.map(({ submission, attempt }) => ({
      attempt,
      how: howItEnds(attempt, submission),
      focused: submission.focused,
      now: submission.now,
    })),
  );
}

function newsOf({ submission: { participantId, matched, now }, verdicts }: Evaluated) {
  const news = matched.filter((m, i) => verdicts[i] === 'write' && !isEmptyFirst(m));
  return news.map((m) => ({ ...m, participantId, now, revision: m.revision ?? 1 }));
}

/**
 * A blank without a revision where nothing is stored means nothing; the specification's client sends such
 * rows.
 */
function isEmptyFirst(m: MatchedAnswer): boolean {
  return m.revision === null && isBlank(m) && !m.isFlagged;
}

function howItEnds(attempt: ParticipantView, { isAuto, now }: Submission) {
  // A submit in the second after a limit is reached adds answers but does not avoid the dismissal (I15).
  if (attempt.closeReason === 'dismissed') return 'due';
  return isAuto && now >= attempt.deadlineAt ? 'auto' : 'manual';
}

/** The same body at every call: its times are those of the end. */
function presentEnd(attempt: ParticipantView, { signed }: { signed: string }) {
  if (attempt.submittedAt === null || attempt.receiptId === null) {
    throw new Error('a submitted attempt has not ended');
  }
  return {
    participant: presentOwnParticipant(attempt, attempt.submittedAt),
    summary: presentSummary(attempt),
    receipt: { id: attempt.receiptId, signed },
  };
}
