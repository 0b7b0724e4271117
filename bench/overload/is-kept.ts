import type { OverloadRun } from './run-overload.ts';

/** What an attack did. After it the p99 is that from before, within what two measurements differ by anyhow. */
type Effects = Pick<
  OverloadRun,
  'ratio' | 'limit' | 'ratioAfter' | 'troubled' | 'moved' | 'overdue'
>;

/** Whether the service kept its word under every attack, and its parent ended none of its processes. */
export function isKept({ runs, killed }: { runs: Effects[]; killed: string[] }): boolean {
  return killed.length === 0 && runs.length > 0 && runs.every(isUnharmed);
}

function isUnharmed({ ratio, limit, ratioAfter, troubled, moved, overdue }: Effects): boolean {
  return ratio <= limit && ratioAfter <= 2 && troubled === 0 && moved === 0 && overdue === 0;
}
