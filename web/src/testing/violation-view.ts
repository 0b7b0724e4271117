import type { Violation } from '@invigil/core/contract/violation-views';

/** A face that was not seen, counted, as the record tells it. */
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
