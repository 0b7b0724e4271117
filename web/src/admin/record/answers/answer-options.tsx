import { Check, X } from 'lucide-react';
import type { RecordQuestion } from './answer-filter.ts';

const LETTERS = 'ABCD';

/** All options in the candidate's order, with the selected and the correct one. */
export function AnswerOptions({ question }: { question: RecordQuestion }) {
  return (
    <ol className="mt-2 grid gap-1">
      {question.options.map((option, index) => (
        <Option
          key={option}
          letter={LETTERS.charAt(index)}
          text={option}
          isSelected={option === question.selectedOption}
          isRight={option === question.correctAnswer}
        />
      ))}
    </ol>
  );
}

function Option({
  letter,
  text,
  isSelected,
  isRight,
}: {
  letter: string;
  text: string;
  isSelected: boolean;
  isRight: boolean;
}) {
  const bubble = isSelected
    ? isRight
      ? 'border-ok bg-ok text-on-ok'
      : 'border-bad bg-bad text-on-bad'
    : isRight
      ? 'border-ok text-ok-ink'
      : 'border-line-strong text-ink-3';
  const note = isSelected
    ? isRight
      ? 'Selected, correct'
      : 'Selected'
    : isRight
      ? 'Correct answer'
      : '';
  const Sign = isRight ? Check : X;
  return (
    <li
      className={`flex min-h-6.5 flex-wrap items-start gap-x-2.5 ${isSelected || isRight ? 'text-ink' : 'text-ink-2'}`}
    >
      <span
        aria-hidden="true"
        data-shape=""
        className={`mt-px grid size-5.5 flex-none place-items-center rounded-full border-[1.5px] text-[0.6875rem] font-semibold ${bubble}`}
      >
        {letter}
      </span>
      <span
        className={`min-w-0 max-w-[calc(100%-2.25rem)] pt-0.5 break-words whitespace-pre-wrap ${isSelected ? 'font-medium' : ''}`}
      >
        {text}
      </span>
      {note !== '' && (
        <span
          className={`inline-flex items-center gap-1 pt-1 text-xs font-medium ${isRight ? 'text-ok-ink' : 'text-bad-ink'}`}
        >
          <Sign aria-hidden="true" className="size-3.5" strokeWidth={2} />
          {note}
        </span>
      )}
    </li>
  );
}
