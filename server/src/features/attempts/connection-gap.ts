import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';

/**
 * The event of a connection gap that ends now, or `undefined` when the browser's last contact was recent.
 * A gap is recorded and never counted (product 6).
 */
export function gapSince(lastSeenAt: Date, now: Date) {
  if (now.getTime() - lastSeenAt.getTime() <= ATTEMPT_LIMITS.connectionGapMs) return undefined;
  return { kind: 'gap' as const, at: now, details: { from: lastSeenAt.toISOString() } };
}
