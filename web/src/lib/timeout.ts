const TIMEOUT_MS = 4_000;
/**
 * Some browsers never open a database and report no error (private windows, a hung profile). Others
 * only need longer the first time: on a slow disk, or while everything else of the page loads.
 */
export const OPENING_TIMEOUT_MS = 10_000;
/** On a busy page the timer may fire before a reply that is already queued: process it first. */
const LAST_MOMENT_MS = 100;

/** Rejects if the work takes longer than `ms` milliseconds: storage may never respond. */
export function withTimeout<T>(work: Promise<T>, what: string, ms = TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error(`${what} took too long`));
    timer = setTimeout(() => {
      timer = setTimeout(giveUp, LAST_MOMENT_MS);
    }, ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Waits for the work for at most `ms` milliseconds. Rejects only if the work rejects. */
export async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, enough]).finally(() => clearTimeout(timer));
}
