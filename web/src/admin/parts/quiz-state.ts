import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import { type QuizStatus, type QuizTimes, statusOf } from '@invigil/core/domain/quiz-status';
import { formatDateTime } from '../../lib/format.ts';

export type QuizState = QuizStatus | 'not_ready';

/** How an assessment stands, in one word (the badge of that name) and one sentence. */
export function stateOf(
  quiz: QuizTimes & Pick<Quiz, 'endDate' | 'questionCount' | 'totalQuestions'>,
  now: number,
): { state: QuizState; sentence: string } {
  const { opensAt, endDate, questionCount, totalQuestions } = quiz;
  const status = statusOf(quiz, now);
  const isStartable = status === 'active' || status === 'opens';
  if (isStartable && questionCount < totalQuestions) {
    return { state: 'not_ready', sentence: `${questionCount} of ${totalQuestions} questions.` };
  }
  const at = (moment: string | null | undefined) => (moment ? formatDateTime(moment) : '–');
  const sentences: Record<QuizStatus, string> = {
    inactive: 'No one can start or be invited.',
    ended: `Ended on ${at(endDate)}.`,
    opens: `Opens at ${at(opensAt)}.`,
    active: endDate === null ? 'Open, without an end date.' : `Open until ${at(endDate)}.`,
  };
  return { state: status, sentence: sentences[status] };
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
