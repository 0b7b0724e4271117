import type { ParticipantRecord } from '@invigil/core/contract/participant-record';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { isSealedYet } from '../../trust/seal-progress.ts';
import { resultFields } from '../../trust/sealed-fields.ts';
import { isWhole, RESULTS } from '../../trust/sealed-kinds.ts';
import { findAdmin } from '../admins/queries.ts';
import { type AnswerRow, listAnswers, listLateAnswers } from '../answers/queries.ts';
import { presentAudit } from '../audit/present.ts';
import { listAuditOf } from '../audit/queries.ts';
import { findEvidenceKey, listEvidence } from '../evidence/queries.ts';
import { findFeedback } from '../feedback/queries.ts';
import { listMessages } from '../messages/queries.ts';
import { readRetentionDays } from '../retention/keep-days.ts';
import { listViolations } from '../violations/queries.ts';
import { findListedParticipant, listAttempts } from './list-queries.ts';
import { presentRecord } from './present-record.ts';
import {
  findParticipant,
  keyMap,
  listPaperKeys,
  listParticipantEvents,
  type PaperKey,
  type ParticipantView,
} from './queries.ts';

/** One attempt in full, for administrators. Throws NOT_FOUND. */
export async function readRecord(
  ctx: AppContext,
  id: string,
  now: Date,
): Promise<ParticipantRecord> {
  const attempt = await findParticipant(ctx.db, id);
  const row = await findListedParticipant(ctx.db, id);
  if (!attempt || !row) throw new AppError('NOT_FOUND');
  const [paper, keys, answers, late, feedback, events, attempts, deeds, messages] =
    await Promise.all([
      ctx.papers.get(id),
      listPaperKeys(ctx.db, [id]),
      listAnswers(ctx.db, id),
      listLateAnswers(ctx.db, id),
      findFeedback(ctx.db, id),
      listParticipantEvents(ctx.db, id),
      listAttempts(ctx.db, attempt.userId, attempt.quizId),
      listAuditOf(ctx.db, id),
      listMessages(ctx.db, id),
    ]);
  const [violations, evidence, evidenceKey, retentionDays, judge] = await Promise.all([
    listViolations(ctx.db, id),
    listEvidence(ctx.db, id),
    findEvidenceKey(ctx.db, id),
    readRetentionDays(ctx.db),
    attempt.verdictBy === null ? undefined : findAdmin(ctx.db, attempt.verdictBy),
  ]);
  return presentRecord(
    {
      attempt,
      row,
      paper,
      keys: keyMap(keys),
      answers,
      hasBrokenSeal: await hasBrokenSeal(ctx, attempt, keys, answers),
      lateAnswerCount: late.length,
      feedback,
      events,
      deeds: await presentAudit(ctx, deeds),
      messages,
      violations,
      evidence,
      evidenceDeletedAt: evidenceKey?.destroyedAt ?? null,
      retentionDays,
      judgeEmail: judge?.email ?? 'Unknown',
      earlier: attempts.filter((other) => other.attempt < attempt.attempt),
    },
    now,
  );
}

/** Whether the stored result is not what was sealed at the end, or at a change by an administrator. */
async function hasBrokenSeal(
  ctx: AppContext,
  attempt: ParticipantView,
  keys: readonly PaperKey[],
  answers: readonly AnswerRow[],
): Promise<boolean> {
  if (attempt.status === 'in_progress') return false;
  const { id, resultSeal: seal } = attempt;
  const row = { id, seal, fields: resultFields(attempt, keys, answers) };
  if (isWhole(ctx.keys.integrity, RESULTS, row)) return false;
  if (seal === null && !(await isSealedYet(ctx, ctx.db, RESULTS, id))) return false;
  ctx.trust.reportBroken('result', id);
  return true;
}
