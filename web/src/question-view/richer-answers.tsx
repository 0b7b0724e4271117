import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { decimalSign, optionLetter } from '@invigil/core/domain/locale';
import { formatDecimal } from '@invigil/core/domain/questions/decimal';
import { doubtInNumber } from '@invigil/core/domain/questions/number-doubts';
import { ANSWER_KINDS, type AnswerKind } from '@invigil/core/domain/questions/question-definition';
import { type NumberProblem, readTypedNumber } from '@invigil/core/domain/questions/typed-numbers';
import { t } from '@invigil/core/texts/i18n';
import { type ComponentType, useEffect, useId, useState } from 'react';
import { CONTROL } from '../ui/fields/field.tsx';
import {
  type AnswerFieldProps,
  directionOf,
  OPTION_LETTER,
  OPTION_ROW,
  OptionText,
  optionGap,
  optionSize,
  selectionHint,
} from './answer-options.tsx';
import { missingSelections, selectedOptions, toCheckIn, withOption } from './answer-value.ts';

export { numberToCheck } from '@invigil/core/domain/questions/number-doubts';

const ANSWERS = {
  several: MultipleResponse,
  number: TypedAnswer,
  text: TypedAnswer,
} satisfies Record<Exclude<AnswerKind, 'one' | 'matches' | 'order'>, ComponentType<never>>;

/**
 * Answers other than one of several options: fetched only where a paper asks for them. Those with rows are in
 * row-answers.tsx.
 */
export default function RicherAnswer({
  kind,
  question,
  value,
  readOnly = false,
  dense = false,
  onSelect,
  onType,
  onSettle,
}: AnswerFieldProps & { kind: keyof typeof ANSWERS }) {
  const Answer = ANSWERS[kind];
  return <Answer {...{ question, value, readOnly, dense, onSelect, onType, onSettle }} />;
}

/** A number or a short text. What is saved has no spaces at its ends, the field keeps them. */
function TypedAnswer({
  question,
  value,
  readOnly,
  onType,
  onSettle,
}: {
  question: PaperQuestion;
  value: string;
  readOnly: boolean;
  onType(text: string): void;
  onSettle(): void;
}) {
  const id = useId();
  const [draft, setDraft] = useState(value);
  // Cleared, restored by Cancel, or replaced by what the server has.
  if (draft.trim() !== value.trim()) setDraft(value);
  const isNumber = ANSWER_KINDS[question.type] === 'number';
  const [isCut, setCut] = useState(false);
  const hint = useCalm(
    isNumber && !(readOnly && value === '') ? numberHint(value, question) : '',
    value,
  );
  const isToCheck =
    isNumber && hint === numberHint(value, question) && toCheckIn(question, value) !== null;
  return (
    <div className="grid max-w-120 gap-1.5">
      <label htmlFor={id} className="w-fit font-medium">
        {t(/* label of the field to type it in */ 'question.yourAnswer', 'Your answer')}
      </label>
      <input
        id={id}
        type="text"
        dir="auto"
        // No number pad: those of phones have neither a minus sign nor the letters of a unit.
        inputMode="text"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        maxLength={QUESTION_LIMITS.shortTextMaxCharacters}
        aria-describedby={isNumber ? `${id}-hint` : undefined}
        value={draft}
        readOnly={readOnly}
        onChange={({ target }) => {
          setDraft(target.value);
          if (target.value.length < QUESTION_LIMITS.shortTextMaxCharacters) setCut(false);
          onType(target.value.trim());
        }}
        onPaste={({
          clipboardData,
          currentTarget: { value: before, selectionStart, selectionEnd },
        }) => {
          const replaced = (selectionEnd ?? 0) - (selectionStart ?? 0);
          const pasted = clipboardData.getData('text').length;
          setCut(before.length - replaced + pasted > QUESTION_LIMITS.shortTextMaxCharacters);
        }}
        onBlur={onSettle}
        className={`${CONTROL} min-h-12 px-3.5 text-[length:calc(1rem*var(--reading,1))] read-only:border-line read-only:text-ink-2`}
      />
      {isCut && (
        <p role="status" className="text-sm text-warn-ink">
          {t(
            'question.cut',
            '{most, plural, one {Only the first # character was kept.} other {Only the first # characters were kept.}}',
            { most: QUESTION_LIMITS.shortTextMaxCharacters },
          )}
        </p>
      )}
      {isNumber && (
        <p
          id={`${id}-hint`}
          aria-live="polite"
          className={`min-h-5 text-sm break-words ${isToCheck ? 'text-warn-ink' : 'text-ink-2'}`}
        >
          {hint}
        </p>
      )}
    </div>
  );
}

const PROBLEMS: Record<NumberProblem, () => string> = {
  'no-number': () => t('question.number.none', 'This is not a number'),
  'only-number': () => t('question.number.only', 'Only a number is expected'),
  calculation: () =>
    t(
      'question.number.calculation',
      'Type one decimal number, for example 0.5. Fractions and calculations are not read.',
    ),
};

/** How the server reads what was typed, so that a comma or a group of digits is no surprise. */
function numberHint(text: string, { question, hasUnits = false }: PaperQuestion): string {
  if (text === '')
    return t(
      /* both ways to write a decimal are read */ 'question.number.hint',
      'Type a number, for example 3.14 or 3,14',
    );
  const typed = readTypedNumber(text, hasUnits);
  if (typeof typed === 'string') return PROBLEMS[typed]();
  // A German would take 1.234 for a thousand: it is shown as 1,234, so that a wrong reading is noticed.
  const number = formatDecimal(typed.value).replace('.', decimalSign());
  const { unit } = typed;
  const doubt = doubtInNumber(text, typed, question);
  if (doubt === 'thousands') {
    return t(
      /* {typed}: the number without its comma */ 'question.number.comma',
      'Read as {number}. For {typed} type no comma',
      { number, typed: text.replace(',', '') },
    );
  }
  if (doubt === 'unit') {
    return t(
      'question.number.otherUnit',
      'Read as {number} {unit}. The question does not name this unit',
      { number, unit },
    );
  }
  if (!hasUnits) {
    return t(/* how a typed number was understood */ 'question.number.read', 'Read as {number}', {
      number,
    });
  }
  return unit === ''
    ? t(
        /* how a typed number was understood */ 'question.number.noUnit',
        'Read as {number}, without a unit',
        { number },
      )
    : t(
        /* how a typed number was understood */ 'question.number.withUnit',
        'Read as {number} {unit}',
        { number, unit },
      );
}

/** Long enough to finish a number, short enough to see it before moving on, milliseconds. */
const CALM_MS = 500;

/**
 * The latest text once `typed` has not changed for a moment: half a number is not announced. In another
 * language the text is another one at once.
 */
function useCalm(text: string, typed: string): string {
  const [shown, setShown] = useState({ text, typed });
  useEffect(() => {
    const timer = setTimeout(() => setShown({ text, typed }), CALM_MS);
    return () => clearTimeout(timer);
  }, [text, typed]);
  return shown.typed === typed ? text : shown.text;
}

/** The options of a multiple response: a group of checkboxes with how many may be selected. */
function MultipleResponse({
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
        dir={directionOf(question)}
        aria-label={t(
          /* the group of answers to a question, for screen readers */ 'question.options',
          'Answer options',
        )}
        aria-describedby={hintId}
        className={optionGap(dense)}
      >
        {question.options.map((option, index) => {
          const checked = selected.includes(option);
          const isOff = isFull && !checked && !readOnly;
          return (
            // A native checkbox, like a native radio, cannot contain the letter and the whole option.
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
              <OptionText question={question} option={option} />
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
  if (isFull) {
    return t(
      'question.select.full',
      '{count, plural, one {# of # selected. Clear one to select another.} other {# of # selected. Clear one to select another.}}',
      { count: selected },
    );
  }
  if (missing === 0) return '';
  return t(
    /* options of the answer */ 'question.select.more',
    '{count, plural, one {Select # more.} other {Select # more.}}',
    { count: missing },
  );
}
