import type { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { type ReleaseRules, waitOf } from '@invigil/core/domain/results/release';
import type { Retake } from '@invigil/core/domain/retakes';
import { reachedLimit } from '@invigil/core/domain/violations/violation-counting';
import { isCountingType, levelOf } from '@invigil/core/domain/violations/violation-types';
import type { AttemptContext, BaseContext } from '../../app-context.ts';
import { findParticipant, type ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { listParticipantEvents } from '../../db/queries/attempts/events.ts';
import { listMessages } from '../../db/queries/attempts/messages.ts';
import {
  listViolations,
  readTally,
  type ViolationRow,
} from '../../db/queries/attempts/violations.ts';
import type { QuizView } from '../../db/queries/quizzes.ts';
import { findQuiz, findQuizFor } from '../../db/queries/quizzes.ts';
import type { ParticipantSession } from '../../db/queries/sessions.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { isOwn } from './own-attempt.ts';
import { presentSummary } from './present.ts';
import { requireReceipt } from './receipts.ts';
import { findGivenResult } from './release-results.ts';
import { findRetake } from './start-and-end/retakes.ts';
import { noteAfterEnd, noteToken } from './violations/note-violation.ts';
import { presentType } from './violations/present.ts';
import { rulesOf } from './violations/report-violation.ts';

/** An attempt of the session after its end. Throws NOT_FOUND, STILL_RUNNING, CHANGED_OUTSIDE. */
async function readEndedAttempt(
  ctx: AttemptContext,
  session: ParticipantSession,
  id: string,
  now: Date,
): Promise<EndedAttempt> {
  const attempt = await findParticipant(ctx.db, id);
  if (!isOwn(session, attempt)) throw new AppError('NOT_FOUND');
  if (attempt.submittedAt === null) throw new AppError('STILL_RUNNING');
  return describeEnd(ctx, { ...attempt, submittedAt: attempt.submittedAt }, now);
}

/** An ended attempt as its candidate may see it; never a score. Throws CHANGED_OUTSIDE. */
export async function describeEnd(
  ctx: Pick<AttemptContext, 'config' | 'db' | 'keys' | 'papers' | 'trust'>,
  attempt: ParticipantView & { submittedAt: Date },
  now: Date,
): Promise<EndedAttempt> {
  const { id, quizId, submittedAt } = attempt;
  const { content, signed } = await requireReceipt(ctx, attempt);
  const rows = await listViolations(ctx.db, id);
  const notesUntil = new Date(submittedAt.getTime() + VIOLATION_LIMITS.candidateNoteWindowMs);
  const quiz = await findQuiz(ctx.db, quizId);
  const timed = await findQuizFor(ctx.db, attempt);
  const ending = await endingIn(ctx, attempt, rows);
  // A candidate who submitted first ended it.
  const isByPerson = attempt.submissionType === 'database';
  const ended = isByPerson ? 'ended_by_person' : null;
  const message = isByPerson ? await findEndMessage(ctx, id) : undefined;
  return {
    participantId: id,
    title: quiz?.title ?? '',
    submittedAt: submittedAt.toISOString(),
    timeZone: quiz?.timeZone ?? ctx.config.timeZone,
    summary: presentSummary(attempt),
    receipt: { id: content.id, signed },
    ending: ending && { type: ending.type, durationMs: ending.durationMs, limit: ending.limit },
    ...(message === undefined ? {} : { message }),
    detected: rows
      .map((row) => ({ ...row, type: presentType(row) }))
      .filter(({ type, durationMs }) => levelOf(type, durationMs) !== 'info' || type === ended)
      .map(({ id, type, at, durationMs, counted, candidateNote }) => ({
        id,
        type,
        at: at.toISOString(),
        durationMs,
        counted,
        note: candidateNote,
      }))
      .reverse(),
    ...(quiz?.releaseRules
      ? { result: await presentExpected(ctx, attempt, quiz, quiz.releaseRules, now) }
      : {}),
    ...(timed?.retakes && timed.retakes.attempts > 1
      ? { retakes: presentRetake(await findRetake(ctx.db, timed, attempt, now), now) }
      : {}),
    notes:
      now > notesUntil
        ? null
        : { token: noteToken(ctx.keys.notes, attempt), until: notesUntil.toISOString() },
  };
}

const presentRetake = (retake: Retake | null, now: Date) => ({
  left: retake?.left ?? 0,
  ...(retake && retake.from > now ? { from: retake.from.toISOString() } : {}),
});

/** The sentence of an administrator to the candidate with the end of the attempt. */
async function findEndMessage({ db }: Pick<BaseContext, 'db'>, id: string) {
  const ending = (await listParticipantEvents(db, id)).findLast(({ kind }) => kind === 'ending');
  const { message } = Object(ending?.details);
  // An erasure empties it.
  return (await listMessages(db, id)).find((one) => one.id === message && one.text !== '')?.text;
}

async function presentExpected(
  ctx: Pick<BaseContext, 'config' | 'db' | 'keys' | 'trust'>,
  attempt: ParticipantView,
  quiz: QuizView,
  releaseRules: ReleaseRules,
  now: Date,
): Promise<EndedAttempt['result']> {
  const given = await findGivenResult(ctx, attempt.id, quiz, now);
  if (given && now > given.until) return { state: 'closed', at: given.until.toISOString() };
  if (given) return { state: 'released' };
  // The rule alone decides: a time that depends on a hold for a verdict would reveal the hold.
  const { when } = releaseRules;
  const isToCome = when.kind === 'at' && waitOf(releaseRules, now) !== null;
  return isToCome ? { state: 'at', at: when.at } : { state: 'later' };
}

/** endingIn of an attempt whose violations are not read yet. */
export async function endingOf(ctx: Pick<BaseContext, 'db'>, attempt: ParticipantView) {
  if (attempt.status !== 'dismissed') return null;
  return endingIn(ctx, attempt, await listViolations(ctx.db, attempt.id));
}

/** The last violation that counted in a dismissed attempt and used up a limit. */
export async function endingIn(
  { db }: Pick<BaseContext, 'db'>,
  attempt: ParticipantView,
  rows: readonly ViolationRow[],
) {
  if (attempt.status !== 'dismissed') return null;
  const { tally } = await readTally(db, attempt.id);
  const rules = rulesOf(attempt);
  for (const row of rows.toReversed()) {
    const type = presentType(row);
    if (!row.counted || !isCountingType(type)) continue;
    const limit = reachedLimit(rules, tally, type);
    if (limit !== null) return { id: row.id, type, durationMs: row.durationMs, limit };
  }
  return null;
}

export function endedAttemptHandlers(ctx: AttemptContext) {
  return {
    getEndedAttempt: ({ params, session, now }) => readEndedAttempt(ctx, session, params.id, now),
    async noteAfterEnd({ params, body, now }) {
      await noteAfterEnd(ctx, params.id, body, now);
      return { id: params.id, note: body.note };
    },
  } satisfies Handlers;
}
