import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { Check, X } from 'lucide-react';
import { isRightOption } from '../../../lib/question-words.ts';
import { Content } from '../../../question-view/content.tsx';
import { optionLetter } from '../../../question-view/question-state.ts';
import { type RecordQuestion, selectedIn } from './answer-filter.ts';

/** All options in the candidate's order, with the selected and the correct one. */
export function AnswerOptions({ question }: { question: RecordQuestion }) {
  const { options, definition } = question;
  const selected = selectedIn(question);
  const weightOf = (text: string) => definition?.options.find((one) => one.text === text)?.weight;
  return (
    <ol className="mt-2 grid gap-1">
      {options.map((option, index) => (
        <Option
          key={option}
          letter={optionLetter(index)}
          text={option}
          isSelected={selected.includes(option)}
          isRight={isRightOption(question, option)}
          weight={weightOf(option)}
          format={definition?.format}
          hasSeveral={definition?.type === 'multiple_response'}
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
  weight,
  format,
  hasSeveral,
}: {
  letter: string;
  text: string;
  isSelected: boolean;
  isRight: boolean;
  /** percent of the points */
  weight: number | undefined;
  format: TextFormat | undefined;
  /** several options can be selected */
  hasSeveral: boolean;
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
        className={`mt-px grid size-5.5 flex-none place-items-center ${hasSeveral ? 'rounded-sm' : 'rounded-full'} border-[1.5px] text-[0.6875rem] font-semibold ${bubble}`}
      >
        {letter}
      </span>
      <span
        className={`min-w-0 max-w-[calc(100%-2.25rem)] pt-0.5 break-words whitespace-pre-wrap ${isSelected ? 'font-medium' : ''}`}
      >
        <Content text={text} format={format} inline />
      </span>
      {note !== '' && (
        <span
          className={`inline-flex items-center gap-1 pt-1 text-xs font-medium ${isRight ? 'text-ok-ink' : 'text-bad-ink'}`}
        >
          <Sign aria-hidden="true" className="size-3.5" strokeWidth={2} />
          {note}
        </span>
      )}
      {weight !== undefined && (
        <span className="pt-1 text-xs text-ink-3 tabular-nums">{`${weight}%`}</span>
      )}
    </li>
  );
}
