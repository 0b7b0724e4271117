import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { durationText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { ArrowRight, Clock, Eye } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Mark } from '../ui/badges/mark.tsx';
import { Button } from '../ui/button.tsx';
import { AnswerField } from './answer-field.tsx';
import { isAnswered } from './answer-value.ts';
import { QuestionActions, QuestionActionsBar } from './question-actions.tsx';
import { QuestionHead } from './question-head.tsx';
import { QuestionNavigator } from './question-navigator.tsx';

/** The bar above a preview, which says what it is, and that nothing is saved. */
export function PreviewBar({ quiz, children }: { quiz: Quiz; children: ReactNode }) {
  return (
    <header className="sticky top-0 z-30 flex min-h-14 items-center gap-x-2.5 border-b border-line bg-surface py-1 pe-3 ps-4 lg:min-h-16 lg:gap-x-4 lg:px-6">
      <span className="hidden flex-none lg:block">
        <Mark />
      </span>
      <span className="min-w-0 flex-1">
        <bdi className="block w-fit max-w-full truncate font-semibold">{quiz.title}</bdi>
        <span className="flex items-center gap-1.5 text-xs text-warn-ink">
          <Eye className="size-3.5 flex-none" />
          <span className="truncate">{t('question.preview', 'Preview. Nothing is saved.')}</span>
        </span>
      </span>
      <span className="inline-flex flex-none items-center gap-1.5 text-sm text-ink-2 max-sm:hidden">
        <Clock className="size-4" />
        {durationText(quiz.duration)}
      </span>
      {children}
    </header>
  );
}

/** A paper as candidates see it, question by question. Selections are discarded on leaving. */
export function PreviewPaper({
  paper,
  negativeMarks,
  onClose,
}: {
  paper: readonly PaperQuestion[];
  negativeMarks: Quiz['negativeMarks'];
  onClose(): void;
}) {
  const [current, setCurrent] = useState(0);
  const [atEnd, setAtEnd] = useState(false);
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(new Map());
  const [flagged, setFlagged] = useState<ReadonlySet<string>>(new Set());
  const question = paper[current];
  if (question === undefined) return null;

  const { id } = question;
  const selected = answers.get(id) ?? '';
  const isFlagged = flagged.has(id);
  const go = (index: number) => {
    setAtEnd(false);
    setCurrent(Math.min(Math.max(index, 0), paper.length - 1));
  };
  const review = () => setAtEnd(true);
  const answer = (value: string) => setAnswers(new Map(answers).set(id, value));
  const actions = {
    isFirst: current === 0,
    isLast: current === paper.length - 1,
    isFlagged,
    isAnswered: selected !== '',
    previous: () => go(current - 1),
    next: () => go(current + 1),
    review,
    clear: () => answer(''),
    flag: () =>
      setFlagged(new Set(isFlagged ? [...flagged].filter((key) => key !== id) : [...flagged, id])),
  };
  const states = paper.map((each, index) => ({
    id: each.id,
    number: index + 1,
    isAnswered: isAnswered(each, answers.get(each.id) ?? ''),
    isFlagged: flagged.has(each.id),
    ...(each.section === undefined ? {} : { section: each.section }),
  }));

  return (
    <>
      <div className="lg:grid lg:min-h-[calc(100dvh-4rem)] lg:grid-cols-[minmax(0,1fr)_21rem]">
        <main className="@container flex min-w-0 flex-col">
          <div className="mx-auto w-full max-w-192 flex-1 px-4 pt-6 pb-30 lg:px-8 lg:pt-14 lg:pb-8">
            {atEnd ? (
              <EndOfPreview onBack={() => go(0)} onClose={onClose} />
            ) : (
              <>
                <div aria-live="polite" aria-atomic="true">
                  <QuestionHead
                    question={question}
                    number={current + 1}
                    total={paper.length}
                    negativeMarks={negativeMarks}
                  />
                </div>
                <AnswerField
                  question={question}
                  value={selected}
                  onSelect={answer}
                  onType={answer}
                  onSettle={() => undefined}
                />
              </>
            )}
          </div>
          {!atEnd && <QuestionActions {...actions} />}
        </main>
        <aside
          aria-label={t(
            /* the list of questions, for screen readers */ 'question.list',
            'Questions',
          )}
          className="top-16 flex flex-col gap-5 border-line bg-surface px-4 pt-5 pb-30 max-lg:border-t lg:sticky lg:h-[calc(100dvh-4rem)] lg:overflow-y-auto lg:border-s lg:px-6 lg:pb-5"
        >
          <QuestionNavigator states={states} current={current} onGo={go} />
          <Button
            size="candidate"
            full
            className="flex-none flex-row-reverse"
            icon={<ArrowRight />}
            onClick={review}
          >
            {t(
              /* a button: leads to the review of all answers and their submit */ 'question.preview.reviewSubmit',
              'Review & Submit',
            )}
          </Button>
        </aside>
      </div>
      {!atEnd && <QuestionActionsBar {...actions} />}
    </>
  );
}

function EndOfPreview({ onBack, onClose }: { onBack(): void; onClose(): void }) {
  return (
    <div className="grid justify-items-start gap-4">
      <h1 className="text-xl">{t('question.preview.end', 'The preview ends here')}</h1>
      <p className="max-w-[60ch] text-md text-ink-2">
        {t(
          'question.preview.hint',
          'Candidates now review their answers and submit them. Your selections here are not saved.',
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button size="candidate" onClick={onBack}>
          {t('question.preview.back', 'Back to question 1')}
        </Button>
        <Button size="candidate" variant="primary" onClick={onClose}>
          {t('question.preview.close', 'Close preview')}
        </Button>
      </div>
    </div>
  );
}
