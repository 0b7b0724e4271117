import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { Choice, ChoiceGroup } from '../ui/fields/choice-group.tsx';
import { Content } from './content.tsx';
import { OPTION_LETTER, OPTION_ROW, OPTION_TEXT, optionGap, optionSize } from './option-row.ts';
import { optionLetter } from './question-state.ts';

/**
 * The options of a question as lettered bubbles, a radio group. Read-only emphasizes the selected one
 * and grays outlines, not text.
 */
export function AnswerOptions({
  questionId,
  options,
  format,
  selected,
  readOnly = false,
  dense = false,
  onSelect,
}: {
  questionId: string;
  options: readonly string[];
  format?: TextFormat | undefined;
  /** the selected option's text, empty if none */
  selected: string;
  readOnly?: boolean;
  dense?: boolean;
  onSelect(option: string): void;
}) {
  if (options.length === 0) {
    return <p className="text-md text-ink-2">No options available for this question</p>;
  }
  const selectedIndex = options.indexOf(selected);
  return (
    <ChoiceGroup
      // A new group per question resets the focus.
      key={questionId}
      label="Answer options"
      values={options.map((_, index) => String(index))}
      value={selectedIndex === -1 ? null : String(selectedIndex)}
      onSelect={(index) => onSelect(options[Number(index)] ?? '')}
      disabled={readOnly}
      className={optionGap(dense)}
    >
      {options.map((option, index) => (
        <Choice key={option} value={String(index)} className={`${OPTION_ROW} ${optionSize(dense)}`}>
          <span aria-hidden="true" data-shape="" className={`${OPTION_LETTER} rounded-full`}>
            {optionLetter(index)}
          </span>
          <span dir="auto" className={OPTION_TEXT}>
            <Content text={option} format={format} inline links="shown" />
          </span>
        </Choice>
      ))}
    </ChoiceGroup>
  );
}
