import type { Logger } from 'pino';

/**
 * Does one thing after the other. One that fails is logged with its name and holds up none of the
 * others.
 *
 * @throws the first failure, after all have had their turn
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
      log.error({ err: error, step }, 'a step of a job failed; the others go on');
      if (!hasFailed) first = error;
      hasFailed = true;
    }
  }
  if (hasFailed) throw first;
}
