import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { useId } from 'react';
import {
  OPTION_LETTER,
  OPTION_ROW,
  OPTION_TEXT,
  optionGap,
  optionSize,
  selectionHint,
} from './answer-options.tsx';
import { missingSelections, selectedOptions, withOption } from './answer-value.ts';
import { Content } from './content.tsx';
import { optionLetter } from './question-state.ts';

/** The options of a multiple response: a group of checkboxes with how many may be selected. */
export function MultipleResponse({
  question,
  value,
  readOnly,
  dense,
  onSelect,
}: {
  question: PaperQuestion;
  value: string;
  readOnly: boolean;
  dense: boolean;
  onSelect(value: string): void;
}) {
  const hintId = useId();
  const selected = selectedOptions(question, value);
  const { minSelections = 1, maxSelections = question.options.length } = question;
  const missing = missingSelections(question, value);
  const isFull = selected.length >= maxSelections && maxSelections < question.options.length;
  return (
    <>
      <p id={hintId} className="mb-3 text-md text-ink-2">
        {selectionHint(minSelections, maxSelections, question.options.length)}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: the group has no visible legend */}
      <div
        role="group"
        aria-label="Answer options"
        aria-describedby={hintId}
        className={optionGap(dense)}
      >
        {question.options.map((option, index) => {
          const checked = selected.includes(option);
          const isOff = isFull && !checked && !readOnly;
          return (
            // As for radios: a native checkbox cannot contain the letter and the whole option.
            // biome-ignore lint/a11y/useSemanticElements: a button with the role of a checkbox
            <button
              key={option}
              type="button"
              role="checkbox"
              aria-checked={checked}
              aria-disabled={isOff}
              data-state={checked ? 'checked' : 'unchecked'}
              disabled={readOnly}
              onClick={() => onSelect(withOption(question, value, option))}
              className={`${OPTION_ROW} ${optionSize(dense)} aria-disabled:cursor-default aria-disabled:border-line aria-disabled:bg-surface aria-disabled:text-ink-2`}
            >
              <span aria-hidden="true" data-shape="" className={`${OPTION_LETTER} rounded-md`}>
                {optionLetter(index)}
              </span>
              <span dir="auto" className={OPTION_TEXT}>
                <Content text={option} format={question.format} inline links="shown" />
              </span>
            </button>
          );
        })}
      </div>
      {(!readOnly || missing > 0) && (
        <p role="status" className="mt-3 min-h-5 text-sm text-ink-2">
          {selectionStatus(selected.length, missing, isFull)}
        </p>
      )}
    </>
  );
}

function selectionStatus(selected: number, missing: number, isFull: boolean): string {
  if (isFull) return `${selected} of ${selected} selected. Clear one to select another.`;
  return missing > 0 ? `Select ${missing} more.` : '';
}
