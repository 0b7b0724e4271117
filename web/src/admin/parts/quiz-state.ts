import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import { formatDateTime } from '../../lib/format.ts';

export type QuizState = 'inactive' | 'ended' | 'not_ready' | 'opens' | 'active';

type Times = Pick<
  Quiz,
  'isActive' | 'isOpen' | 'opensAt' | 'endDate' | 'questionCount' | 'totalQuestions'
>;

/** How an assessment stands, in one word (the badge of that name) and one sentence. */
export function stateOf(quiz: Times, now: number): { state: QuizState; sentence: string } {
  const { opensAt, endDate, questionCount, totalQuestions } = quiz;
  if (!quiz.isActive) return { state: 'inactive', sentence: 'No one can start or be invited.' };
  if (!quiz.isOpen) {
    return {
      state: 'ended',
      sentence: `Ended on ${endDate === null ? '–' : formatDateTime(endDate)}.`,
    };
  }
  if (questionCount < totalQuestions) {
    return { state: 'not_ready', sentence: `${questionCount} of ${totalQuestions} questions.` };
  }
  if (opensAt !== undefined && Date.parse(opensAt) > now) {
    return { state: 'opens', sentence: `Opens at ${formatDateTime(opensAt)}.` };
  }
  return {
    state: 'active',
    sentence:
      endDate === null ? 'Open, without an end date.' : `Open until ${formatDateTime(endDate)}.`,
  };
}

export type NextStep = 'questions' | 'invite' | 'watch' | 'review' | 'report';

/** The most likely next step that the reader may take; `null`: nothing waits, or the counts are not known. */
export function nextStepOf(
  state: QuizState,
  counts: InvitationCounts | undefined,
  isTheirs: (step: NextStep) => boolean = () => true,
): NextStep | null {
  const steps: [step: NextStep, isDue: boolean][] = [
    ['questions', state === 'not_ready'],
    ['watch', (counts?.started ?? 0) > 0],
    ['review', (counts?.to_review ?? 0) > 0],
    ['invite', counts !== undefined && (state === 'active' || state === 'opens')],
    ['report', (counts?.finished ?? 0) > 0],
  ];
  return steps.find(([step, isDue]) => isDue && isTheirs(step))?.[0] ?? null;
}

export const QUIZ_STATUSES = ['active', 'ended', 'inactive'] as const;
type QuizStatus = (typeof QUIZ_STATUSES)[number];

/** Ended: the end date has passed, so it is not active regardless of its switch. */
export function statusOf({ isActive, isOpen }: Pick<Quiz, 'isActive' | 'isOpen'>): QuizStatus {
  if (!isActive) return 'inactive';
  return isOpen ? 'active' : 'ended';
}
