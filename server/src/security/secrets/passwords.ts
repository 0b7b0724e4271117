import argon2 from '@node-rs/argon2';
import { AppError } from '../../runtime/app-error.ts';

/** Argon2id (the library's default kind) with 19 MiB and two passes: OWASP, product 5. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Most concurrent hashes, so that sign-ins cannot occupy every core (product 5). */
const AT_A_TIME = 2;

/**
 * Hashes that may queue. Anyone can cause one, also with an unknown address, before the throttle: with an
 * unbounded queue a stranger decides how long an administrator waits. This many take a few seconds.
 */
const WAITING_MAX = { anyone: 200, known: 50 };
const AGAIN_AFTER_SECONDS = 2;

/**
 * `known`: devices that signed in before and sessions, which strangers cannot flood and which are
 * throttled individually. They have their own queue with priority, so a flood of sign-ins from elsewhere
 * does not delay them.
 */
export type Lane = keyof typeof WAITING_MAX;

let running = 0;
const waiting: Record<Lane, (() => void)[]> = { anyone: [], known: [] };

async function inTurn<T>(
  work: () => Promise<T>,
  lane: Lane,
  waitingMax = WAITING_MAX[lane],
): Promise<T> {
  if (running >= AT_A_TIME && waiting[lane].length >= waitingMax) {
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: AGAIN_AFTER_SECONDS });
  }
  if (running >= AT_A_TIME) await new Promise<void>((resolve) => waiting[lane].push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // The place passes to the one that waits longest, or is released.
    const next = waiting.known.shift() ?? waiting.anyone.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Hashes a new password, which strangers cannot set. Throws UNAVAILABLE while too many are queued. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => argon2.hash(password, ARGON2), 'known');
}

/** A hash of no password: verifying against it takes as long as against a real one. */
let decoy: Promise<string> | undefined;

/**
 * Whether the password is right. For an unknown account (`stored` null) the same work is done and the
 * result is false, so that timing does not reveal which addresses exist. Throws UNAVAILABLE while too
 * many are queued.
 */
export function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  return verifyQueued(stored, password, 'anyone', (isRight) => isRight());
}

/**
 * Like `verifyPassword`, with a callback once a place is free: `work` may refuse before it verifies the
 * password, and record the result before the next one starts.
 */
export async function verifyQueued<T>(
  stored: string | null,
  password: string,
  lane: Lane,
  work: (isRight: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  // It is remembered, so it must not reject.
  decoy ??= inTurn(
    () => argon2.hash(crypto.randomUUID(), ARGON2),
    'known',
    Number.POSITIVE_INFINITY,
  );
  const against = stored ?? (await decoy);
  return inTurn(
    () => work(async () => (await argon2.verify(against, password)) && stored !== null),
    lane,
  );
}
