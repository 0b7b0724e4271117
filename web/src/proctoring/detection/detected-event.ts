import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import type { CountingType, FlagType } from '@invigil/core/domain/violations/violation-types';

/** Something that was detected. Only the server decides whether it counts and what follows. */
export interface DetectedEvent {
  type: CountingType | FlagType;
  /** When, in milliseconds of the page's monotonic clock. */
  at: number;
  /** How long it lasted, where that means something; milliseconds. */
  durationMs: number | null;
  /** Measurements, for the reviewer. */
  notes: string | null;
  /** The detector that ran; `null` for page events. */
  engine: string | null;
}

export function detectedEvent(
  type: DetectedEvent['type'],
  at: number,
  {
    notes = null,
    durationMs = null,
    engine = null,
  }: Partial<Omit<DetectedEvent, 'type' | 'at'>> = {},
): DetectedEvent {
  // A device clock that was changed looks like a sleep of any length: cap it.
  const capped = durationMs === null ? null : Math.min(VIOLATION_LIMITS.ageMaxMs, durationMs);
  return { type, at, durationMs: capped, notes, engine };
}
