import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { optionLetter } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { Choice, ChoiceGroup } from '../ui/fields/choice-group.tsx';
import { Content } from './content.tsx';

export interface AnswerFieldProps {
  question: PaperQuestion;
  /** the answer as it is on the wire (answer-value.ts) */
  value: string;
  readOnly?: boolean;
  dense?: boolean;
  onSelect(value: string): void;
  onType(text: string): void;
  onSettle(): void;
}

/** One option: a row with its letter and its text. Style of both radios and checkboxes. */
export const OPTION_ROW =
  'group flex w-full items-center gap-3.5 rounded-lg border border-line-2 bg-surface text-start transition-colors hover:border-line-strong hover:bg-hover disabled:cursor-default disabled:border-line disabled:bg-surface disabled:text-ink-2 data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft data-[state=checked]:text-ink data-[state=checked]:inset-ring data-[state=checked]:inset-ring-accent';

export function optionSize(dense: boolean): string {
  return dense
    ? 'min-h-13 py-2 pe-4 ps-2.5'
    : 'min-h-14 py-2.5 pe-3.5 ps-2.75 lg:min-h-15 lg:py-3 lg:pe-4.5 lg:ps-3.5';
}

export function optionGap(dense: boolean): string {
  return `grid grid-cols-[minmax(0,1fr)] ${dense ? 'gap-2' : 'gap-2.5 lg:gap-3'}`;
}

/** The letter of an option; the shape says whether one or several can be selected. */
export const OPTION_LETTER =
  'grid size-8.5 flex-none place-items-center border-[1.5px] border-line-strong bg-surface text-[0.9375rem] font-semibold text-ink-2 group-disabled:border-line-2 group-data-[state=checked]:border-accent group-data-[state=checked]:bg-accent group-data-[state=checked]:text-on-accent';

const OPTION_TEXT =
  'min-w-0 text-[length:calc(1rem*var(--reading,1))] leading-normal wrap-anywhere whitespace-pre-wrap';

/** "Select 2 to 3": how many options a candidate is asked to select. */
export function selectionHint(min: number, max: number, options: number): string {
  if (max >= options) {
    return min > 1
      ? t(
          /* how many options: "Select at least 2" */ 'question.select.atLeast',
          '{min, plural, one {Select at least #} other {Select at least #}}',
          { min },
        )
      : t('question.select.allThatApply', 'Select all that apply');
  }
  if (min === max) {
    return t(
      /* how many options: "Select 2" */ 'question.select.exactly',
      '{max, plural, one {Select #} other {Select #}}',
      { max },
    );
  }
  return min > 1
    ? t(
        /* how many options: "Select 2 to 3" */ 'question.select.range',
        '{max, plural, one {Select {min} to #} other {Select {min} to #}}',
        { min, max },
      )
    : t(
        /* how many options: "Select up to 3" */ 'question.select.upTo',
        '{max, plural, one {Select up to #} other {Select up to #}}',
        { max },
      );
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of a question's options, by the first letter of its text; code and formulas have none. */
export function directionOf(asked: Pick<PaperQuestion, 'question'>): 'ltr' | 'rtl' {
  try {
    const words = asked.question.replace(/!?\[[^\]]*\]\([^)]*\)|`[^`]*`|\$[^$]*\$/g, ' ');
    return RIGHT_TO_LEFT.test(/\p{L}/u.exec(words)?.[0] ?? '') ? 'rtl' : 'ltr';
  } catch {
    // A text that cannot be shown does not take its answer with it.
    return 'ltr';
  }
}

/** The direction of an option. Beside a question from right to left, a foreign word at its start changes nothing. */
export const directionOfOption = (
  asked: Pick<PaperQuestion, 'question'>,
  option: string,
): 'rtl' | 'auto' => (directionOf(asked) === 'rtl' && RIGHT_TO_LEFT.test(option) ? 'rtl' : 'auto');

/** The text of an option. */
export function OptionText({ question, option }: { question: AskedOptions; option: string }) {
  return (
    <span dir={directionOfOption(question, option)} className={OPTION_TEXT}>
      <Content text={option} format={question.format} inline links="shown" />
    </span>
  );
}

type AskedOptions = Pick<PaperQuestion, 'id' | 'question' | 'options' | 'format'>;

/**
 * The options of a question as lettered bubbles, a radio group. Read-only emphasizes the selected one
 * and grays outlines, not text.
 */
export function AnswerOptions({
  question,
  selected,
  readOnly = false,
  dense = false,
  onSelect,
}: {
  question: AskedOptions;
  /** the selected option's text, empty if none */
  selected: string;
  readOnly?: boolean;
  dense?: boolean;
  onSelect(option: string): void;
}) {
  const { id, options } = question;
  if (options.length === 0) {
    return (
      <p className="text-md text-ink-2">
        {t('question.noOptions', 'No options available for this question')}
      </p>
    );
  }
  const selectedIndex = options.indexOf(selected);
  return (
    <ChoiceGroup
      // A new group per question resets the focus.
      key={id}
      dir={directionOf(question)}
      label={t(
        /* the group of answers to a question, for screen readers */ 'question.options',
        'Answer options',
      )}
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
          <OptionText question={question} option={option} />
        </Choice>
      ))}
    </ChoiceGroup>
  );
}
