import { z } from 'zod';
import { endpoint, IdParams, Instant } from './endpoint.ts';
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

export const readEvidence = endpoint({
  method: 'GET',
  path: '/api/evidence/:id',
  access: ['admin'],
  summary: 'Stills and level curve of one upload; each view goes into the audit log',
  params: IdParams,
  responses: { 200: Evidence },
  errors: ['NOT_FOUND', 'EVIDENCE_GONE'],
});
