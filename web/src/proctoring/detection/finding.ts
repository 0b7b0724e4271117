import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import type { CountingType, FlagType } from '@invigil/core/domain/violation-types';

/** Something that was detected. Whether it counts, and what follows, the server alone decides. */
export interface Finding {
  type: CountingType | FlagType;
  /** When, in milliseconds of the page's monotonic clock. */
  at: number;
  /** How long it lasted, where that means something; milliseconds. */
  durationMs: number | null;
  /** What it looked like in numbers, for the person who reviews. */
  notes: string | null;
  /** Which detector judged; `null` where the page itself detected. */
  engine: string | null;
}

export function finding(
  type: Finding['type'],
  at: number,
  { notes = null, durationMs = null, engine = null }: Partial<Omit<Finding, 'type' | 'at'>> = {},
): Finding {
  // A device clock that was set looks like a sleep of any length; more than a day is told as a day.
  const told = durationMs === null ? null : Math.min(VIOLATION_LIMITS.ageMaxMs, durationMs);
  return { type, at, durationMs: told, notes, engine };
}
