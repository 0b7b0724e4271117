import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import { type QuizStatus, type QuizTimes, statusOf } from '@invigil/core/domain/quiz-status';
import { t } from '@invigil/core/texts/i18n';
import { formatDateTime } from '../../lib/format.ts';

export type QuizState = QuizStatus | 'not_ready';

/** How an assessment stands, in one word (the badge of that name) and one sentence. */
export function stateOf(
  quiz: QuizTimes &
    Pick<Quiz, 'endDate' | 'startBy' | 'timeRules' | 'questionCount' | 'totalQuestions'>,
  now: number,
): { state: QuizState; sentence: string } {
  const { opensAt, endDate, startBy, timeRules, questionCount, totalQuestions } = quiz;
  const status = statusOf(quiz, now);
  const isStartable = status === 'active' || status === 'opens';
  if (isStartable && questionCount < totalQuestions) {
    return {
      state: 'not_ready',
      sentence: t(
        /* an assessment has so many of the questions that it needs */ 'parts.quizState.notReady',
        '{count, plural, one {{written} of # question.} other {{written} of # questions.}}',
        { written: questionCount, count: totalQuestions },
      ),
    };
  }
  const at = (moment: string | null | undefined) => (moment ? formatDateTime(moment) : '–');
  const sentences: Record<QuizStatus, string> = {
    inactive: t('parts.quizState.inactive', 'No one can start or be invited.'),
    ended:
      startBy === undefined
        ? t('parts.quizState.ended', 'Ended on {time}.', { time: at(endDate) })
        : t(
            /* said of an assessment; past: the latest time to start */ 'parts.quizState.startedUntil',
            'Could be started until {time}.',
            { time: at(startBy) },
          ),
    opens: t('parts.quizState.opens', 'Opens at {time}.', { time: at(opensAt) }),
    active:
      startBy !== undefined && Date.parse(startBy) > now
        ? t(
            /* said of an assessment; the latest time to start */ 'parts.quizState.startUntil',
            'Can be started until {time}.',
            { time: at(startBy) },
          )
        : endDate === null
          ? t(/* said of an assessment */ 'parts.quizState.open', 'Open, without an end date.')
          : timeRules !== undefined && Date.parse(endDate) <= now
            ? t(
                /* said of an assessment whose end date has passed */ 'parts.quizState.openToGroups',
                'Open for groups with a later end.',
              )
            : t('parts.quizState.openUntil', 'Open until {time}.', { time: at(endDate) }),
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
