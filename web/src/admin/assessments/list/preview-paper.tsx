import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { AnswerOptions } from '../../../question-view/answer-options.tsx';
import { QuestionActions, QuestionActionsBar } from '../../../question-view/question-actions.tsx';
import { QuestionNavigator } from '../../../question-view/question-navigator.tsx';
import { Button } from '../../../ui/button.tsx';

/** A paper as candidates see it, question by question. Selections are discarded on leaving. */
export function PreviewPaper({
  paper,
  onClose,
}: {
  paper: readonly PaperQuestion[];
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
  const actions = {
    isFirst: current === 0,
    isLast: current === paper.length - 1,
    isFlagged,
    isAnswered: selected !== '',
    previous: () => go(current - 1),
    next: () => go(current + 1),
    review,
    clear: () => setAnswers(new Map([...answers].filter(([key]) => key !== id))),
    flag: () =>
      setFlagged(new Set(isFlagged ? [...flagged].filter((key) => key !== id) : [...flagged, id])),
  };
  const states = paper.map((each, index) => ({
    id: each.id,
    number: index + 1,
    isAnswered: answers.has(each.id),
    isFlagged: flagged.has(each.id),
  }));

  return (
    <>
      <div className="lg:grid lg:min-h-[calc(100dvh-4rem)] lg:grid-cols-[minmax(0,1fr)_21rem]">
        <main className="flex min-w-0 flex-col">
          <div className="mx-auto w-full max-w-192 flex-1 px-4 pt-6 pb-30 lg:px-8 lg:pt-14 lg:pb-8">
            {atEnd ? (
              <EndOfPreview onBack={() => go(0)} onClose={onClose} />
            ) : (
              <>
                <p aria-live="polite" className="text-md text-ink-2">
                  <span>{`Question ${current + 1} of ${paper.length}`}</span>
                </p>
                <h1
                  dir="auto"
                  className="mt-1.5 mb-5 max-w-[40em] text-[1.1875rem]! leading-[1.47]! font-medium! break-words whitespace-pre-wrap lg:mt-2 lg:mb-7 lg:text-[1.375rem]! lg:leading-[1.455]!"
                >
                  {question.question}
                </h1>
                <AnswerOptions
                  questionId={id}
                  options={question.options}
                  selected={selected}
                  onSelect={(option) => setAnswers(new Map(answers).set(id, option))}
                />
              </>
            )}
          </div>
          {!atEnd && <QuestionActions {...actions} />}
        </main>
        <aside
          aria-label="Questions"
          className="top-16 flex flex-col gap-5 border-line bg-surface px-4 pt-5 pb-30 max-lg:border-t lg:sticky lg:h-[calc(100dvh-4rem)] lg:overflow-y-auto lg:border-l lg:px-6 lg:pb-5"
        >
          <QuestionNavigator states={states} current={current} onGo={go} />
          <Button
            size="candidate"
            full
            className="flex-none flex-row-reverse"
            icon={<ArrowRight />}
            onClick={review}
          >
            Review & Submit
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
      <h1 className="text-xl">The preview ends here</h1>
      <p className="max-w-[60ch] text-md text-ink-2">
        Candidates now review their answers and submit them. Your selections here are not saved.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button size="candidate" onClick={onBack}>
          Back to question 1
        </Button>
        <Button size="candidate" variant="primary" onClick={onClose}>
          Close preview
        </Button>
      </div>
    </div>
  );
}
