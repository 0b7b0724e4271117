import type { Logger } from 'pino';

/** The result of the work, or `tooLate`'s error after the time limit. The work itself continues. */
export async function within<T>(ms: number, work: Promise<T>, tooLate: () => Error): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooLate()), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs steps one after the other. One that fails is logged with its name and does not stop the others.
 *
 * @throws the first failure, after all have run
 */
export async function everyStep(
  log: Logger,
  steps: Record<string, () => Promise<unknown>>,
): Promise<void> {
  let hasFailed = false;
  let first: unknown;
  for (const [step, work] of Object.entries(steps)) {
    try {
      await work();
    } catch (error) {
      log.error({ err: error, step }, 'a step of a job failed; the others continue');
      if (!hasFailed) first = error;
      hasFailed = true;
    }
  }
  if (hasFailed) throw first;
}
