import type { EvidenceUpload } from '@invigil/core/contract/attempts/evidence';
import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { findEvidenceKey, setStored } from '../../../db/queries/attempts/evidence.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import { seal } from '../../../security/sealing.ts';
import { StorageAway } from '../../../storage/storage.ts';
import { evidenceFields } from '../../../trust/sealed-fields.ts';
import { EVIDENCE, sealOf } from '../../../trust/sealed-kinds.ts';
import { closed } from '../closed.ts';
import { removeFilesAgain } from './delete-evidence.ts';
import { fileContext } from './evidence-key.ts';
import { parseStill } from './parse-still.ts';
import { flagRepeatedStill, keepStillHashes } from './repeated-stills.ts';
import { takeRoom } from './take-room.ts';

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
export async function keepEvidence(
  ctx: AppContext,
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
  const { attempt, room, repeated } = await inTransaction(ctx.db, async (tx) => {
    const taken = await takeRoom(tx, ctx, session, participantId, upload, bytes, now);
    const of = { participantId, evidenceId: id };
    return {
      ...taken,
      repeated: taken.isNew ? await keepStillHashes(tx, ctx, of, pictures) : null,
    };
  });
  if (repeated !== null) {
    await flagRepeatedStill(ctx, participantId, repeated, new Date(momentMs), now);
  }
  if (room === null) return false;
  const text = JSON.stringify({ stills, levels });
  await ctx.storage.put(attempt.id, id, seal(room.key, text, fileContext(attempt.id, id)));
  const fields = evidenceFields({ ...room.row, storedAt: now });
  const rowSeal = sealOf(ctx.keys.integrity, EVIDENCE, id, fields);
  if (await setStored(ctx.db, id, now, rowSeal)) return true;
  const keyRow = await findEvidenceKey(ctx.db, attempt.id);
  if (keyRow?.sealedKey) return false;
  // The retention or an erasure deleted this attempt's evidence during the upload.
  await removeFilesAgain(ctx, attempt.id, now);
  throw closed(attempt);
}
