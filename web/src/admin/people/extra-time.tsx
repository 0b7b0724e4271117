import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { Invitation } from '@invigil/core/contract/invitations/invitations';
import { extraTimeOf, minutesWithExtra } from '@invigil/core/domain/attempt';
import type { TimeRule } from '@invigil/core/domain/schedule';
import { durationText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useMayOnQuiz, useUpdateQuiz } from '../data/assessments.ts';
import { showFailure } from '../data/show-failure.ts';

/** The times of an assessment, or of a person where theirs are others. */
type Timed = Pick<Quiz, 'duration' | 'endDate' | 'finishAfterEnd'> & {
  opensAt?: string | null | undefined;
};

/**
 * The times of a person with other ones of their own than those that are stored; null: not known, because those of
 * their group would count again.
 *
 * @param own absent: those that are stored
 */
export function timesWith(
  quiz: Quiz,
  { times, ownTimes }: Pick<Invitation, 'times' | 'ownTimes'>,
  own: TimeRule | null = ownTimes ?? null,
): Timed | null {
  const isBack = (part: keyof TimeRule) => ownTimes?.[part] !== undefined && !own?.[part];
  const isWindowBack = isBack('window');
  const areMinutesBack = isBack('minutes');
  if (quiz.timeRules !== undefined && (isWindowBack || areMinutesBack)) return null;
  const known = { ...quiz, ...times };
  const { opensAt, endDate } = own?.window ?? (isWindowBack ? quiz : known);
  const { duration } = areMinutesBack ? quiz : known;
  return {
    ...{ opensAt, endDate, finishAfterEnd: quiz.finishAfterEnd },
    duration: own?.minutes ?? duration,
  };
}

const dateOf = (iso: string | null | undefined) => (iso ? new Date(iso) : null);

/** '75 minutes instead of 60.', as the email says them. */
export const minutesText = ({ duration }: Pick<Timed, 'duration'>, factor: number): string =>
  t(
    /* {time}: '75 minutes', {minutes}: '60' */ 'people.extraTime.minutes',
    '{time} instead of {minutes}.',
    {
      time: durationText(minutesWithExtra(duration, factor)),
      minutes: duration,
    },
  );

/** The same, and what the end date leaves of them. */
export const extraTimeText = (times: Timed, factor: number): string =>
  [minutesText(times, factor), ...cutText(times, factor)].join(' ');

function cutText(of: Timed, factor: number): string[] {
  const times = { ...of, opensAt: dateOf(of.opensAt), endDate: dateOf(of.endDate) };
  const time = extraTimeOf(times, factor, new Date());
  if (!time?.startBy || of.endDate === null) return [];
  const end = formatDateTime(of.endDate);
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

/** Someone with extra time, and their times. */
export type TimedPerson = Timed & { factor: number };

/** Says that the end date cuts extra time, with the way out for those who may change the assessment. */
export function ExtraTimeCut({ quiz, people }: { quiz: Quiz; people: readonly TimedPerson[] }) {
  const may = useMayOnQuiz(quiz);
  const update = useUpdateQuiz(quiz.id);
  const { title, categoryId, duration, totalQuestions, version } = quiz;
  // The text about the one with the most extra time.
  const [most] = people.toSorted((a, b) => b.factor - a.factor);
  const [text] = most ? cutText(most, most.factor) : [];
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
