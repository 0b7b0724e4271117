import type { ErrorIssue } from '@invigil/core/contract/definition/errors';
import { compareSave, remainingMs } from '@invigil/core/domain/attempt';
import { isBlank } from '@invigil/core/domain/questions/given-answer';
import type { AttemptContext, BaseContext } from '../../../app-context.ts';
import { listAnswers, storeLateAnswers } from '../../../db/queries/attempts/answers.ts';
import { findCurrentParticipant } from '../../../db/queries/attempts/attempts.ts';
import { lockParticipant } from '../../../db/queries/attempts/locks.ts';
import { findSessionEnd, type ParticipantSession } from '../../../db/queries/sessions.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { closed, isOwn } from '../own-attempt.ts';
import type { Paper } from '../paper-cache.ts';
import { answerText } from './answer-text.ts';
import type { AnswerChange } from './answer-writer.ts';
import { listAnswersFor, listLateAnswersOf } from './list-answers-for.ts';
import { type MatchedAnswer, matchAnswers, type WireAnswer } from './match-answers.ts';

type Change = WireAnswer & { revision: number };

/**
 * Saves changes, all or nothing. Steady state: paper and session are cached, and one shared statement
 * decides and writes.
 *
 * Throws NOT_FOUND, INVALID_INPUT, REVISION_CONFLICT, ATTEMPT_CLOSED, SESSION_REPLACED, NOT_SIGNED_IN.
 */
async function saveAnswers(
  ctx: AttemptContext,
  session: ParticipantSession,
  participantId: string,
  rows: readonly Change[],
  now: Date,
) {
  const paper = await ctx.papers.find(participantId);
  if (!isOwn(session, paper)) throw new AppError('NOT_FOUND');
  const matched = matchAnswers(paper, rows);
  const outcome = await ctx.answerWriter.save({
    participantId,
    sessionId: session.id,
    changes: matched.map((m, i) => ({ ...m, revision: rows[i]?.revision ?? 1 })),
    now,
  });
  if (outcome.kind === 'refused') throw await refusal(ctx, session, participantId, matched, now);
  if (outcome.kind === 'conflict') {
    throw new AppError('REVISION_CONFLICT', {
      issues: clashIssues(
        matched.map((m) =>
          outcome.unchanged.some((s) => s.questionId === m.questionId && s.revision === m.revision),
        ),
      ),
    });
  }
  const stale = outcome.unchanged.filter((stored) => isHigher(stored, matched));
  return {
    saved: matched.map((m) => ({ questionId: m.questionId, revision: m.revision ?? 1 })),
    ...(stale.length > 0 ? { stale: stale.map((s) => presentStored(paper, s)) } : {}),
    status: 'in_progress' as const,
    remainingMs: remainingMs(outcome.deadlineAt, now, outcome.pausedUntil),
    violationCount: outcome.violationCount,
  };
}

function isHigher(stored: AnswerChange, matched: readonly MatchedAnswer[]): boolean {
  const sent = matched.find((m) => m.questionId === stored.questionId);
  return sent?.revision != null && stored.revision > sent.revision;
}

/** The rows of a request whose revision is stored with other content; any of them refuses the whole. */
export function clashIssues(isClash: readonly boolean[]): ErrorIssue[] {
  return isClash.flatMap((clashes, i) =>
    clashes ? [{ path: `answers.${i}`, message: 'Changed somewhere else at this revision' }] : [],
  );
}

function presentStored(paper: Paper, stored: AnswerChange) {
  return {
    questionId: stored.questionId,
    revision: stored.revision,
    selectedOption: answerText(paper.byQuestion.get(stored.questionId), stored),
    isFlagged: stored.isFlagged,
  };
}

/** Why the gate refused. Answers that came after the end are stored as late first (I21). */
async function refusal(
  ctx: BaseContext,
  session: ParticipantSession,
  participantId: string,
  matched: readonly MatchedAnswer[],
  now: Date,
): Promise<AppError> {
  const attempt = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  if (attempt?.id !== participantId) return new AppError('NOT_FOUND');
  const end = await findSessionEnd(ctx.db, session.id, now);
  if (end === 'signed_out') return new AppError('NOT_SIGNED_IN');
  if (end !== null || (attempt.status === 'in_progress' && attempt.sessionId !== session.id)) {
    return new AppError('SESSION_REPLACED');
  }
  await storeLate(ctx, participantId, matched, now);
  return closed(attempt);
}

/**
 * Stores the late rows that would have changed something; a repetition is not late. Returns how many
 * there were.
 */
export async function storeLate(
  ctx: Pick<BaseContext, 'db'>,
  participantId: string,
  matched: readonly MatchedAnswer[],
  now: Date,
): Promise<number> {
  if (matched.length === 0) return 0;
  const stored = new Map((await listAnswers(ctx.db, participantId)).map((a) => [a.questionId, a]));
  const late = matched.filter((m) => {
    const current = stored.get(m.questionId) ?? null;
    if (m.revision === null && current === null && isBlank(m) && !m.isFlagged) return false;
    return compareSave(current, m) === 'write';
  });
  if (late.length === 0) return 0;
  await inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, participantId);
    await storeLateAnswers(tx, participantId, late, now);
  });
  return late.length;
}

export function answerHandlers(ctx: AttemptContext) {
  return {
    async saveAnswers({ params, body, session, now }) {
      const saved = await saveAnswers(ctx, session, params.id, body.answers, now);
      if (body.monitor !== undefined) {
        recordMonitor(ctx, { participantId: params.id, sessionId: session.id, now });
      }
      return saved;
    },
    listAnswers: ({ params, session, now }) => listAnswersFor(ctx, session, params.id, now),
    listLateAnswers: ({ params }) => listLateAnswersOf(ctx, params.id),
  } satisfies Handlers;
}

/**
 * Records that a save carried a monitor report. Not awaited: the answers are stored already, and a
 * failure here would make the browser send them again. The next heartbeat repeats what is lost.
 */
function recordMonitor(
  ctx: Pick<AttemptContext, 'heartbeats' | 'log'>,
  save: { participantId: string; sessionId: string; now: Date },
): void {
  ctx.heartbeats.record({ ...save, isMonitored: true }).catch((err: unknown) => {
    ctx.log.warn({ err, participant: save.participantId }, 'a monitor report was not recorded');
  });
}
