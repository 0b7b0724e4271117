import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { OWNER } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import type { BaseContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { type AdminRow, findAdmin, type NewAdmin } from '../../db/queries/admins.ts';
import { setPasswordConfirmed } from '../../db/queries/session-changes.ts';
import type { AdminSession } from '../../db/queries/sessions.ts';
import {
  type Budget,
  clearFailures,
  countFailure,
  reserveTries,
  reserveTry,
  returnTries,
  secondsBlocked,
} from '../../db/queries/throttle.ts';
import { lockAdmin } from '../../db/queries/two-step.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../runtime/app-error.ts';
import { knownDevice } from '../../security/device-cookie.ts';
import type { Keys } from '../../security/keys.ts';
import { type Lane, verifyQueued } from '../../security/secrets/passwords.ts';
import {
  accountBudgetKey,
  deviceThrottleKey,
  networkBudgetKey,
  sessionThrottleKey,
  throttleKey,
} from '../../security/throttle-key.ts';
import { requireLive } from '../../sessions/guards.ts';
import { adminFields } from '../../trust/sealed-fields.ts';
import { ADMINS, isWhole, sealOf } from '../../trust/sealed-kinds.ts';
import { listAdminsToSeal } from '../../trust/sealed-queries.ts';

/** The limits that a password attempt counts against. */
export interface Guesser {
  /** Key of its own failures, after which it waits: 1, 2, 4 … 30 s. */
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
  const genuine = await findGenuineAdmin(ctx, ctx.db, session.adminId);
  const hash = genuine?.passwordHash ?? null;
  const isRight = await checkPassword(ctx, guesser, hash, password, now);
  if (!admin || !isRight) throw AppError.at('currentPassword', 'WRONG_PASSWORD');
  await clearFailures(ctx.db, guesser.key);
  return { ...admin, ...genuine };
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

/** A new administrator, an owner without other grants, with a seal: sign-in refuses one without. */
export function newAdmin(
  keys: Pick<Keys, 'integrity'>,
  {
    now,
    ...given
  }: { email: string; passwordHash: string; now: Date } & Partial<
    Pick<NewAdmin, 'name' | 'grants'>
  >,
): NewAdmin {
  const id = newId();
  const admin = { name: '', language: null, grants: OWNER, ...given, createdAt: now };
  const seal = sealOf(keys.integrity, ADMINS, id, adminFields(admin, null));
  return { id, ...admin, lastSignInAt: null, seal };
}

/** An administrator by the id, as `genuineAdmin` has it. */
export async function findGenuineAdmin(
  ctx: Pick<BaseContext, 'keys' | 'trust'>,
  db: Queryable,
  id: string,
): Promise<NewAdmin | undefined> {
  const [found] = await listAdminsToSeal(db, { ids: [id] });
  return genuineAdmin(ctx, found);
}

/**
 * An administrator whose credential and second step match the seal; raises an alarm if not. Address and
 * password are used as checked: another reading could differ.
 */
export function genuineAdmin(
  { keys, trust }: Pick<BaseContext, 'keys' | 'trust'>,
  found: Awaited<ReturnType<typeof listAdminsToSeal>>[number] | undefined,
): NewAdmin | undefined {
  if (!found) return undefined;
  const { admin, totp } = found;
  const { id, seal } = admin;
  if (isWhole(keys.integrity, ADMINS, { id, fields: adminFields(admin, totp), seal })) return admin;
  trust.reportBroken('administrator', id);
  return undefined;
}

/** Refuses a try that must still wait after wrong ones, with the seconds left. Throws THROTTLED. */
export async function requireUnblocked(
  db: Queryable,
  key: Buffer,
  now: Date,
  budgets: readonly Budget[] = [],
): Promise<void> {
  const seconds = await secondsBlocked(db, key, now, budgets);
  if (seconds > 0) throw throttled(seconds);
}

/**
 * Takes a try from each budget beforehand. Throws THROTTLED.
 *
 * @param key whose own failures must not block it either; `null`: none
 */
export async function requireTries(
  db: Queryable,
  key: Buffer | null,
  budgets: readonly Budget[],
  now: Date,
): Promise<void> {
  if (key !== null && budgets.length === 0) return requireUnblocked(db, key, now);
  if (await reserveTries(db, key, budgets, now)) return;
  throw throttled(Math.max(1, await secondsBlocked(db, key, now, budgets)));
}

/**
 * Counts a failure in advance, for checks that are too quick to be queued, so that one of many concurrent
 * guesses is evaluated. A right guess clears the failures. Throws THROTTLED.
 *
 * @param maxSeconds the longest wait
 */
export async function requireReservedTry(
  db: Queryable,
  key: Buffer,
  now: Date,
  maxSeconds: number,
): Promise<void> {
  if (await reserveTry(db, key, now, maxSeconds)) return;
  throw throttled(Math.max(1, await secondsBlocked(db, key, now)));
}

function throttled(seconds: number): AppError {
  return new AppError('THROTTLED', {
    message: t(
      'server.signIn.throttled',
      '{seconds, plural, one {Too many wrong attempts. Try again in # second} other {Too many wrong attempts. Try again in # seconds}}',
      { seconds },
    ),
    retryAfterSeconds: seconds,
    details: { seconds },
  });
}
