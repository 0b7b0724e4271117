import { z } from 'zod';
import { endpoint, Instant } from '../definition/endpoint.ts';

/** When an assessment opens, for those who wait. */
export const OpeningNews = z.object({
  opensAt: Instant.nullable(),
  /** 0 once it has opened */
  opensInMs: z.int(),
  /** The institution's time zone, by its IANA name. */
  timeZone: z.string(),
  /** `isOpen` of the assessment: false for one that was closed since then. */
  isOpen: z.boolean(),
});
export type OpeningNews = z.infer<typeof OpeningNews>;

/** One frame `event: opening` with OpeningNews at once, another after each change of the assessment. */
export const streamOpening = endpoint('GET /api/opening/events', ['participant'], {
  summary: 'Event stream of a candidate who waits for the assessment to open',
  responses: { 200: z.unknown() },
  produces: 'text/event-stream',
});
