import type { KeyObject } from 'node:crypto';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { isLifecycleType } from '@invigil/core/domain/violations/violation-types';
import type { BaseContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import { findParticipant, type ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { holdParticipant } from '../../../db/queries/attempts/evidence.ts';
import { findViolation, setCandidateNote } from '../../../db/queries/attempts/violations.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { requireLive } from '../../../sessions/guards.ts';
import { fitsSeal, sealFields } from '../../../trust/row-seal.ts';
import { isOwn } from '../own-attempt.ts';

/**
 * Stores the candidate's own note on a detection. The last note replaces earlier ones, until ten minutes
 * after the end. Throws NOT_FOUND, NOTE_CLOSED, NOT_SIGNED_IN, SESSION_REPLACED.
 */
export async function noteViolation(
  ctx: BaseContext,
  session: ParticipantSession,
  id: string,
  note: string,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const attempt = await findNoted(tx, id);
    if (!isOwn(session, attempt)) throw new AppError('NOT_FOUND');
    if (attempt.submittedAt !== null) await requireLive(tx, session.id, now);
    await setNote(tx, attempt, id, note, now);
  });
}

/** The same with the token of an ended attempt instead of a session. Throws NOT_FOUND, NOTE_CLOSED. */
export async function noteAfterEnd(
  ctx: BaseContext,
  id: string,
  given: { participantId: string; token: string; note: string },
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const attempt = await findNoted(tx, id);
    if (attempt?.id !== given.participantId || attempt.submittedAt === null)
      throw new AppError('NOT_FOUND');
    const ended = { id: attempt.id, submittedAt: attempt.submittedAt };
    if (!isNoteToken(ctx.keys.notes, ended, given.token)) throw new AppError('NOT_FOUND');
    await setNote(tx, attempt, id, given.note, now);
  });
}

/** The attempt of a detection, held against a concurrent erasure of the person, which locks every attempt. */
async function findNoted(tx: Tx, id: string): Promise<ParticipantView | undefined> {
  const violation = await findViolation(tx, id);
  if (violation === undefined || isLifecycleType(violation.type)) return undefined;
  await holdParticipant(tx, violation.participantId);
  return findParticipant(tx, violation.participantId);
}

async function setNote(
  tx: Tx,
  { submittedAt }: Pick<ParticipantView, 'submittedAt'>,
  id: string,
  note: string,
  now: Date,
): Promise<void> {
  const isOver =
    submittedAt !== null &&
    now.getTime() > submittedAt.getTime() + VIOLATION_LIMITS.candidateNoteWindowMs;
  if (isOver) throw new AppError('NOTE_CLOSED');
  await setCandidateNote(tx, id, note);
}

interface Ended {
  id: string;
  submittedAt: Date;
}

const CONTEXT = 'note after the end';

/**
 * Allows notes on one end of one attempt. It does not expire itself: notes close ten minutes after the end.
 */
export function noteToken(key: KeyObject, { id, submittedAt }: Ended): string {
  return sealFields(key, CONTEXT, [id, submittedAt.toISOString()]).toString('base64url');
}

function isNoteToken(key: KeyObject, { id, submittedAt }: Ended, given: string): boolean {
  return fitsSeal(key, CONTEXT, [id, submittedAt.toISOString()], Buffer.from(given, 'base64url'));
}
