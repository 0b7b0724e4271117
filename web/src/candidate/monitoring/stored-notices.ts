import { COUNTING_TYPES, FLAG_TYPES } from '@invigil/core/domain/violations/violation-types';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import type { DetectedItem } from './notice-board.ts';

const StoredNotices = z.object({
  participantId: z.string(),
  detected: z.array(
    z.object({
      id: z.string(),
      type: z.enum([...COUNTING_TYPES, ...FLAG_TYPES]),
      /** milliseconds since 1970 */
      at: z.number(),
      durationMs: z.number().nullable(),
      counted: z.object({ count: z.int(), limit: z.int().nullable() }).nullable(),
      noted: z.boolean(),
    }),
  ),
});

const storedNoticesKey = localKey('detected', StoredNotices);

/** Stores the strip's content for a reload. Deleted with the other copies at the end. */
export function storeNotices(participantId: string, detected: readonly DetectedItem[]): void {
  const rows = detected.map((item) => ({ ...item, at: item.at.getTime() }));
  storedNoticesKey.write({ participantId, detected: rows });
}

/** The stored notices of this attempt, newest first. */
export function readStoredNotices(participantId: string): DetectedItem[] {
  const kept = storedNoticesKey.read();
  if (kept?.participantId !== participantId) return [];
  return kept.detected.map((item) => ({ ...item, at: new Date(item.at) }));
}
