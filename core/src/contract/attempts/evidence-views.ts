import { z } from 'zod';
import { classified } from '../definition/classified.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import { LevelCurve } from './evidence.ts';

/** Evidence without its content. */
export const EvidenceSummary = z.object({
  id: z.string(),
  /** The moment it shows. */
  at: Instant,
  receivedAt: Instant,
  stills: z.int(),
  hasLevels: z.boolean(),
  bytes: z.int(),
});
/** Pictures show who someone is. */
export const PersonEvidence = classified(['person'], z.array(EvidenceSummary), []);
export type EvidenceSummary = z.infer<typeof EvidenceSummary>;

/** Stills and level curve of one upload, decrypted. */
export const Evidence = z.object({
  id: z.string(),
  participantId: z.string(),
  violationId: z.string().nullable(),
  at: Instant,
  stills: z.array(
    z.object({
      /** Milliseconds from the moment; negative: before it. */
      offsetMs: z.int(),
      /** base64 */
      jpeg: z.string(),
    }),
  ),
  levels: LevelCurve.nullable(),
});
export type Evidence = z.infer<typeof Evidence>;

/** The evidence that one view opened, in the order of the moments. */
export const OpenedEvidence = z.object({
  evidence: z.array(Evidence),
  /** Uploads that exist but can no longer be read. */
  unreadable: z.int(),
  /** Cursor of the next page, to be sent as `after`. */
  next: z.string().nullable(),
});
export type OpenedEvidence = z.infer<typeof OpenedEvidence>;

export const readEvidence = endpoint('GET /api/evidence', ['anywhere: evidence.see'], {
  audit: 'evidence.viewed',
  summary:
    'Stills and level curves of a violation, or without one the periodic stills; each view is one entry of the audit log',
  query: z.object({
    participantId: Id,
    violationId: Id.optional(),
    /** The last upload that was read. */
    after: Id.optional(),
  }),
  responses: { 200: OpenedEvidence },
  errors: ['NOT_FOUND', 'EVIDENCE_GONE'],
});
