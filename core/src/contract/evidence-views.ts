import { z } from 'zod';
import { endpoint, Id, Instant } from './endpoint.ts';
import { LevelCurve } from './evidence.ts';

/** That there is evidence, without showing it. */
export const EvidenceSummary = z.object({
  id: z.string(),
  /** The moment it is about. */
  at: Instant,
  receivedAt: Instant,
  stills: z.int(),
  hasLevels: z.boolean(),
  bytes: z.int(),
});
export type EvidenceSummary = z.infer<typeof EvidenceSummary>;

/** Stills and level curve of one upload, opened. */
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

/** What was opened with one look, in the order of the moments. */
export const OpenedEvidence = z.object({
  evidence: z.array(Evidence),
  /** Uploads that are there and cannot be read any more. */
  unreadable: z.int(),
  /** There is more: ask again with this as `after`. */
  next: z.string().nullable(),
});
export type OpenedEvidence = z.infer<typeof OpenedEvidence>;

export const readEvidence = endpoint({
  method: 'GET',
  path: '/api/evidence',
  access: ['admin'],
  summary:
    'Stills and level curves of a violation, or without one the stills in between; each look is one entry of the audit log',
  query: z.object({
    participantId: Id,
    violationId: Id.optional(),
    /** The last upload that was read. */
    after: Id.optional(),
  }),
  responses: { 200: OpenedEvidence },
  errors: ['NOT_FOUND', 'EVIDENCE_GONE'],
});
