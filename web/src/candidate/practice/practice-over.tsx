import type { Practice } from '@invigil/core/contract/assessments/practice';
import { figureText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { MonitorCheck, RefreshCw } from 'lucide-react';
import { pointsOfText, QuestionResult } from '../../question-view/result-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PublicPage } from '../../ui/public-page.tsx';
import type { Checked } from './practice-run.tsx';

/** The score of a round, with every checked answer. */
export function PracticeOver({
  practice: { title, questions },
  checked,
  isTimeUp,
  onAgain,
}: {
  practice: Practice;
  checked: Checked;
  isTimeUp: boolean;
  onAgain(): void;
}) {
  return (
    <PublicPage
      title={
        isTimeUp
          ? t(/* in a practice; heading */ 'practice.timeUp', 'Your time is up')
          : t(/* heading */ 'practice.over', 'You finished the practice')
      }
      lead={title}
    >
      <Notice tone="accent" role="status" title={scoreText(questions, checked)}>
        {t(
          'practice.over.text',
          'Nothing of it is stored. In an assessment you would review your answers now and submit them.',
        )}
      </Notice>
      <div className="flex flex-wrap gap-3">
        <Button size="candidate" variant="primary" icon={<RefreshCw />} onClick={onAgain}>
          {t(/* a button */ 'practice.again', 'Practice again')}
        </Button>
      </div>
      {questions.map(({ id }, index) => {
        const result = checked.get(id);
        return result && <QuestionResult key={id} question={{ ...result, number: index + 1 }} />;
      })}
      <CheckLink />
    </PublicPage>
  );
}

/** Points where questions have them, else how many are right; what was left open earns nothing. */
function scoreText(questions: Practice['questions'], checked: Checked): string {
  if (questions.every(({ points }) => points === undefined)) {
    return t(
      /* how many of all questions were answered right */ 'practice.scoreRight',
      '{total, plural, other {{right} of # right}}',
      {
        right: figureText([...checked.values()].filter(({ isCorrect }) => isCorrect).length),
        total: questions.length,
      },
    );
  }
  const points = [...checked.values()].reduce((sum, result) => sum + (result.points ?? 0), 0);
  const total = questions.reduce(
    // A question that was left out since is worth nothing.
    (sum, question) => sum + (checked.get(question.id)?.maxPoints ?? question.points ?? 0),
    0,
  );
  return pointsOfText(Math.max(0, points), total);
}

/** The way to the check of the device. */
export function CheckLink() {
  return (
    <a
      href="/check"
      className="inline-flex min-h-11 items-center gap-2 justify-self-start text-accent-ink underline underline-offset-4"
    >
      <MonitorCheck className="size-5" />
      {t(
        /* heading of a page; also a link to it, and the label of its address */ 'check.title',
        'Check your device',
      )}
    </a>
  );
}
