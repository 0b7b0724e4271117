import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { extraTimeOf, minutesWithExtra } from '@invigil/core/domain/attempt';
import { durationText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useMayOnQuiz, useUpdateQuiz } from '../data/assessments.ts';
import { showFailure } from '../data/show-failure.ts';

const dateOf = (iso: string | null | undefined) => (iso ? new Date(iso) : null);

/** '75 minutes instead of 60.', as the email says them. */
export const minutesText = ({ duration }: Quiz, factor: number): string =>
  t(
    /* {time}: '75 minutes', {minutes}: '60' */ 'people.extraTime.minutes',
    '{time} instead of {minutes}.',
    {
      time: durationText(minutesWithExtra(duration, factor)),
      minutes: duration,
    },
  );

/** The same, and what the end date leaves of them. */
export const extraTimeText = (quiz: Quiz, factor: number): string =>
  [minutesText(quiz, factor), ...cutText(quiz, factor)].join(' ');

function cutText(quiz: Quiz, factor: number): string[] {
  const times = { ...quiz, opensAt: dateOf(quiz.opensAt), endDate: dateOf(quiz.endDate) };
  const time = extraTimeOf(times, factor, new Date());
  if (!time?.startBy || quiz.endDate === null) return [];
  const end = formatDateTime(quiz.endDate);
  const minutes = durationText(time.minutes);
  return time.atMost < time.minutes
    ? [
        t(
          /* {minutes}: '75 minutes', {most}: '40' */ 'people.extraTime.left',
          'The assessment ends {end}: at most {most} of the {minutes} are left.',
          { end, most: time.atMost, minutes },
        ),
      ]
    : [
        t(
          /* {minutes}: '75 minutes' */ 'people.extraTime.startBy',
          'The assessment ends {end}: whoever has {minutes} must start by {start} to have them all.',
          { end, minutes, start: formatDateTime(time.startBy.toISOString()) },
        ),
      ];
}

/** Says that the end date cuts extra time, with the way out for those who may change the assessment. */
export function ExtraTimeCut({ quiz, factors }: { quiz: Quiz; factors: readonly number[] }) {
  const may = useMayOnQuiz(quiz);
  const update = useUpdateQuiz(quiz.id);
  const { title, categoryId, duration, totalQuestions, version } = quiz;
  const [text] = cutText(quiz, Math.max(1, ...factors));
  if (text === undefined) return null;
  const letFinish = () =>
    update.mutate(
      { ...{ title, categoryId, duration, totalQuestions, version }, finishAfterEnd: true },
      {
        onSuccess: () =>
          toast({
            title: t(
              'people.extraTime.mayFinish',
              'People who have started can finish after the end date',
            ),
          }),
        onError: (error) =>
          showFailure(
            t('people.extraTime.mayFinishFailed', 'Failed to change the assessment'),
            error,
          ),
      },
    );
  return (
    <Notice
      tone="warn"
      action={
        may('quizzes.edit') && (
          <Button
            size="dense"
            busy={update.isPending && t('portal.saving', 'Saving…')}
            onClick={letFinish}
          >
            {t(
              /* a button; them: people who have started */ 'people.extraTime.letFinish',
              'Let them finish after the end date',
            )}
          </Button>
        )
      }
    >
      {text}
    </Notice>
  );
}
