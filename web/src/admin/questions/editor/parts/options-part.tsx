import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { isSingleChoice } from '@invigil/core/domain/questions/question-definition';
import { Plus } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { optionLetter } from '../../../../question-view/question-state.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { FieldNote } from '../../../../ui/fields/field.tsx';
import { RadioGroup } from '../../../../ui/fields/radio-group.tsx';
import { movedTo } from '../../manage/use-reorder.ts';
import { NEW_OPTION, type OptionValues } from '../state/question-values.ts';
import { isDialogOpen, modifierKey } from '../state/shortcuts.ts';
import type { PartProps } from '../state/use-editing.ts';
import { MarkdownToolbar } from '../text/markdown-toolbar.tsx';
import { OptionRow } from './option-row.tsx';

/** The options: their texts, which are right, their order. */
export function OptionsPart({ values, change, problemAt }: PartProps) {
  const { type, options, rule } = values;
  const list = useRef<HTMLDivElement>(null);
  /** The text that the toolbar formats. */
  const current = useRef<HTMLTextAreaElement | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const focusNext = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new or moved row is the reason
  useEffect(() => {
    if (focusNext.current === null) return;
    list.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  }, [options]);

  const isSingle = isSingleChoice(type);
  const isFixed = type === 'true_false';
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
    const isCommand = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
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
      // By place: a moved text keeps the focus by itself, and undo stays in its field.
      // biome-ignore lint/suspicious/noArrayIndexKey: options have no id, and equal texts are possible
      key={index}
      {...{ option, index, values, problemAt, mark, remove }}
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
      title="Options"
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
          <div role="group" aria-label="Correct answers" className="grid gap-2">
            {rows}
          </div>
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
              Add option
            </Button>
            <span className={`text-sm text-ink-3 ${isFull ? '' : 'touch:hidden'}`}>
              {isFull
                ? `A question has at most ${QUESTION_LIMITS.richOptionsMax} options`
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
  if (rule === 'weights') return 'Give each option its percentage of the points, -100 to 100.';
  return type === 'multiple_response'
    ? 'Click the letters of all correct options.'
    : 'Click the letter of the correct answer.';
}
