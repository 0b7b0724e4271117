import type { Logger } from 'pino';

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
