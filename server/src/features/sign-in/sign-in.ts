import { TOTP_LIMITS } from '@invigil/core/domain/limits';
import { isCodeShaped } from '@invigil/core/domain/one-time-code';
import type { AttemptContext, BaseContext } from '../../app-context.ts';
import { findCounting } from '../../db/queries/attempts/attempts.ts';
import { leaveParticipantSession } from '../../db/queries/attempts/changes.ts';
import {
  type CodeHolder,
  findAdminByEmail,
  keepCodeSession,
  lockInvitation,
} from '../../db/queries/codes.ts';
import { insertPendingSignIn } from '../../db/queries/pending-sign-ins.ts';
import { closePreview, openPreview } from '../../db/queries/preview-codes.ts';
import { endSession } from '../../db/queries/session-changes.ts';
import { findSessions, type Session } from '../../db/queries/sessions.ts';
import { clearFailures, countFailure } from '../../db/queries/throttle.ts';
import { findTotp, lockAdmin } from '../../db/queries/two-step.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../runtime/app-error.ts';
import { hashOneTimeCode } from '../../security/secrets/codes.ts';
import { hashSessionToken, newSessionToken } from '../../security/secrets/tokens.ts';
import { throttleKey } from '../../security/throttle-key.ts';
import { guardOf } from '../../sessions/session-reader.ts';
import { describeEnd } from '../attempts/describe-end.ts';
import {
  checkPassword,
  type Guesser,
  genuineAdmin,
  guesserOf,
  requireUnblocked,
} from './check-password.ts';
import { opensResult, withdrawnError } from './code-sign-ins.ts';
import { deleteFirstPassword } from './first-password.ts';
import { openAdminSession } from './open-admin-session.ts';
import { sealPending } from './second-step.ts';
import type { SignedIn } from './signed-in.ts';

/** The origin of a sign-in, for the throttle. */
export interface Caller {
  address: string;
  /** The device cookie, if any. */
  device: string | undefined;
}

/**
 * Signs in with a one-time password or an admin password. For an administrator with two-step sign-in this
 * is the first step and only returns a token for the second. The password's shape alone decides the path,
 * for every address alike, so that unknown, invited and admin addresses take the same time (product 5).
 *
 * Throws INVALID_CREDENTIALS, CODE_WITHDRAWN, CODE_REPLACED, ALREADY_COMPLETED, CODE_EXPIRED, THROTTLED;
 * UNAVAILABLE for passwords only, while too many are being checked.
 */
export async function signIn(
  ctx: AttemptContext,
  { email, password }: { email: string; password: string },
  { address, device }: Caller,
  now: Date,
): Promise<SignedIn | { pending: string }> {
  if (isCodeShaped(password)) {
    const key = throttleKey(ctx.keys.throttle, 'code', email, address);
    return signInWithCode(ctx, email, password, key, now);
  }
  const guesser = guesserOf(ctx, email, address, device, now);
  return signInWithPassword(ctx, email, password, guesser, now);
}

/** Checks the code before the throttle: a right one always succeeds (product 5). */
async function signInWithCode(
  ctx: AttemptContext,
  email: string,
  code: string,
  key: Buffer,
  now: Date,
) {
  const codeHash = hashOneTimeCode(ctx.keys.codes, code);
  const holder = await ctx.codeSignIns.findHolder({ codeHash, email, throttleKey: key });
  if (!holder) {
    const token = newSessionToken();
    const tokenHash = hashSessionToken(ctx.keys.sessions, token);
    if (await openPreview(ctx.db, { email, codeHash, tokenHash }, now)) {
      const [session] = await findSessions(ctx.db, [tokenHash], now, guardOf(ctx));
      if (session) return { token, session };
    }
    throw await wrongCode(ctx, key, now);
  }
  if (holder.revokedAt || holder.isReplaced) throw withdrawnError(ctx, holder.revokedAt);
  const signedIn = await ctx.codeSignIns
    .open(holder, now)
    .catch((error: unknown) => openEnded(ctx, holder, error, now));
  if (holder.hasFailures) await clearFailures(ctx.db, key);
  return signedIn;
}

/**
 * Someone with the right code of an ended attempt reads the result, once it is released. Before and after,
 * they learn why the attempt ended and get the receipt again. Throws what the sign-in threw, with that, and
 * with nothing of a result that this code does not open.
 */
async function openEnded(
  ctx: AttemptContext,
  holder: CodeHolder,
  error: unknown,
  now: Date,
): Promise<SignedIn> {
  if (!(error instanceof AppError) || error.code !== 'ALREADY_COMPLETED') throw error;
  const attempt = await findCounting(ctx.db, holder.userId, holder.quizId);
  if (attempt?.submittedAt == null) throw error;
  const { submittedAt } = attempt;
  const { result, ...rest } = await describeEnd(ctx, { ...attempt, submittedAt }, now);
  const opens = opensResult(holder, attempt);
  if (opens && result?.state === 'released') return ctx.codeSignIns.openResult(holder, now);
  const ended = opens && result ? { ...rest, result } : rest;
  throw new AppError('ALREADY_COMPLETED', { details: { ...error.details, ended } });
}

/** Checks the throttle first: hashing is expensive, and an admin password can be guessed. */
async function signInWithPassword(
  ctx: BaseContext,
  email: string,
  password: string,
  guesser: Guesser,
  now: Date,
): Promise<SignedIn | { pending: string }> {
  // One whose row was changed outside of Invigil is treated as unknown.
  const admin = genuineAdmin(ctx, await findAdminByEmail(ctx.db, email));
  const isRight = await checkPassword(ctx, guesser, admin?.passwordHash ?? null, password, now);
  if (!isRight || !admin) throw new AppError('INVALID_CREDENTIALS');
  const answer = await inTransaction(ctx.db, async (tx) => {
    // Checked again under the lock: the password may have changed since it was verified, or the
    // account may be deleted. Two-step sign-in is read below under the same lock.
    if ((await lockAdmin(tx, admin.id))?.passwordHash !== admin.passwordHash) {
      throw new AppError('INVALID_CREDENTIALS');
    }
    if (!(await findTotp(tx, admin.id))?.confirmedAt) {
      return openAdminSession(tx, ctx, admin, null, now);
    }
    const pending = newSessionToken();
    await insertPendingSignIn(
      tx,
      sealPending(ctx, {
        tokenHash: hashSessionToken(ctx.keys.sessions, pending),
        adminId: admin.id,
        expiresAt: new Date(now.getTime() + TOTP_LIMITS.pendingSignInMs),
      }),
    );
    return { pending };
  });
  await clearFailures(ctx.db, guesser.key);
  if ('session' in answer) deleteFirstPassword(ctx);
  return answer;
}

/** The refusal of a wrong code, with the time to wait when there were several. */
async function wrongCode(ctx: BaseContext, key: Buffer, now: Date): Promise<AppError> {
  await requireUnblocked(ctx.db, key, now);
  await countFailure(ctx.db, key, now);
  return new AppError('INVALID_CREDENTIALS');
}

/** Ends a session at once in every process; its attempt accepts no more saves from it. */
export async function signOut(
  ctx: Pick<BaseContext, 'db'>,
  session: Session,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (session.kind === 'preview') return closePreview(tx, session.id);
    if (session.kind === 'participant') {
      // A concurrent start either comes first, and keeps its attempt, or later, and is refused.
      await lockInvitation(tx, session.invitationId);
      const wasTaking = await leaveParticipantSession(tx, session.id);
      // The attempt forgets its session, so the code of that one alone may remember one.
      if (wasTaking) await keepCodeSession(tx, session.invitationId, session.id);
    }
    await endSession(tx, session.id, now);
  });
}
