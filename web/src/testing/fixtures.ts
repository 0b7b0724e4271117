import type { Account } from '@invigil/core/contract/accounts/auth';
import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import type { Person } from '@invigil/core/contract/invitations/people';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import type { Session } from '../lib/person/session.tsx';

const policy = { ...STRICT_POLICY, version: 1 };

/** An ordinary assessment. */
export const QUIZ: Quiz = {
  id: 'q',
  title: 'Network Fundamentals',
  description: null,
  categoryId: 'c',
  category: 'Engineering',
  duration: 25,
  totalQuestions: 25,
  questionCount: 32,
  endDate: null,
  finishAfterEnd: false,
  closingMail: false,
  isActive: true,
  isOpen: true,
  policy,
  version: 1,
  createdAt: '2026-05-04T09:00:00Z',
};

/** A running attempt of it. */
export const ATTEMPT: OwnParticipant = {
  id: 'p',
  userId: 'u',
  quizId: 'q',
  status: 'in_progress',
  startedAt: '2026-05-14T09:35:00Z',
  deadlineAt: '2026-05-14T10:00:00Z',
  remainingMs: 1_000_000,
  serverTime: '2026-05-14T09:40:00Z',
  totalQuestions: 3,
  answeredCount: 0,
  violationCount: 0,
  fullscreenExits: 0,
  tabSwitches: 0,
  policy,
  submittedAt: null,
  timeSpent: 300,
  submissionType: null,
};

/** A question of a paper. */
export const paperQuestion = (id: string, change: Partial<PaperQuestion> = {}): PaperQuestion => ({
  id,
  quizId: 'q',
  type: 'multiple_choice',
  question: `${id}?`,
  options: ['yes', 'no'],
  orderNumber: 1,
  ...change,
});

export const CANDIDATE: Account = {
  user: { id: 'u', email: 'a.rahman@example.org' },
  quiz: QUIZ,
  role: 'participant',
  attempt: null,
};

export const ADMIN: Account = {
  grants: [{ role: 'owner' }],
  user: { id: 'a', email: 'admin@example.org' },
  quiz: null,
  role: 'admin',
  attempt: null,
};

/** Someone with a name, a number and groups. */
export const PERSON: Person = {
  ...{ id: 'u', email: 'ada@example.org', givenName: 'Ada', familyName: 'Lovelace' },
  ...{ externalId: 'S1', groups: ['2A', 'Chess'], language: 'en', note: '', formerEmails: [] },
  ...{ fields: {}, extraTime: 0 },
  createdAt: '2026-05-04T09:00:00Z',
};

/** A refusal by the server. */
export function refusal(status: number, code: string, more: object = {}): Response {
  const body = { statusCode: status, error: 'Refused', code, message: 'A sentence.', ...more };
  return Response.json(body, { status });
}

/** The session of an account, or none. */
export function sessionOf(account: Account | null): Session {
  return {
    account,
    receivedAt: performance.now(),
    status: 'ready',
    signedIn: () => undefined,
    signOut: () => Promise.resolve(),
    refresh: () => Promise.resolve(account),
  };
}
