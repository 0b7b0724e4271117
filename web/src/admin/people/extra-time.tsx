import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { extraTimeOf, minutesWithExtra } from '@invigil/core/domain/attempt';
import { durationText } from '@invigil/core/texts/amounts';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useMayOnQuiz, useUpdateQuiz } from '../data/assessments.ts';
import { showFailure } from '../data/show-failure.ts';

const dateOf = (iso: string | null | undefined) => (iso ? new Date(iso) : null);

/** '75 minutes instead of 60.', as the email says them. */
export const minutesText = ({ duration }: Quiz, factor: number): string =>
  `${durationText(minutesWithExtra(duration, factor))} instead of ${duration}.`;

/** The same, and what the end date leaves of them. */
export const extraTimeText = (quiz: Quiz, factor: number): string =>
  [minutesText(quiz, factor), ...cutText(quiz, factor)].join(' ');

function cutText(quiz: Quiz, factor: number): string[] {
  const times = { ...quiz, opensAt: dateOf(quiz.opensAt), endDate: dateOf(quiz.endDate) };
  const time = extraTimeOf(times, factor, new Date());
  if (!time?.startBy || quiz.endDate === null) return [];
  const ends = `The assessment ends ${formatDateTime(quiz.endDate)}`;
  return time.atMost < time.minutes
    ? [`${ends}: at most ${time.atMost} of the ${durationText(time.minutes)} are left.`]
    : [
        `${ends}: whoever has ${durationText(time.minutes)} must start by ${formatDateTime(time.startBy.toISOString())} to have them all.`,
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
        onSuccess: () => toast({ title: 'People who have started can finish after the end date' }),
        onError: (error) => showFailure('Failed to change the assessment', error),
      },
    );
  return (
    <Notice
      tone="warn"
      action={
        may('quizzes.edit') && (
          <Button size="dense" busy={update.isPending && 'Saving…'} onClick={letFinish}>
            Let them finish after the end date
          </Button>
        )
      }
    >
      {text}
    </Notice>
  );
}
