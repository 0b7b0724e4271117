import { COUNTING_TYPES, FLAG_TYPES } from '@invigil/core/domain/violation-types';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import type { DetectedItem } from './notice-board.ts';

const KeptNotices = z.object({
  participantId: z.string(),
  noticed: z.array(
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

const keptNoticesKey = localKey('noticed', KeptNotices);

/** What the strip shows, for after a reload. It goes with the other copies at the end of the attempt. */
export function keepNotices(participantId: string, noticed: readonly DetectedItem[]): void {
  const rows = noticed.map((item) => ({ ...item, at: item.at.getTime() }));
  keptNoticesKey.write({ participantId, noticed: rows });
}

/** What an earlier page of this attempt has kept, newest first. Another attempt's is left alone. */
export function readKeptNotices(participantId: string): DetectedItem[] {
  const kept = keptNoticesKey.read();
  if (kept?.participantId !== participantId) return [];
  return kept.noticed.map((item) => ({ ...item, at: new Date(item.at) }));
}
