import type { Violation } from '@invigil/core/contract/attempts/violation-views';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { Participant } from '@invigil/core/contract/review/participants';

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

type RecordQuestion = ParticipantRecord['questions'][number];

/** A wrong answer, as in the record. */
export const recordQuestion = (change: Partial<RecordQuestion> = {}): RecordQuestion => ({
  position: 1,
  questionId: 'q',
  question: 'Which?',
  options: ['yes', 'no'],
  correctAnswer: 'no',
  selectedOption: 'yes',
  isFlagged: false,
  isCorrect: false,
  savedAt: null,
  ...change,
});

/** A completed attempt of the list. */
export const PARTICIPANT: Participant = {
  id: '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2',
  userId: 'u',
  quizId: 'q',
  userEmail: 'a.rahman@example.org',
  quizTitle: 'Network Fundamentals',
  status: 'completed',
  score: 22,
  totalMarks: 25,
  violationCount: 1,
  violationLimit: 3,
  timeSpent: 396,
  startedAt: new Date(2026, 4, 14, 12, 5).toISOString(),
  submittedAt: null,
  submissionType: 'manual',
  attempt: 1,
  answeredCount: 25,
  verdict: null,
  toReview: false,
  fullscreenExits: 0,
  tabSwitches: 0,
  reviewFlags: 0,
};
