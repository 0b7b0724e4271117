import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { Check, Pencil, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { AnswerValue } from '../../answer-sync/answer-sheet.ts';
import { pointsWords } from '../../lib/points.ts';
import { AnswerField } from '../../question-view/answer-field.tsx';
import { isAnswered } from '../../question-view/answer-value.ts';
import { Content } from '../../question-view/content.tsx';
import { StatusBadge } from '../../ui/badges/status-badge.tsx';
import { Button } from '../../ui/button.tsx';
import { currentAttempt } from '../current-attempt.ts';

/**
 * One question of the review. Options change only in edit mode, and are saved as in the assessment.
 * Cancel restores the previous selection, which is a change as well.
 */
export function ReviewQuestion({
  question,
  number,
  value,
}: {
  question: PaperQuestion;
  number: number;
  value: AnswerValue;
}) {
  /** The selection when editing began; `null` outside edit mode. */
  const [before, setBefore] = useState<string | null>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const editing = before !== null;
  const answered = isAnswered(question, value.answer);
  return (
    <section
      aria-label={`Question ${number}`}
      className="mt-4 rounded-lg border border-line bg-surface p-4 md:px-6 md:pt-5 md:pb-6"
    >
      {question.section !== undefined && (
        <p dir="auto" className="mb-1 text-ink-2 break-words">
          {question.section}
        </p>
      )}
      <div className="mb-2 flex flex-wrap items-center gap-3">
        <span className="font-medium">{`Question ${number}`}</span>
        {question.points !== undefined && (
          <span className="text-ink-2">{pointsWords(question.points)}</span>
        )}
        <StatusBadge status={answered ? 'answered' : 'not_answered'} />
        <span className="ml-auto flex flex-wrap gap-2">
          {editing && (
            <Button
              icon={<Check />}
              onClick={() => {
                // This button disappears; the one beside it becomes "Edit Answer".
                edit.current?.focus();
                setBefore(null);
              }}
            >
              Done
            </Button>
          )}
          <Button
            ref={edit}
            icon={editing ? <X /> : <Pencil />}
            onClick={() => {
              if (before === null) return setBefore(value.answer);
              currentAttempt.answers?.change(question.id, { answer: before });
              setBefore(null);
            }}
          >
            {editing ? 'Cancel' : 'Edit Answer'}
          </Button>
        </span>
      </div>
      {question.format === 'markdown' ? (
        <div
          dir="auto"
          className="mb-5 max-w-[62ch] text-[length:calc(1rem*var(--reading,1))] leading-normal"
        >
          <Content text={question.question} format="markdown" links="shown" />
        </div>
      ) : (
        <h2
          dir="auto"
          className="mb-5 max-w-[62ch] text-[length:calc(1.125rem*var(--reading,1))]! leading-[1.556]! font-normal! break-words whitespace-pre-wrap"
        >
          {question.question}
        </h2>
      )}
      <AnswerField
        question={question}
        value={value.answer}
        readOnly={!editing}
        dense
        onSelect={(option) => currentAttempt.answers?.change(question.id, { answer: option })}
        onType={(text) => currentAttempt.answers?.type(question.id, text)}
        onSettle={() => currentAttempt.answers?.settle()}
      />
    </section>
  );
}
