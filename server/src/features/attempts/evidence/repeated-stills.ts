import { createHmac } from 'node:crypto';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import { insertStillHashes, listSameStills } from '../../../db/queries/attempts/evidence.ts';
import { lockParticipant } from '../../../db/queries/attempts/locks.ts';
import { countViolations } from '../../../db/queries/attempts/violations.ts';
import { raiseFlag } from '../store-violation.ts';

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
export interface TakenStill {
  jpeg: Buffer;
  takenAt: Date;
}

/** Where the same picture appeared before: at another moment of this attempt, or in another attempt. */
export type Repeated = 'here' | 'elsewhere';

/**
 * Stores keyed hashes of stills, each once per attempt, and returns whether one was known before. A
 * camera never delivers the same bytes twice, because of its noise.
 */
export async function storeStillHashes(
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

const NOTES: Record<Repeated, string> = {
  here: 'A still from an earlier moment of this attempt was sent again, byte for byte.',
  elsewhere: 'A still from another attempt was sent again, byte for byte.',
};

/** Flags it for the reviewer, outside the upload's transaction, which does not lock the attempt. */
export function flagRepeatedStill(
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
    await raiseFlag(tx, attempt, { type: 'repeated_still', at, notes: NOTES[repeated] }, now);
  });
}
