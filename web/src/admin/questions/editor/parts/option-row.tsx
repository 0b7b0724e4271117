import { isSingleChoice } from '@invigil/core/domain/questions/question-definition';
import { Pin, X } from 'lucide-react';
import { useRef } from 'react';
import { optionLetter } from '../../../../question-view/question-state.ts';
import { CONTROL, CONTROL_SIZE, FieldNote } from '../../../../ui/fields/field.tsx';
import { BubbleRadio } from '../../../../ui/fields/radio-group.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { MoveHandle } from '../../manage/move-handle.tsx';
import type { OptionValues } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';
import { MarkdownText, TextProblems } from '../text/markdown-field.tsx';
import { TextFormulas } from '../text/text-formulas.tsx';
import { RowField } from './key-row.tsx';

/** One option: handle, letter (the key), text, weight, keep last, remove. */
export function OptionRow({
  option,
  index,
  values,
  problemAt,
  isOver,
  mark,
  remove,
  onChange,
  onMove,
  onOver,
  onFocusText,
}: {
  option: OptionValues;
  index: number;
  values: PartProps['values'];
  problemAt: PartProps['problemAt'];
  /** Another option is dragged over it. */
  isOver: boolean;
  mark(index: number, isCorrect: boolean): void;
  remove(index: number): void;
  onChange(part: Partial<OptionValues>, field: string | null): void;
  onMove(to: number, focus: string): void;
  onOver(place: number | null): void;
  onFocusText(field: HTMLTextAreaElement): void;
}) {
  const { type, rule, format, options } = values;
  const letter = optionLetter(index);
  const name = `options.${index}.text`;
  const problem = problemAt(name);
  const weightName = `options.${index}.weight`;
  const weightProblem = problemAt(weightName);
  const isFixed = type === 'true_false';
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div
      data-place={index + 1}
      className={`-mx-1 rounded-lg px-1 ${isOver ? 'bg-accent-soft' : ''}`}
      onKeyDownCapture={(event) => {
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
        if (step === 0 || !event.altKey || isFixed) return;
        event.preventDefault();
        event.stopPropagation();
        onMove(index + step, `textarea[name="options.${index + step}.text"]`);
      }}
    >
      <div className="flex flex-wrap items-start gap-x-2 gap-y-1.5">
        {!isFixed && (
          <span className="mt-2 sm:-ml-1 max-sm:order-last max-sm:ml-2">
            <MoveHandle
              label={`Move option ${letter}`}
              number={index + 1}
              last={options.length}
              locked={false}
              onOver={onOver}
              onMove={(to) => onMove(to - 1, `[data-place="${to}"] [data-move]`)}
            />
          </span>
        )}
        <span className="mt-0.5 flex-none touch:mt-0">
          <KeyBubble {...{ type, rule, option, index, letter, mark }} />
        </span>
        <div className="grid min-w-0 flex-1 basis-40 gap-1 max-sm:basis-56">
          <MarkdownText
            name={name}
            aria-label={`Option ${letter}`}
            placeholder={`Option ${letter}`}
            rows={1}
            {...(problem === undefined
              ? {}
              : { 'aria-invalid': true, 'aria-describedby': `${name}-note` })}
            value={option.text}
            onChange={(text) => onChange({ text }, name)}
            format={format}
            fieldRef={field}
            onFocus={(event) => onFocusText(event.currentTarget)}
            className={`${CONTROL} ${CONTROL_SIZE.admin} py-1.75`}
          />
          {problem !== undefined && <FieldNote id={`${name}-note`} error={problem} />}
          {weightProblem !== undefined && (
            <FieldNote id={`${weightName}-note`} error={weightProblem} />
          )}
          {format === 'markdown' && <TextProblems text={option.text} error={problem} />}
          {format === 'markdown' && <TextFormulas text={option.text} field={field} />}
        </div>
        <span className="ml-auto flex flex-none items-start gap-2">
          {rule === 'weights' && (
            <RowField
              label={`Weight of option ${letter}, percent of the points`}
              name={weightName}
              value={option.weight}
              problem={weightProblem}
              inputMode="decimal"
              placeholder="0"
              suffix="%"
              onChange={(weight) => onChange({ weight }, weightName)}
              className="w-24 flex-none"
            />
          )}
          {!isFixed && (
            <span className="mt-0.5 flex flex-none touch:mt-0">
              <IconButton
                label={`Keep option ${letter} last`}
                tooltip={
                  option.isLast
                    ? 'Stays last when options are shuffled'
                    : 'Keep last when options are shuffled'
                }
                aria-pressed={option.isLast}
                className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
                onClick={() => onChange({ isLast: !option.isLast }, null)}
              >
                <Pin />
              </IconButton>
              <IconButton
                label={`Remove option ${letter}`}
                tooltip="Remove"
                unavailable={
                  options.length <= 2 ? 'A question has at least two options' : undefined
                }
                onClick={() => remove(index)}
              >
                <X />
              </IconButton>
            </span>
          )}
        </span>
      </div>
    </div>
  );
}

/** The letter: a radio, a checkbox, or under weights only a sign that the option earns something. */
function KeyBubble({
  type,
  rule,
  option,
  index,
  letter,
  mark,
}: Pick<PartProps['values'], 'type' | 'rule'> & {
  option: OptionValues;
  index: number;
  letter: string;
  mark(index: number, isCorrect: boolean): void;
}) {
  const shape =
    'grid size-8.5 place-items-center border-[1.5px] text-[0.9375rem] font-semibold touch:size-11';
  const tone = (isCorrect: boolean) =>
    isCorrect ? 'border-ok bg-ok text-on-ok' : 'border-line-strong bg-surface text-ink-2';
  if (rule === 'weights') {
    const earns = Number(option.weight.replace(',', '.')) > 0;
    return (
      <span
        aria-hidden="true"
        data-shape=""
        className={`${shape} ${isSingleChoice(type) ? 'rounded-full' : 'rounded-md'} ${tone(earns)}`}
      >
        {letter}
      </span>
    );
  }
  const label = `Option ${letter} is correct`;
  if (isSingleChoice(type)) {
    return <BubbleRadio value={String(index)} letter={letter} label={label} tone="ok" />;
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the letter is its box
    <button
      type="button"
      role="checkbox"
      aria-checked={option.isCorrect}
      aria-label={label}
      data-shape=""
      onClick={() => mark(index, !option.isCorrect)}
      className={`${shape} rounded-md transition-colors ${tone(option.isCorrect)}`}
    >
      <span aria-hidden="true">{letter}</span>
    </button>
  );
}
