import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import {
  isSeveralChoice,
  isSingleChoice,
} from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { Pin, Plus, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isDialogOpen, modifierKey } from '../../../../lib/keys.ts';
import { optionLetter } from '../../../../question-view/question-state.ts';
import { Button } from '../../../../ui/button.tsx';
import { CONTROL, CONTROL_SIZE, FieldNote } from '../../../../ui/fields/field.tsx';
import { BubbleRadio, RadioGroup } from '../../../../ui/fields/radio-group.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { MoveHandle, movedTo } from '../../../../ui/move-handle.tsx';
import { Card } from '../../../../ui/page.tsx';
import { NEW_OPTION, type OptionValues } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';
import { MarkdownText, TextProblems } from '../text/markdown-field.tsx';
import { MarkdownToolbar } from '../text/markdown-toolbar.tsx';
import { TextFormulas } from '../text/text-formulas.tsx';
import { RowField } from './numeric-part.tsx';

export function OptionsPart({ values, change, problemAt }: PartProps) {
  const { type, options, rule } = values;
  const list = useRef<HTMLDivElement>(null);
  /** The text that the toolbar formats. */
  const current = useRef<HTMLTextAreaElement | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const [gives, setGives] = useState(false);
  const givesFeedback =
    type !== 'ordering' && (gives || options.some(({ feedback }) => feedback !== ''));
  const focusNext = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new or moved row is the reason
  useEffect(() => {
    if (focusNext.current === null) return;
    list.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  }, [options]);

  const isSingle = isSingleChoice(type);
  const isFixed = TYPES[type].hasFixedOrder;
  const isFull = options.length >= QUESTION_LIMITS.richOptionsMax;
  const set = (index: number, part: Partial<OptionValues>, field: string | null) => {
    const changed = options.map((option, i) => (i === index ? { ...option, ...part } : option));
    change({ options: changed }, field);
  };
  const mark = (index: number, isCorrect: boolean) =>
    change({
      options: options.map((option, i) =>
        i === index
          ? { ...option, isCorrect }
          : isSingle
            ? { ...option, isCorrect: false }
            : option,
      ),
    });
  const add = () => {
    if (isFull || isFixed) return;
    focusNext.current = `textarea[name="options.${options.length}.text"]`;
    change({ options: [...options, NEW_OPTION] });
  };
  // Wherever the focus is.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (!isCommand || event.defaultPrevented || isDialogOpen()) return;
    event.preventDefault();
    add();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const move = (from: number, to: number, focus: string) => {
    if (to < 0 || to >= options.length || from === to) return;
    focusNext.current = focus;
    setSaid(`Option moved to position ${to + 1} of ${options.length}`);
    change({ options: movedTo(options, from, to) });
  };
  const remove = (index: number) => {
    const next = Math.min(index, options.length - 2);
    focusNext.current = `textarea[name="options.${next}.text"]`;
    setSaid(`Option ${optionLetter(index)} removed`);
    change({ options: options.filter((_, i) => i !== index) });
  };

  const rows = options.map((option, index) => (
    <OptionRow
      // The key is the place: a moved text keeps the focus by itself, and undo stays in its field.
      // biome-ignore lint/suspicious/noArrayIndexKey: options have no id, and equal texts are possible
      key={index}
      {...{ option, index, values, problemAt, mark, remove }}
      givesFeedback={givesFeedback}
      isOver={over === index + 1}
      onChange={(part, field) => set(index, part, field)}
      onMove={(to, focus) => move(index, to, focus)}
      onOver={setOver}
      onFocusText={(field) => {
        current.current = field;
      }}
    />
  ));
  return (
    <Card
      title={type === 'ordering' ? 'Items in the right order' : 'Options'}
      {...(values.format === 'markdown' && !isFixed
        ? {
            aside: (
              <MarkdownToolbar
                field={current}
                label="Options"
                inline
                className="-my-1.5 max-sm:-mx-2"
              />
            ),
          }
        : {})}
    >
      <div ref={list} className="grid gap-3 p-5 max-sm:px-3">
        <p className="text-sm text-ink-3">{hintOf(values)}</p>
        {isSingle && rule !== 'weights' ? (
          <RadioGroup
            label="Correct answer"
            value={String(options.findIndex((option) => option.isCorrect))}
            onChange={(value) => mark(Number(value), true)}
            className="grid gap-2"
          >
            {rows}
          </RadioGroup>
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: the card's title is the legend
          <div
            role="group"
            aria-label={type === 'ordering' ? 'Items' : 'Correct answers'}
            className="grid gap-2"
          >
            {rows}
          </div>
        )}
        {type === 'ordering' ? null : givesFeedback ? (
          <p className="text-sm text-ink-3">
            Feedback is shown with a released result to those who selected the option, and never
            during an attempt.
          </p>
        ) : (
          <Button
            variant="ghost"
            size="dense"
            className="-ml-3 justify-self-start"
            onClick={() => setGives(true)}
          >
            Add feedback on options
          </Button>
        )}
        {problemAt('options') !== undefined && (
          <FieldNote id="options-problem" error={problemAt('options')} />
        )}
        {!isFixed && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <Button
              size="dense"
              icon={<Plus />}
              aria-disabled={isFull}
              aria-keyshortcuts="Control+Enter"
              onClick={add}
            >
              {type === 'ordering' ? 'Add item' : 'Add option'}
            </Button>
            <span className={`text-sm text-ink-3 ${isFull ? '' : 'touch:hidden'}`}>
              {isFull
                ? `A question has at most ${QUESTION_LIMITS.richOptionsMax} ${type === 'ordering' ? 'items' : 'options'}`
                : `${modifierKey()}+Enter adds one, Alt+arrows move one`}
            </span>
          </div>
        )}
        <p role="status" className="sr-only">
          {said}
        </p>
      </div>
    </Card>
  );
}

function hintOf({ type, rule }: PartProps['values']): string {
  if (type === 'ordering') return 'The first at the top. Every paper has them in another order.';
  if (rule === 'weights') return 'Give each option its percentage of the points, -100 to 100.';
  return isSeveralChoice(type)
    ? 'Click the letters of all correct options.'
    : 'Click the letter of the correct answer.';
}

function OptionRow({
  option,
  index,
  values,
  problemAt,
  givesFeedback,
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
  givesFeedback: boolean;
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
  const isFixed = TYPES[type].hasFixedOrder;
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
          {givesFeedback && (
            <FeedbackField
              {...{ index, format, onFocusText }}
              text={option.feedback}
              problem={problemAt(`options.${index}.feedback`)}
              onChange={(feedback) => onChange({ feedback }, `options.${index}.feedback`)}
            />
          )}
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
              {type !== 'ordering' && (
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
              )}
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

/** The feedback on an option, for a candidate who selected it. */
function FeedbackField({
  index,
  format,
  text,
  problem,
  onChange,
  onFocusText,
}: {
  index: number;
  format: PartProps['values']['format'];
  text: string;
  problem: string | undefined;
  onChange(feedback: string): void;
  onFocusText(field: HTMLTextAreaElement): void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const name = `options.${index}.feedback`;
  const label = `Feedback on option ${optionLetter(index)}`;
  return (
    <>
      <MarkdownText
        name={name}
        aria-label={label}
        placeholder={label}
        rows={1}
        {...(problem === undefined
          ? {}
          : { 'aria-invalid': true, 'aria-describedby': `${name}-note` })}
        value={text}
        onChange={onChange}
        format={format}
        fieldRef={field}
        onFocus={(event) => onFocusText(event.currentTarget)}
        className={`${CONTROL} ${CONTROL_SIZE.admin} py-1.75 text-sm`}
      />
      {problem !== undefined && <FieldNote id={`${name}-note`} error={problem} />}
      {format === 'markdown' && <TextProblems text={text} error={problem} />}
      {format === 'markdown' && <TextFormulas text={text} field={field} />}
    </>
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
  if (type === 'ordering') {
    return (
      <span aria-hidden="true" className={`${shape} rounded-full ${tone(false)}`}>
        {index + 1}
      </span>
    );
  }
  const label = `Option ${letter} is correct`;
  if (isSingleChoice(type)) {
    return <BubbleRadio value={String(index)} letter={letter} label={label} />;
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
