import type { CountingType, FlagType } from '@invigil/core/domain/violation-types';

/** Something that was noticed. Whether it counts, and what follows, the server alone decides. */
export interface Finding {
  type: CountingType | FlagType;
  /** When, in milliseconds of the page's monotonic clock. */
  at: number;
  /** How long it lasted, where that means something; milliseconds. */
  durationMs: number | null;
  /** What it looked like in numbers, for the person who reviews. */
  notes: string | null;
  /** Which detector judged; `null` where the page itself noticed. */
  engine: string | null;
}

export function finding(
  type: Finding['type'],
  at: number,
  { notes = null, durationMs = null, engine = null }: Partial<Omit<Finding, 'type' | 'at'>> = {},
): Finding {
  return { type, at, durationMs, notes, engine };
}
