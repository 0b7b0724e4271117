import { hash, verify } from '@node-rs/argon2';

/** Argon2id (the library's default kind) with 19 MiB and two passes: OWASP's advice and product 5. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes at the same time at most, so that sign-ins cannot take every core (product 5). */
const AT_A_TIME = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // The turn passes to the one that waits longest, or is given back.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, ARGON2));
}

/** A hash that no password has: verifying against it takes as long as against a real one. */
let nobody: Promise<string> | undefined;

/**
 * Whether the password is right. For an unknown account (`stored` null) the same work is done and
 * the answer is no, so that time does not tell which addresses exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword(crypto.randomUUID());
  const against = stored ?? (await nobody);
  const right = await inTurn(() => verify(against, password));
  return right && stored !== null;
}
