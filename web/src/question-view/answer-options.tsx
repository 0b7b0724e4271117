import { Choice, ChoiceGroup } from '../ui/fields/choice-group.tsx';
import { optionLetter } from './question-state.ts';

/**
 * The options of a question as lettered bubbles, a radio group. Read-only emphasizes the selected one
 * and grays outlines, not text.
 */
export function AnswerOptions({
  questionId,
  options,
  selected,
  readOnly = false,
  dense = false,
  onSelect,
}: {
  questionId: string;
  options: readonly string[];
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
      className={`grid ${dense ? 'gap-2' : 'gap-2.5 lg:gap-3'}`}
    >
      {options.map((option, index) => (
        <Choice
          key={option}
          value={String(index)}
          className={`group flex w-full items-center gap-3.5 rounded-lg border border-line-2 bg-surface text-start transition-colors hover:border-line-strong hover:bg-hover disabled:cursor-default disabled:border-line disabled:bg-surface disabled:text-ink-2 data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft data-[state=checked]:text-ink data-[state=checked]:inset-ring data-[state=checked]:inset-ring-accent ${dense ? 'min-h-13 py-2 pr-4 pl-2.5' : 'min-h-14 py-2.5 pr-3.5 pl-2.75 lg:min-h-15 lg:py-3 lg:pr-4.5 lg:pl-3.5'}`}
        >
          <span
            aria-hidden="true"
            data-shape=""
            className="grid size-8.5 flex-none place-items-center rounded-full border-[1.5px] border-line-strong bg-surface text-[0.9375rem] font-semibold text-ink-2 group-disabled:border-line-2 group-data-[state=checked]:border-accent group-data-[state=checked]:bg-accent group-data-[state=checked]:text-on-accent"
          >
            {optionLetter(index)}
          </span>
          <span
            dir="auto"
            className="min-w-0 text-[length:calc(1rem*var(--reading,1))] leading-normal break-words whitespace-pre-wrap"
          >
            {option}
          </span>
        </Choice>
      ))}
    </ChoiceGroup>
  );
}
