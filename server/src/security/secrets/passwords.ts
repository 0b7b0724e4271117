import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../runtime/app-error.ts';

/** Argon2id (the library's default kind) with 19 MiB and two passes: OWASP's advice and product 5. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes at the same time at most, so that sign-ins cannot take every core (product 5). */
const AT_A_TIME = 2;

/**
 * Hashes that may wait. Each is bought by anyone who asks, also with an address that no one has, and
 * never asked twice by the throttle: without an end to the queue a stranger decides how long an
 * administrator waits. This many take a few seconds.
 */
const WAITING_MAX = { anyone: 200, known: 50 };
const AGAIN_AFTER_SECONDS = 2;

/**
 * `known`: devices that signed in before and sessions, which strangers cannot fill and which are
 * throttled one by one. They have their own places and are served first, so a flood of sign-ins from
 * elsewhere does not hold them up.
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
    // The turn passes to the one that waits longest, or is given back.
    const next = waiting.known.shift() ?? waiting.anyone.shift();
    if (next) next();
    else running -= 1;
  }
}

/** For a new password: strangers set none. Throws UNAVAILABLE while too many wait. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, ARGON2), 'known');
}

/** A hash that no password has: verifying against it takes as long as against a real one. */
let nobody: Promise<string> | undefined;

/**
 * Whether the password is right. For an unknown account (`stored` null) the same work is done and
 * the answer is no, so that time does not tell which addresses exist. Throws UNAVAILABLE while too
 * many wait.
 */
export function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  return verifyInTurn(stored, password, 'anyone', (isRight) => isRight());
}

/**
 * As `verifyPassword`, with something to do when the turn has come: `work` may refuse before it lets
 * the password be judged, and note the outcome before the next one's turn.
 */
export async function verifyInTurn<T>(
  stored: string | null,
  password: string,
  lane: Lane,
  work: (isRight: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  // It is kept, so it must not be refused.
  nobody ??= inTurn(() => hash(crypto.randomUUID(), ARGON2), 'known', Number.POSITIVE_INFINITY);
  const against = stored ?? (await nobody);
  return inTurn(() => work(async () => (await verify(against, password)) && stored !== null), lane);
}
