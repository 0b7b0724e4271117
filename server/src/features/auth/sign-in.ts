import { CODE_LIMITS, SESSION_LIMITS } from '@invigil/core/domain/limits';
import { isCodeShaped } from '@invigil/core/domain/one-time-code';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction, type Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { hashOneTimeCode } from '../../security/codes.ts';
import { verifyPassword } from '../../security/passwords.ts';
import { throttleKey } from '../../security/throttle-key.ts';
import { hashSessionToken, newSessionToken } from '../../security/tokens.ts';
import { recordAudit } from '../audit/queries.ts';
import { tellAttempts } from '../live/queries.ts';
import {
  hasAttempt,
  insertParticipantEvent,
  lockCurrentParticipant,
  setParticipantSession,
} from '../participants/queries.ts';
import {
  type CodeHolder,
  findAdminByEmail,
  findCodeHolder,
  lockInvitation,
  noteAdminSignIn,
  noteFirstSignIn,
} from './queries.ts';
import type { Session } from './session-queries.ts';
import { endSessionsOfInvitation, insertSession } from './session-queries.ts';
import { requireUnblocked } from './throttle.ts';
import { countFailure, forgetFailures } from './throttle-queries.ts';

const DAY_MS = 86_400_000;

export interface SignedIn {
  token: string;
  session: Session;
}

/**
 * Signs in with a one-time password or an admin password. The password's shape alone decides the
 * path, for every address alike, so that unknown, invited and admin addresses take the same time
 * (product 5).
 *
 * Throws INVALID_CREDENTIALS, ALREADY_COMPLETED, CODE_EXPIRED, THROTTLED.
 *
 * @param address of the caller, for the throttle
 */
export async function signIn(
  ctx: AppContext,
  email: string,
  password: string,
  address: string,
  now: Date,
): Promise<SignedIn> {
  const key = throttleKey(ctx.keys.throttle, email, address);
  return isCodeShaped(password)
    ? signInWithCode(ctx, email, password, key, now)
    : signInWithPassword(ctx, email, password, key, now);
}

/** The code is checked before the throttle: a right one always gets in (product 5). */
async function signInWithCode(
  ctx: AppContext,
  email: string,
  code: string,
  key: Buffer,
  now: Date,
) {
  const holder = await findCodeHolder(ctx.db, hashOneTimeCode(ctx.keys.codes, code), email);
  if (!holder) throw await wrongPassword(ctx, key, now);
  const signedIn = await inTransaction(ctx.db, (tx) => openCandidateSession(tx, ctx, holder, now));
  await forgetFailures(ctx.db, key);
  return signedIn;
}

async function openCandidateSession(
  tx: Tx,
  ctx: AppContext,
  holder: CodeHolder,
  now: Date,
): Promise<SignedIn> {
  await lockInvitation(tx, holder.invitationId);
  const attempt = await lockCurrentParticipant(tx, holder.userId, holder.quizId);
  if (attempt && attempt.status !== 'in_progress') throw new AppError('ALREADY_COMPLETED');
  const ageMs = now.getTime() - holder.codeCreatedAt.getTime();
  const isOld = ageMs > CODE_LIMITS.oneTimeCodeValidDays * DAY_MS;
  // A replaced attempt was started: its code works for the next one, however old it is.
  if (!attempt && isOld && !(await hasAttempt(tx, holder.invitationId))) {
    throw new AppError('CODE_EXPIRED');
  }

  const expiresAt = attempt
    ? new Date(attempt.closeAt.getTime() + SESSION_LIMITS.candidateAfterDeadlineMs)
    : new Date(now.getTime() + SESSION_LIMITS.candidateBeforeStartMs);
  const token = newSessionToken();
  const id = newId();
  await endSessionsOfInvitation(tx, holder.invitationId, now);
  await insertSession(tx, {
    id,
    tokenHash: hashSessionToken(ctx.keys.sessions, token),
    owner: { invitationId: holder.invitationId },
    now,
    expiresAt,
  });
  if (attempt) {
    // The takeover: from this commit on, a save of the older session finds another session here.
    await setParticipantSession(tx, attempt.id, id);
    await insertParticipantEvent(tx, { participantId: attempt.id, kind: 'signed_in', at: now });
    await tellAttempts(tx, [attempt.id]);
  }
  await noteFirstSignIn(tx, holder.invitationId, now);
  return {
    token,
    session: {
      kind: 'participant',
      id,
      invitationId: holder.invitationId,
      userId: holder.userId,
      quizId: holder.quizId,
      email: holder.email,
      expiresAt,
      endedAt: null,
      endReason: null,
    },
  };
}

/** The throttle comes first here: hashing is dear, and an admin password can be guessed. */
async function signInWithPassword(
  ctx: AppContext,
  email: string,
  password: string,
  key: Buffer,
  now: Date,
): Promise<SignedIn> {
  await requireUnblocked(ctx.db, key, now);
  const admin = await findAdminByEmail(ctx.db, email);
  if (!(await verifyPassword(admin?.passwordHash ?? null, password)) || !admin) {
    throw await wrongPassword(ctx, key, now);
  }
  const token = newSessionToken();
  const id = newId();
  const expiresAt = new Date(now.getTime() + SESSION_LIMITS.adminTotalMs);
  await inTransaction(ctx.db, async (tx) => {
    await insertSession(tx, {
      id,
      tokenHash: hashSessionToken(ctx.keys.sessions, token),
      owner: { adminId: admin.id },
      now,
      expiresAt,
    });
    await noteAdminSignIn(tx, admin.id, now);
    await recordAudit(tx, { adminId: admin.id, action: 'admin.signed_in', at: now });
  });
  await forgetFailures(ctx.db, key);
  return {
    token,
    session: {
      kind: 'admin',
      id,
      adminId: admin.id,
      email: admin.email,
      expiresAt,
      endedAt: null,
      endReason: null,
    },
  };
}

/** The refusal of a wrong password, which says how long to wait when there were several. */
async function wrongPassword(ctx: AppContext, key: Buffer, now: Date): Promise<AppError> {
  await requireUnblocked(ctx.db, key, now);
  await countFailure(ctx.db, key, now);
  return new AppError('INVALID_CREDENTIALS');
}
