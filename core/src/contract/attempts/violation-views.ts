import { z } from 'zod';
import { COUNTING_TYPES, FLAG_TYPES } from '../../domain/violations/violation-types.ts';
import { Instant } from '../definition/endpoint.ts';
import { PersonEvidence } from './evidence-views.ts';

export const Violation = z.object({
  id: z.string(),
  type: z.enum([...COUNTING_TYPES, ...FLAG_TYPES]),
  /** When it happened, by the service's clock. */
  at: Instant,
  receivedAt: Instant,
  counted: z.boolean(),
  /** How urgent it is for a reviewer; see domain/violation-types.ts. */
  level: z.enum(['high', 'low', 'info']),
  notes: z.string().nullable(),
  durationMs: z.int().nullable(),
  /** The detector that classified it; null where none did. */
  engine: z.string().nullable(),
  candidateNote: z.string().nullable(),
  evidence: PersonEvidence,
});
export type Violation = z.infer<typeof Violation>;
