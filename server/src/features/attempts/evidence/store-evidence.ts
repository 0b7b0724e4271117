import { createHmac } from 'node:crypto';
import type { EvidenceUpload } from '@invigil/core/contract/attempts/evidence';
import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import { isLifecycleType } from '@invigil/core/domain/violations/violation-types';
import type { BaseContext, FileContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import { findParticipant, type ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import {
  type EvidenceRow,
  findEvidence,
  findEvidenceKey,
  holdParticipant,
  insertEvidence,
  insertStillHashes,
  listSameStills,
  readUploads,
  setStored,
} from '../../../db/queries/attempts/evidence.ts';
import { lockParticipant } from '../../../db/queries/attempts/locks.ts';
import { countViolations, findViolation } from '../../../db/queries/attempts/violations.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { seal } from '../../../security/sealing.ts';
import { requireLive } from '../../../sessions/guards.ts';
import { StorageAway } from '../../../storage/storage.ts';
import { evidenceKeyFor, fileContext } from '../../../trust/evidence-file.ts';
import { evidenceFields } from '../../../trust/sealed-fields.ts';
import { EVIDENCE, sealOf } from '../../../trust/sealed-kinds.ts';
import { closed, isOwnCurrent } from '../own-attempt.ts';
import { policyFor } from '../present.ts';
import { raiseFlag } from '../store-violation.ts';
import { removeFilesAgain } from './delete-evidence.ts';
import { parseStill } from './parse-still.ts';

/**
 * Stores stills and level curve of a moment, sealed with the attempt's key. A known id changes nothing.
 * Returns whether it was new.
 *
 * The file is written outside of any transaction: a slow disk must not hold connections that saves need.
 * Its row is written first, reserves the space, and is marked when the file is durable. An upload
 * interrupted by a crash is not shown, and sending it again completes it.
 *
 * Throws NOT_A_STILL, NOT_FOUND, SESSION_REPLACED, ATTEMPT_CLOSED, SENSOR_OFF, TOO_MUCH_EVIDENCE.
 */
export async function storeEvidence(
  ctx: FileContext,
  session: ParticipantSession,
  participantId: string,
  upload: EvidenceUpload,
  now: Date,
): Promise<boolean> {
  const { id, stills, levels } = upload;
  // The page stores it and retries; the remaining space is for answers.
  if (ctx.storage.isOurs && ctx.disk.isNearlyFull) throw new StorageAway('the disk is nearly full');
  const momentMs = now.getTime() - upload.ageMs;
  const pictures = stills.map(({ jpeg, offsetMs }, i) => ({
    jpeg: parseStill(jpeg, `stills.${i}.jpeg`, EVIDENCE_LIMITS.stillMaxBytes),
    takenAt: new Date(momentMs + offsetMs),
  }));
  const bytes = pictures.reduce((sum, { jpeg }) => sum + jpeg.length, 0);
  const { attempt, reserved, repeated } = await inTransaction(ctx.db, async (tx) => {
    const taken = await reserveQuota(tx, ctx, session, participantId, upload, bytes, now);
    const of = { participantId, evidenceId: id };
    return {
      ...taken,
      repeated: taken.isNew ? await storeStillHashes(tx, ctx, of, pictures) : null,
    };
  });
  if (repeated !== null) {
    await flagRepeatedStill(ctx, participantId, repeated, new Date(momentMs), now);
  }
  if (reserved === null) return false;
  const text = JSON.stringify({ stills, levels });
  await ctx.storage.put(attempt.id, id, seal(reserved.key, text, fileContext(attempt.id, id)));
  const fields = evidenceFields({ ...reserved.row, storedAt: now });
  const rowSeal = sealOf(ctx.keys.integrity, EVIDENCE, id, fields);
  if (await setStored(ctx.db, id, now, rowSeal)) return true;
  const keyRow = await findEvidenceKey(ctx.db, attempt.id);
  if (keyRow?.sealedKey) return false;
  // The retention or an erasure deleted this attempt's evidence during the upload.
  await removeFilesAgain(ctx, attempt.id, now);
  throw closed(attempt);
}

const MINUTE_MS = 60_000;

/**
 * Checks an upload and reserves its space in the attempt's quota. Returns its row and the key to seal it
 * with; `null` when it is stored already.
 *
 * Throws NOT_FOUND, SESSION_REPLACED, NOT_SIGNED_IN, ATTEMPT_CLOSED, SENSOR_OFF, TOO_MUCH_EVIDENCE.
 */
async function reserveQuota(
  tx: Tx,
  ctx: BaseContext,
  session: ParticipantSession,
  participantId: string,
  upload: EvidenceUpload,
  bytes: number,
  now: Date,
): Promise<{
  attempt: ParticipantView;
  reserved: { key: Buffer; row: EvidenceRow } | null;
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
  const key = await evidenceKeyFor(tx, ctx, attempt.id, now);
  if (key === null) throw closed(attempt);
  const size = { stills: stills.length, hasLevels: levels !== null, bytes };
  const known = await findEvidence(tx, upload.id);
  if (known && known.participantId !== attempt.id) throw new AppError('NOT_FOUND');
  if (known) {
    const isWaiting = known.storedAt === null && hasSize(known, size);
    return { attempt, reserved: isWaiting ? { key, row: known } : null, isNew: false };
  }
  await requireQuota(tx, attempt.id, upload, bytes, policy.stillEveryMs, now);
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
  return { attempt, reserved: { key, row }, isNew: true };
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

async function requireQuota(
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

/** One picture can belong to several detections of the same seconds, and is sent with each of them. */
const SAME_MOMENT_MS = 60_000;
/**
 * A black or white picture is the same on every camera: 320 by 240 pixels of one color take 1.2 to 2 KB;
 * a picture that shows anything takes 5 KB or more.
 */
const PLAIN_BYTES = 3_000;
/** Enough for a reviewer to decide. */
const FLAGS_KEPT = 10;

/** A still with the moment it was taken, as the page reports it. */
interface TakenStill {
  jpeg: Buffer;
  takenAt: Date;
}

/** The place of the same picture before: at another moment of this attempt, or in another attempt. */
type Repeated = 'here' | 'elsewhere';

/**
 * Stores keyed hashes of stills, each once per attempt, and returns whether one was known before. A
 * camera never delivers the same bytes twice, because of its noise.
 */
async function storeStillHashes(
  tx: Tx,
  { keys }: Pick<BaseContext, 'keys'>,
  of: { participantId: string; evidenceId: string },
  stills: readonly TakenStill[],
): Promise<Repeated | null> {
  const taken = stills
    .filter(({ jpeg }) => jpeg.length >= PLAIN_BYTES)
    .map(({ jpeg, takenAt }) => ({
      hash: createHmac('sha256', keys.stills).update(jpeg).digest().subarray(0, 16),
      takenAt,
    }));
  if (taken.length === 0) return null;
  const before = await listSameStills(
    tx,
    taken.map(({ hash }) => hash),
  );
  const isElsewhere = before.some(({ participantId }) => participantId !== of.participantId);
  const moments = [
    ...before.filter(({ participantId }) => participantId === of.participantId),
    ...taken,
  ];
  const isHere = taken.some(({ hash, takenAt }) =>
    moments.some(
      (other) =>
        hash.equals(other.hash) &&
        Math.abs(takenAt.getTime() - other.takenAt.getTime()) > SAME_MOMENT_MS,
    ),
  );
  await insertStillHashes(
    tx,
    taken.map((still) => ({ ...of, ...still })),
  );
  if (isElsewhere) return 'elsewhere';
  return isHere ? 'here' : null;
}

/** Flags it for the reviewer, outside the upload's transaction, which does not lock the attempt. */
function flagRepeatedStill(
  { db }: Pick<BaseContext, 'db'>,
  participantId: string,
  repeated: Repeated,
  at: Date,
  now: Date,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockParticipant(tx, participantId);
    const attempt = await findParticipant(tx, participantId);
    if (!attempt || (await countViolations(tx, participantId, 'repeated_still')) >= FLAGS_KEPT)
      return;
    const notes = `sent_again_${repeated}` as const;
    await raiseFlag(tx, attempt, { type: 'repeated_still', at, notes }, now);
  });
}
