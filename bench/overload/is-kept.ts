import type { OverloadRun } from './run-overload.ts';

/** Effects of an attack. `ratioAfter` allows for the variation of two measurements. */
type Effects = Pick<
  OverloadRun,
  'ratio' | 'limit' | 'ratioAfter' | 'troubled' | 'moved' | 'overdue'
>;

/** Whether the service kept its promises under every attack, and no process was killed. */
export function isKept({ runs, killed }: { runs: Effects[]; killed: string[] }): boolean {
  return killed.length === 0 && runs.length > 0 && runs.every(isUnharmed);
}

function isUnharmed({ ratio, limit, ratioAfter, troubled, moved, overdue }: Effects): boolean {
  return ratio <= limit && ratioAfter <= 2 && troubled === 0 && moved === 0 && overdue === 0;
}
