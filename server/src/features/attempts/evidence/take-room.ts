import type { EvidenceUpload } from '@invigil/core/contract/attempts/evidence';
import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import { isLifecycleType } from '@invigil/core/domain/violations/violation-types';
import type { AppContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import { findParticipant, type ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import {
  type EvidenceRow,
  findEvidence,
  holdParticipant,
  insertEvidence,
  readUploads,
} from '../../../db/queries/attempts/evidence.ts';
import { findViolation } from '../../../db/queries/attempts/violations.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireLive } from '../../../sessions/require-live.ts';
import { closed } from '../closed.ts';
import { isOwnCurrent } from '../is-own.ts';
import { policyFor } from '../present.ts';
import { takeEvidenceKey } from './evidence-key.ts';

const MINUTE_MS = 60_000;

/**
 * Checks an upload and reserves its space in the attempt's quota. Returns its row and the key to seal it
 * with; `null` when it is stored already.
 *
 * Throws NOT_FOUND, SESSION_REPLACED, NOT_SIGNED_IN, ATTEMPT_CLOSED, SENSOR_OFF, TOO_MUCH_EVIDENCE.
 */
export async function takeRoom(
  tx: Tx,
  ctx: AppContext,
  session: ParticipantSession,
  participantId: string,
  upload: EvidenceUpload,
  bytes: number,
  now: Date,
): Promise<{
  attempt: ParticipantView;
  room: { key: Buffer; row: EvidenceRow } | null;
  isNew: boolean;
}> {
  await holdParticipant(tx, participantId);
  const attempt = await findParticipant(tx, participantId);
  if (!isOwnCurrent(session, attempt)) throw new AppError('NOT_FOUND');
  if (attempt.sessionId !== session.id) throw new AppError('SESSION_REPLACED');
  requireOpen(attempt, now);
  if (attempt.submittedAt !== null) await requireLive(tx, session.id, now);
  const policy = policyFor(attempt);
  const { stills, levels, violationId } = upload;
  const isOff =
    (stills.length > 0 && !policy.camera) ||
    (levels !== null && !policy.microphone) ||
    (violationId === null && policy.stillEveryMs === null);
  if (isOff) throw new AppError('SENSOR_OFF');
  const at = await momentOf(tx, attempt, upload, now);
  const key = await takeEvidenceKey(tx, ctx, attempt.id, now);
  if (key === null) throw closed(attempt);
  const size = { stills: stills.length, hasLevels: levels !== null, bytes };
  const known = await findEvidence(tx, upload.id);
  if (known && known.participantId !== attempt.id) throw new AppError('NOT_FOUND');
  if (known) {
    const isWaiting = known.storedAt === null && hasSize(known, size);
    return { attempt, room: isWaiting ? { key, row: known } : null, isNew: false };
  }
  await requireRoom(tx, attempt.id, upload, bytes, policy.stillEveryMs, now);
  const row: EvidenceRow = {
    id: upload.id,
    participantId: attempt.id,
    violationId,
    at,
    receivedAt: now,
    storedAt: null,
    ...size,
    seal: null,
  };
  await insertEvidence(tx, row);
  return { attempt, room: { key, row }, isNew: true };
}

type Size = Pick<EvidenceRow, 'stills' | 'hasLevels' | 'bytes'>;

/** Space reserved for one upload is not for a larger one. */
const hasSize = (row: Size, { stills, hasLevels, bytes }: Size) =>
  row.stills === stills && row.hasLevels === hasLevels && row.bytes === bytes;

/** The last stills arrive after a dismissal, so they are accepted a little longer than answers. */
function requireOpen(attempt: ParticipantView, now: Date): void {
  const end = attempt.submittedAt ?? attempt.closeAt;
  const isOpen = now.getTime() <= end.getTime() + EVIDENCE_LIMITS.afterEndMs;
  if (!isOpen) throw closed(attempt);
}

/** The time of the violation. Throws NOT_FOUND for someone else's or an unknown one. */
async function momentOf(
  tx: Tx,
  attempt: ParticipantView,
  { violationId, ageMs }: EvidenceUpload,
  now: Date,
): Promise<Date> {
  if (violationId === null) {
    return new Date(Math.max(attempt.startedAt.getTime(), now.getTime() - ageMs));
  }
  const violation = await findViolation(tx, violationId);
  if (violation?.participantId !== attempt.id || isLifecycleType(violation.type)) {
    throw new AppError('NOT_FOUND');
  }
  return violation.at;
}

async function requireRoom(
  tx: Tx,
  participantId: string,
  { violationId, stills }: EvidenceUpload,
  bytes: number,
  stillEveryMs: number | null,
  now: Date,
): Promise<void> {
  const minuteAgo = new Date(now.getTime() - MINUTE_MS);
  const sent = await readUploads(tx, participantId, violationId, minuteAgo);
  if (sent.inMinute >= EVIDENCE_LIMITS.uploadsPerMinute) {
    throw new AppError('TOO_MUCH_EVIDENCE', { retryAfterSeconds: 60 });
  }
  const isTooMuch =
    sent.bytes + bytes > EVIDENCE_LIMITS.bytesPerAttempt ||
    (violationId === null
      ? stills.length > 1
      : sent.ofViolation >= EVIDENCE_LIMITS.uploadsPerViolation ||
        sent.stillsOfViolation + stills.length > EVIDENCE_LIMITS.stillsPerViolation);
  if (isTooMuch) throw new AppError('TOO_MUCH_EVIDENCE', { details: { isFull: true } });
  const earlyMs = violationId === null ? earlinessOf(sent.lastAt, stillEveryMs ?? 0, now) : 0;
  if (earlyMs > 0) {
    throw new AppError('TOO_MUCH_EVIDENCE', { retryAfterSeconds: Math.ceil(earlyMs / 1_000) });
  }
}

/** Half the interval is tolerated: a delayed queue sends two stills close together. */
function earlinessOf(last: Date | null, everyMs: number, now: Date): number {
  return last === null ? 0 : everyMs / 2 - (now.getTime() - last.getTime());
}
