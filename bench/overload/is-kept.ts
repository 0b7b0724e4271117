import { median } from '../statistics.ts';
import type { OverloadRun } from './run-overload.ts';

/** Effects of an attack. `ratioAfter` allows for the variation of two measurements. */
type Effects = Pick<
  OverloadRun,
  'ratio' | 'limit' | 'ratioAfter' | 'rounds' | 'troubled' | 'moved' | 'overdue'
>;

/** Whether the service kept its promises under every attack, and no process was killed. */
export function isKept({ runs, killed }: { runs: Effects[]; killed: string[] }): boolean {
  return killed.length === 0 && runs.length > 0 && runs.every(isUnharmed);
}

/** The highest p99 of honest saves during an attack, in milliseconds. */
export const MOST_MS = 500;

function isUnharmed(effects: Effects): boolean {
  const { ratio, limit, ratioAfter, rounds, troubled, moved, overdue } = effects;
  const slowest = rounds.map(({ duringMs, afterMs }) => Math.max(duringMs, afterMs));
  const isQuick = median(slowest) <= MOST_MS;
  // Without a limit, what is still waiting may take a little longer.
  const isSame = limit === null ? ratio > 0 : ratio <= limit && ratioAfter <= 2;
  return isQuick && isSame && troubled === 0 && moved === 0 && overdue === 0;
}
