import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../../app-context.ts';
import type { Queryable } from '../../../db/database.ts';
import { inTransaction } from '../../../db/database.ts';
import { type AdminRow, findAdmin } from '../../../db/queries/admins.ts';
import { setPasswordConfirmed } from '../../../db/queries/session-changes.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import {
  type Budget,
  clearFailures,
  countFailure,
  returnTries,
} from '../../../db/queries/throttle.ts';
import { lockAdmin } from '../../../db/queries/two-step.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { knownDevice } from '../../../security/device-cookie.ts';
import { type Lane, verifyQueued } from '../../../security/secrets/passwords.ts';
import {
  accountBudgetKey,
  deviceThrottleKey,
  networkBudgetKey,
  sessionThrottleKey,
  throttleKey,
} from '../../../security/throttle-key.ts';
import { requireLive } from '../../../sessions/guards.ts';
import { isGenuineAdmin } from './genuine-admin.ts';
import { requireTries, requireUnblocked } from './throttle.ts';

/** What a password attempt counts against. */
export interface Guesser {
  /** Its own failures: 1, 2, 4 … 30 s. */
  key: Buffer;
  /** The budgets it shares with others. */
  budgets: readonly Budget[];
  lane: Lane;
}

type Installation = Pick<BaseContext, 'db' | 'keys' | 'metrics'>;

/**
 * The guesser of a sign-in. A device that signed in to this account before counts alone; all others share
 * the budgets of the account typed, existing or not, and of their network.
 *
 * @param cookie the device cookie, if any
 */
export function guesserOf(
  { keys }: Pick<BaseContext, 'keys'>,
  email: string,
  address: string,
  cookie: string | undefined,
  now: Date,
): Guesser {
  const device = knownDevice(keys.devices, cookie, email, now);
  if (device !== undefined) {
    return { key: deviceThrottleKey(keys.throttle, email, device), budgets: [], lane: 'known' };
  }
  const { guessesPerAccount, guessesPerNetwork } = SESSION_LIMITS;
  return {
    key: throttleKey(keys.throttle, 'password', email, address),
    budgets: [
      { key: networkBudgetKey(keys.throttle, address), ...guessesPerNetwork },
      { key: accountBudgetKey(keys.throttle, email), ...guessesPerAccount },
    ],
    lane: 'anyone',
  };
}

/** The guesser when a session confirms its own administrator's password. */
function sessionGuesser({ keys }: Pick<BaseContext, 'keys'>, sessionId: string): Guesser {
  return { key: sessionThrottleKey(keys.throttle, sessionId), budgets: [], lane: 'known' };
}

/**
 * Whether a password is right, with throttling. The throttle is checked again when the queued hash
 * starts: of a thousand concurrent guesses, those queued while the first failed are refused without
 * hashing. Right passwords do not delay each other.
 *
 * Throws THROTTLED, UNAVAILABLE.
 *
 * @param stored the hash; `null` for an unknown account, which takes as long
 */
export async function checkPassword(
  ctx: Installation,
  guesser: Guesser,
  stored: string | null,
  password: string,
  now: Date,
): Promise<boolean> {
  try {
    await requireUnblocked(ctx.db, guesser.key, now, guesser.budgets);
    return await verifyQueued(stored, password, guesser.lane, (isRight) =>
      verifyThrottled(ctx.db, guesser, isRight, now),
    );
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined;
    if (code === 'THROTTLED') ctx.metrics.passwordsRefused.inc({ reason: 'throttled' });
    if (code === 'UNAVAILABLE') ctx.metrics.passwordsRefused.inc({ reason: 'busy' });
    throw error;
  }
}

async function verifyThrottled(
  db: Queryable,
  { key, budgets }: Guesser,
  isRight: () => Promise<boolean>,
  now: Date,
): Promise<boolean> {
  await requireTries(db, key, budgets, now);
  if (await isRight()) {
    if (budgets.length > 0) await returnTries(db, budgets);
    return true;
  }
  await countFailure(db, key, now);
  return false;
}

/**
 * Requires an administrator's own password again. Wrong ones are throttled like wrong sign-ins, per
 * session: an open page must not be a place to guess, and no one else's guesses count.
 *
 * Throws WRONG_PASSWORD, THROTTLED.
 */
export async function requirePassword(
  ctx: BaseContext,
  session: AdminSession,
  password: string,
  now: Date,
): Promise<AdminRow> {
  const guesser = sessionGuesser(ctx, session.id);
  const admin = await findAdmin(ctx.db, session.adminId);
  const hash = admin && (await isGenuineAdmin(ctx, ctx.db, admin.id)) ? admin.passwordHash : null;
  const isRight = await checkPassword(ctx, guesser, hash, password, now);
  if (!admin || !isRight) throw AppError.at('currentPassword', 'WRONG_PASSWORD');
  await clearFailures(ctx.db, guesser.key);
  return admin;
}

/**
 * Confirms the password within a session. It suffices even with two-step sign-in: the session was opened
 * with both, and changes to the second step require its code again.
 *
 * Throws WRONG_PASSWORD, THROTTLED, NOT_SIGNED_IN.
 */
export async function confirmPassword(
  ctx: BaseContext,
  session: AdminSession,
  password: string,
  now: Date,
): Promise<void> {
  const admin = await requirePassword(ctx, session, password, now);
  await inTransaction(ctx.db, async (tx) => {
    // The password may have changed concurrently, which ended this session.
    if ((await lockAdmin(tx, admin.id))?.passwordHash !== admin.passwordHash) {
      throw AppError.at('currentPassword', 'WRONG_PASSWORD');
    }
    await requireLive(tx, session.id, now);
    await setPasswordConfirmed(tx, session.id, now);
  });
}
