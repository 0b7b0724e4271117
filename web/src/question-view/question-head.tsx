import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { useId } from 'react';
import { pointsWords } from '../lib/points.ts';

/** Section, number, points and text of a question. A change of question is announced. */
export function QuestionHead({
  question: { question, section, points },
  number,
  total,
}: {
  question: PaperQuestion;
  number: number;
  total: number;
}) {
  const numberId = useId();
  return (
    <div aria-live="polite" aria-atomic="true">
      {section !== undefined && (
        <p dir="auto" className="mb-1 text-md font-medium break-words">
          {section}
        </p>
      )}
      <p id={numberId} className="text-md text-ink-2">
        <span>{`Question ${number} of ${total}`}</span>
        {points !== undefined && <span>{` · ${pointsWords(points)}`}</span>}
      </p>
      <h1
        aria-describedby={numberId}
        dir="auto"
        className="mt-1.5 mb-5 max-w-[40em] text-[length:calc(1.1875rem*var(--reading,1))]! leading-[1.47]! font-medium! break-words whitespace-pre-wrap lg:mt-2 lg:mb-7 lg:text-[length:calc(1.375rem*var(--reading,1))]! lg:leading-[1.455]!"
      >
        {question}
      </h1>
    </div>
  );
}
