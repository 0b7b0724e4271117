import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { ONCE } from '@invigil/core/domain/retakes';
import type { Reach } from '@invigil/core/domain/rights';
import type { AttemptContext, BaseContext } from '../../app-context.ts';
import { findAdmin, listAdminEmails } from '../../db/queries/admins.ts';
import { type AnswerRow, listAnswers, listLateAnswers } from '../../db/queries/attempts/answers.ts';
import { findListedParticipant, listAttempts } from '../../db/queries/attempts/attempt-list.ts';
import { findParticipant, type ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { listParticipantEvents } from '../../db/queries/attempts/events.ts';
import { findEvidenceKey, listEvidence } from '../../db/queries/attempts/evidence.ts';
import { findFeedback } from '../../db/queries/attempts/feedback.ts';
import { listMessages } from '../../db/queries/attempts/messages.ts';
import { listPaperKeys, type PaperKey } from '../../db/queries/attempts/paper-keys.ts';
import { listReleasesOf } from '../../db/queries/attempts/releases.ts';
import { listViolations } from '../../db/queries/attempts/violations.ts';
import { findLastEntryAt, listAuditOf } from '../../db/queries/audit.ts';
import { findQuiz } from '../../db/queries/quizzes.ts';
import { unknownText } from '../../formats/sheets/cell-words.ts';
import type { CallOf, Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { isWhole, RESULTS, resultRow } from '../../trust/sealed-kinds.ts';
import { endingIn } from '../attempts/describe-end.ts';
import { presentAudit } from '../audit-log/audit-log.ts';
import { presentCertificates } from '../results/certificates.ts';
import { readRetentionDays } from './delete-expired.ts';
import { presentRecord } from './present-record.ts';

const VIEWED = 'participant.viewed';
/** A page that is reloaded or returned to is still the same view. */
const SAME_VIEW_MS = 3_600_000;

/** A record for an administrator who looks at it, which is audited. Throws NOT_FOUND. */
async function viewRecord(
  ctx: AttemptContext,
  { params: { id }, sees, command, now }: CallOf<'getParticipantRecord'>,
): Promise<ParticipantRecord> {
  const shown = await readRecord(ctx, sees, id, now);
  await command(async ({ tx, actor, record }) => {
    const lastAt = await findLastEntryAt(tx, VIEWED, { adminId: actor.id, subjectId: id });
    const isSameView = lastAt !== null && now.getTime() - lastAt.getTime() < SAME_VIEW_MS;
    if (!isSameView) await record(VIEWED, ['participant', id]);
  });
  return shown;
}

/** One attempt in full, for administrators. Throws NOT_FOUND. */
export async function readRecord(
  ctx: AttemptContext,
  sees: Reach,
  id: string,
  now: Date,
): Promise<ParticipantRecord> {
  const attempt = await findParticipant(ctx.db, id);
  const row = await findListedParticipant(ctx.db, sees, id);
  if (!attempt || !row) throw new AppError('NOT_FOUND');
  const [paper, keys, answers, late, feedback, events, attempts, actions, messages, releases] =
    await Promise.all([
      ctx.papers.get(id),
      listPaperKeys(ctx.db, [id]),
      listAnswers(ctx.db, id),
      listLateAnswers(ctx.db, id),
      findFeedback(ctx.db, id),
      listParticipantEvents(ctx.db, id),
      listAttempts(ctx.db, sees, attempt.userId, attempt.quizId),
      listAuditOf(ctx.db, id),
      listMessages(ctx.db, id),
      listReleasesOf(ctx.db, id),
    ]);
  const [violations, evidence, evidenceKey, retentionDays, reviewer] = await Promise.all([
    listViolations(ctx.db, id),
    listEvidence(ctx.db, id),
    findEvidenceKey(ctx.db, id),
    readRetentionDays(ctx.db),
    attempt.verdictBy === null ? undefined : findAdmin(ctx.db, attempt.verdictBy),
  ]);
  // Only what was released can have one.
  const certificates = releases.length === 0 ? [] : await presentCertificates(ctx, sees, id);
  const named = [
    ...releases.flatMap(({ releasedBy }) => releasedBy ?? []),
    ...certificates.flatMap(({ issuedBy }) => issuedBy ?? []),
  ];
  return presentRecord(
    {
      attempt,
      row,
      paper,
      keys,
      answers,
      hasBrokenSeal: await hasBrokenSeal(ctx, attempt, keys, answers),
      lateAnswerCount: late.length,
      releases,
      certificates,
      adminEmails: await listAdminEmails(ctx.db, named),
      feedback,
      events,
      actions: await presentAudit(
        ctx,
        actions.filter(({ action }) => action !== VIEWED),
      ),
      messages,
      violations,
      ending: await endingIn(ctx, attempt, violations),
      evidence,
      evidenceDeletedAt: evidenceKey?.destroyedAt ?? null,
      retentionDays,
      reviewerEmail: reviewer?.email ?? unknownText(),
      attempts,
      counts: ((await findQuiz(ctx.db, attempt.quizId))?.retakes ?? ONCE).counts,
    },
    now,
  );
}

/**
 * Whether the stored result differs from what was sealed at the end or at an administrator's
 * change.
 */
function hasBrokenSeal(
  ctx: BaseContext,
  attempt: ParticipantView,
  keys: readonly PaperKey[],
  answers: readonly AnswerRow[],
): boolean {
  if (attempt.status === 'in_progress') return false;
  if (isWhole(ctx.keys.integrity, RESULTS, resultRow(attempt, keys, answers))) return false;
  ctx.trust.reportBroken('result', attempt.id);
  return true;
}

export function recordHandlers(ctx: AttemptContext) {
  return {
    getParticipantRecord: (call) => viewRecord(ctx, call),
  } satisfies Handlers;
}
