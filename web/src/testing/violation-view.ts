import type { Violation } from '@invigil/core/contract/attempts/violation-views';

/** A counted violation of a missing face, as in the record. */
export const violation = (change: Partial<Violation> = {}): Violation => ({
  id: 'v',
  type: 'face_not_detected',
  at: '2026-05-14T10:06:00.000Z',
  receivedAt: '2026-05-14T10:06:01.000Z',
  counted: true,
  level: 'high',
  notes: null,
  durationMs: null,
  engine: null,
  candidateNote: null,
  evidence: [],
  ...change,
});
