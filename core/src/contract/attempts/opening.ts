import { z } from 'zod';
import { REQUEST_LIMITS } from '../../domain/limits.ts';
import { KnownStartTogether } from '../assessments/quiz.ts';
import { endpoint, Instant } from '../definition/endpoint.ts';

/** The start with all others, for one candidate. */
export const CommonStart = KnownStartTogether.extend({
  /** Milliseconds until those who are late can no longer start, 0: they cannot; absent: it has not come. */
  lateForMs: z.int().optional(),
});
export type CommonStart = z.infer<typeof CommonStart>;

/** When an assessment opens, for those who wait. */
export const OpeningNews = z.object({
  opensAt: Instant.nullable(),
  /** 0 once it has opened */
  opensInMs: z.int(),
  /** The institution's time zone, by its IANA name. */
  timeZone: z.string(),
  /** `isOpen` of the assessment: false for one that was closed since then. */
  isOpen: z.boolean(),
  /** Absent: the candidate need not wait for others. */
  startTogether: CommonStart.optional(),
});
export type OpeningNews = z.infer<typeof OpeningNews>;

/** One frame `event: opening` with OpeningNews at once, another after each change of the assessment. */
export const streamOpening = endpoint('GET /api/opening/events', ['participant'], {
  summary: 'Event stream of a candidate who waits for the assessment to open',
  responses: { 200: z.unknown() },
  produces: 'text/event-stream',
});

/** Repeated while the page waits, so that invigilators see who is ready. */
export const reportWaiting = endpoint('POST /api/opening/waiting', ['participant'], {
  summary: 'Says that a candidate is through the device check and waits for the common start',
  responses: { 200: OpeningNews },
  bodyLimit: REQUEST_LIMITS.smallBodyBytes,
});
