import { BUDGET_LIMITS } from '@invigil/core/domain/limits';
import { onTestFinished, vi } from 'vitest';
import type { TestApp } from './test-app.ts';

/**
 * Uses up the budget of a session, by its cookie, or of a network, by an address. Time stands still, so that
 * nothing is refilled until the end of the test.
 */
export function useUpBudget(
  { context: { budgets } }: TestApp,
  of: { session: string } | { network: string },
): void {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now);
  const isSession = 'session' in of;
  const bucket = isSession ? budgets.callerOf(of.session)?.bucket : budgets.networkOf(of.network);
  if (!bucket) throw new Error('no such budget');
  while (bucket.take(1, now) === 0);
  const { burst } = isSession ? BUDGET_LIMITS.session : BUDGET_LIMITS.network;
  onTestFinished(() => void bucket.take(-burst, performance.now()));
}
