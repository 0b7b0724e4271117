import { availableParallelism } from 'node:os';
import { readTimes } from '../answer-path/processor-time.ts';

/** Measures the processor share of other programs until `end`; `undefined` without /proc. */
export function watchOtherLoad(who: { app: number; postmaster: number }): {
  end(): number | undefined;
} {
  const before = readTimes(who);
  const own = process.cpuUsage();
  const began = performance.now();
  return {
    end() {
      const after = readTimes(who);
      if (!before || !after) return undefined;
      const { user, system } = process.cpuUsage(own);
      const others =
        after.machine -
        before.machine -
        (after.app - before.app) -
        (after.postgres - before.postgres) -
        user -
        system;
      const available = (performance.now() - began) * 1_000 * availableParallelism();
      return Math.max(0, Math.round((others / available) * 100) / 100);
    },
  };
}
