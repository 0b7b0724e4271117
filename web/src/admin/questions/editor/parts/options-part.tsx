import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { optionLetter } from '@invigil/core/domain/locale';
import {
  isSeveralChoice,
  isSingleChoice,
} from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import type { LexicalEditor } from 'lexical';
import { Pin, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { FieldNote } from '../../../../ui/fields/field.tsx';
import { BubbleRadio, RadioGroup } from '../../../../ui/fields/radio-group.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { MoveHandle } from '../../../../ui/move-handle.tsx';
import { Card } from '../../../../ui/page.tsx';
import type { OptionValues } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';
import { LineText } from '../text/markdown-field.tsx';
import { RichToolbar } from '../text/rich/rich-toolbar.tsx';
import { RowField } from './numeric-part.tsx';
import { fieldOf, useOptionList } from './use-option-list.ts';

export function OptionsPart({ values, change, problemAt }: PartProps) {
  const { type, options, rule } = values;
  const { list, said, isFull, ...act } = useOptionList({ values, change });
  /** The text that the toolbar formats. */
  const [current, setCurrent] = useState<LexicalEditor | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [gives, setGives] = useState(false);
  const givesFeedback =
    type !== 'ordering' && (gives || options.some(({ feedback }) => feedback !== ''));
  const isSingle = isSingleChoice(type);
  const isFixed = TYPES[type].hasFixedOrder;
  const rows = options.map((option, index) => (
    <OptionRow
      // The key is the place: a moved text keeps the focus by itself, and undo stays in its field.
      // biome-ignore lint/suspicious/noArrayIndexKey: options have no id, and equal texts are possible
      key={index}
      {...{ option, index, values, problemAt, givesFeedback, act }}
      isOver={over === index + 1}
      onOver={setOver}
      onFocusText={setCurrent}
    />
  ));
  return (
    <Card
      title={
        type === 'ordering'
          ? t('editor.items.title', 'Items in the right order')
          : t(/* the answers from which candidates select */ 'portal.options', 'Options')
      }
      {...(values.format === 'markdown' && !isFixed
        ? {
            aside: (
              <RichToolbar
                editor={current}
                of="options"
                isInline
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
            label={t(
              /* a group of buttons, of which one can be chosen */ 'portal.correctAnswer',
              'Correct answer',
            )}
            value={String(options.findIndex((option) => option.isCorrect))}
            onChange={(value) => act.mark(Number(value), true)}
            className="grid gap-2"
          >
            {rows}
          </RadioGroup>
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: the card's title is the legend
          <div
            role="group"
            aria-label={
              type === 'ordering'
                ? t(/* to be put in order */ 'editor.items', 'Items')
                : t(
                    /* a group of boxes that can be ticked */ 'editor.correctAnswers',
                    'Correct answers',
                  )
            }
            className="grid gap-2"
          >
            {rows}
          </div>
        )}
        {type === 'ordering' ? null : givesFeedback ? (
          <p className="text-sm text-ink-3">
            {t(
              'editor.feedback.hint',
              'Feedback is shown with a released result to those who selected the option, and never during an attempt.',
            )}
          </p>
        ) : (
          <Button
            variant="ghost"
            size="dense"
            className="-ms-3 justify-self-start"
            onClick={() => setGives(true)}
          >
            {t(/* a button */ 'editor.feedback.add', 'Add feedback on options')}
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
              onClick={() => act.addAt(options.length)}
            >
              {type === 'ordering'
                ? t(/* a button: another item to be put in order */ 'editor.items.add', 'Add item')
                : t(/* a button */ 'editor.options.add', 'Add option')}
            </Button>
            <span className={`text-sm text-ink-3 ${isFull ? '' : 'touch:hidden'}`}>
              {isFull
                ? type === 'ordering'
                  ? t(
                      'editor.items.full',
                      '{max, plural, one {A question has at most # item} other {A question has at most # items}}',
                      { max: QUESTION_LIMITS.richOptionsMax },
                    )
                  : t(
                      'editor.options.full',
                      '{max, plural, one {A question has at most # option} other {A question has at most # options}}',
                      { max: QUESTION_LIMITS.richOptionsMax },
                    )
                : t(
                    /* Enter and Alt are keys; one is an option or an item */ 'editor.options.keys',
                    'Enter adds one, Alt+arrows move one',
                  )}
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
  if (type === 'ordering')
    return t(
      /* items to be put in order; a paper is the test of one candidate */ 'editor.items.hint',
      'The first at the top. Every paper has them in another order.',
    );
  if (rule === 'weights')
    return t(
      'editor.options.hintWeights',
      'Give each option its percentage of the points, -100 to 100.',
    );
  return isSeveralChoice(type)
    ? t('editor.options.hintSeveral', 'Click the letters of all correct options.')
    : t('editor.options.hintOne', 'Click the letter of the correct answer.');
}

function OptionRow({
  option,
  index,
  values,
  problemAt,
  givesFeedback,
  isOver,
  act,
  onOver,
  onFocusText,
}: {
  option: OptionValues;
  index: number;
  values: PartProps['values'];
  problemAt: PartProps['problemAt'];
  givesFeedback: boolean;
  isOver: boolean;
  act: Omit<ReturnType<typeof useOptionList>, 'list' | 'said' | 'isFull'>;
  onOver(place: number | null): void;
  onFocusText(editor: LexicalEditor | null): void;
}) {
  const onChange = (part: Partial<OptionValues>, field: string | null) =>
    act.set(index, part, field);
  const { type, rule, format, options } = values;
  const letter = optionLetter(index);
  const name = `options.${index}.text`;
  const weightName = `options.${index}.weight`;
  const weightProblem = problemAt(weightName);
  const isFixed = TYPES[type].hasFixedOrder;
  return (
    <div
      data-place={index + 1}
      className={`-mx-1 rounded-lg px-1 ${isOver ? 'bg-accent-soft' : ''}`}
      onKeyDownCapture={(event) => {
        if (event.key === 'Enter' && event.altKey && type !== 'ordering' && rule !== 'weights') {
          event.preventDefault();
          event.stopPropagation();
          act.mark(index, isSingleChoice(type) || !option.isCorrect);
          return;
        }
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
        if (step === 0 || !event.altKey || isFixed) return;
        event.preventDefault();
        event.stopPropagation();
        act.move(index, index + step, fieldOf(index + step));
      }}
    >
      <div className="flex flex-wrap items-start gap-x-2 gap-y-1.5">
        {!isFixed && (
          <span className="mt-2 sm:-ms-1 max-sm:order-last max-sm:ms-2">
            <MoveHandle
              label={t(/* a button */ 'editor.option.move', 'Move option {letter}', { letter })}
              number={index + 1}
              last={options.length}
              locked={false}
              onOver={onOver}
              onMove={(to) => act.move(index, to - 1, `[data-place="${to}"] [data-move]`)}
            />
          </span>
        )}
        <span className="mt-0.5 flex-none touch:mt-0">
          <KeyBubble {...{ type, rule, option, index, letter }} mark={act.mark} />
        </span>
        <div className="grid min-w-0 flex-1 basis-40 gap-1 max-sm:basis-56">
          <LineText
            name={name}
            label={t('editor.option', 'Option {letter}', { letter })}
            value={option.text}
            error={problemAt(name)}
            onChange={(text) => onChange({ text }, name)}
            {...{ format, onFocusText }}
            onEnter={() => act.next(index)}
            onBackspace={() => act.removeEmpty(index)}
            onPasteText={(pasted, isSource) => act.pasteList(index, pasted, isSource)}
          />
          {weightProblem !== undefined && (
            <FieldNote id={`${weightName}-note`} error={weightProblem} />
          )}
          {givesFeedback && (
            <LineText
              name={`options.${index}.feedback`}
              label={t('editor.option.feedback', 'Feedback on option {letter}', { letter })}
              value={option.feedback}
              error={problemAt(`options.${index}.feedback`)}
              onChange={(feedback) => onChange({ feedback }, `options.${index}.feedback`)}
              {...{ format, onFocusText }}
              className="text-sm"
            />
          )}
        </div>
        <span className="ms-auto flex flex-none items-start gap-2">
          {rule === 'weights' && (
            <RowField
              label={t(
                /* what it earns */ 'editor.option.weight',
                'Weight of option {letter}, percent of the points',
                { letter },
              )}
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
                  label={t(
                    /* a button */ 'editor.option.keepLetterLast',
                    'Keep option {letter} last',
                    { letter },
                  )}
                  tooltip={
                    option.isLast
                      ? t(
                          /* said of the option: this is switched on */ 'editor.option.isLast',
                          'Stays last when options are shuffled',
                        )
                      : t(
                          /* of the option: switches this on */ 'editor.option.keepLast',
                          'Keep last when options are shuffled',
                        )
                  }
                  aria-pressed={option.isLast}
                  className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
                  onClick={() => onChange({ isLast: !option.isLast }, null)}
                >
                  <Pin />
                </IconButton>
              )}
              <IconButton
                label={t(/* a button */ 'editor.option.remove', 'Remove option {letter}', {
                  letter,
                })}
                tooltip={t(/* a button: this row of a list */ 'portal.remove', 'Remove')}
                unavailable={
                  options.length <= 2
                    ? t('editor.options.few', 'A question has at least two options')
                    : undefined
                }
                onClick={() => act.remove(index)}
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
  if (type === 'ordering') {
    return (
      <span aria-hidden="true" className={`${shape} rounded-full ${tone(false)}`}>
        {index + 1}
      </span>
    );
  }
  const label = t(
    /* a button that marks it so */ 'editor.option.isCorrect',
    'Option {letter} is correct',
    { letter },
  );
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
