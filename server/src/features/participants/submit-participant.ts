import { acceptsSaves, judgeSave } from '@invigil/core/domain/attempt';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction, type Tx } from '../../db/database.ts';
import { type MatchedAnswer, matchAnswers, type WireAnswer } from '../answers/match-answers.ts';
import { listAnswers, writeAnswers } from '../answers/queries.ts';
import { keepLate } from '../answers/save-answers.ts';
import type { ParticipantSession } from '../auth/session-queries.ts';
import { makeReceipt } from '../receipts/make-receipt.ts';
import { closeParticipants } from './close-participants.ts';
import { presentOwnParticipant, presentSummary } from './present.ts';
import { findParticipant, lockParticipant, type ParticipantView } from './queries.ts';

/** What a browser sends at the end: unsaved rows, and whether it was the clock that ended it. */
export interface Submit {
  answers: readonly (WireAnswer & { participantId?: string | undefined })[];
  participant?: { submissionType?: string | undefined } | undefined;
}

/**
 * A set of saves plus one transition (I9). Whoever comes first ends the attempt; everybody after
 * gets the same answer and changes nothing (I10). What arrives after the end is kept apart.
 *
 * `late` tells how many rows came after the end and would have changed something. It is not part of the
 * body, which is the same at every call.
 *
 * Throws NOT_FOUND, INVALID_INPUT, REVISION_CONFLICT, SESSION_REPLACED.
 */
export async function submitParticipant(
  ctx: AppContext,
  session: ParticipantSession,
  participantId: string,
  { answers: rows, participant: claimed }: Submit,
  now: Date,
) {
  const foreign = rows.some((r) => (r.participantId ?? participantId) !== participantId);
  const paper = await ctx.papers.find(participantId);
  if (foreign || paper?.userId !== session.userId || paper.quizId !== session.quizId) {
    throw new AppError('NOT_FOUND');
  }
  const matched = matchAnswers(paper, rows);
  const taken = await inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, participantId);
    const attempt = await getOwn(tx, participantId);
    if (attempt.status !== 'in_progress') return false;
    if (attempt.sessionId !== session.id) throw new AppError('SESSION_REPLACED');
    if (!acceptsSaves(attempt.status, attempt.closeAt, now)) {
      await closeParticipants(tx, ctx, [attempt], 'due', now);
      return false;
    }
    await mergeAnswers(tx, participantId, matched, now);
    const timeIsUp = claimed?.submissionType === 'auto' && now >= attempt.deadlineAt;
    // In the second after a limit was reached a submit brings answers, and no way out (I15).
    const isDismissed = attempt.closeReason === 'dismissed';
    const how = isDismissed ? 'due' : timeIsUp ? 'auto' : 'manual';
    await closeParticipants(tx, ctx, [attempt], how, now);
    return true;
  });
  const late = taken ? 0 : await keepLate(ctx, participantId, matched, now);
  const body = await presentEnd(ctx, await getOwn(ctx.db, participantId));
  return { body, late };
}

async function getOwn(
  db: Parameters<typeof findParticipant>[0],
  id: string,
): Promise<ParticipantView> {
  const attempt = await findParticipant(db, id);
  if (!attempt || attempt.replacedAt !== null) throw new AppError('NOT_FOUND');
  return attempt;
}

/** Applies the submit's rows by the revision rule; all or nothing on a conflict. */
async function mergeAnswers(
  tx: Tx,
  participantId: string,
  matched: readonly MatchedAnswer[],
  now: Date,
): Promise<void> {
  const stored = new Map((await listAnswers(tx, participantId)).map((a) => [a.questionId, a]));
  const verdicts = matched.map((m) => judgeSave(stored.get(m.questionId) ?? null, m));
  const issues = verdicts.flatMap((verdict, i) =>
    verdict === 'conflict'
      ? [{ path: `answers.${i}`, message: 'Changed somewhere else at this revision' }]
      : [],
  );
  if (issues.length > 0) throw new AppError('REVISION_CONFLICT', { issues });
  const news = matched.filter((m, i) => verdicts[i] === 'write' && !isEmptyFirst(m));
  await writeAnswers(
    tx,
    participantId,
    news.map((m) => ({ ...m, revision: m.revision ?? 1 })),
    now,
  );
}

/** A blank without a revision where nothing is stored says nothing; the seed sends such rows. */
function isEmptyFirst(m: MatchedAnswer): boolean {
  return m.revision === null && m.optionId === null && !m.isFlagged;
}

/** The same body at every call: its times are those of the end. */
async function presentEnd(ctx: AppContext, attempt: ParticipantView) {
  if (attempt.submittedAt === null || attempt.receiptId === null) {
    throw new Error('a submitted attempt has not ended');
  }
  return {
    participant: presentOwnParticipant(attempt, attempt.submittedAt),
    summary: presentSummary(attempt),
    receipt: { id: attempt.receiptId, signed: (await makeReceipt(ctx, ctx.db, attempt)).signed },
  };
}
