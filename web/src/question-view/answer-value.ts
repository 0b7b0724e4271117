import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { numberToCheck } from '@invigil/core/domain/questions/number-doubts';
import {
  ANSWER_KINDS,
  hasOptions,
  isSeveralChoice,
} from '@invigil/core/domain/questions/question-definition';
import type { QuestionState } from './question-state.ts';

type Answerable = Pick<PaperQuestion, 'type' | 'options' | 'items'>;

/**
 * The selected options of an answer as it is on the wire: one option's text, or a JSON array of texts
 * for a multiple response. Only options of this paper count.
 */
export function selectedOptions({ type, options }: Answerable, value: string): string[] {
  const texts = isSeveralChoice(type) ? textsIn(value) : [value];
  return options.filter((option) => texts.includes(option));
}

export function isAnswered(question: Answerable, value: string): boolean {
  return hasOptions(question.type) ? selectedOptions(question, value).length > 0 : value !== '';
}

/** Reads numbers as the server does. Null: not fetched, which only papers with typed answers do. */
let checkNumber: typeof numberToCheck | null = null;

/** Sets the reader of numbers, before `toCheckIn` is called for one (answer-field.tsx). */
export function checkNumbersWith(check: typeof numberToCheck): void {
  checkNumber = check;
}

/** The problem to check in an answer before the submit, if any (QuestionState). */
export function toCheckIn(
  question: Answerable & Pick<PaperQuestion, 'minSelections' | 'hasUnits' | 'question'>,
  value: string,
): NonNullable<QuestionState['toCheck']> | null {
  if (ANSWER_KINDS[question.type] === 'number') {
    return value === '' ? null : (checkNumber?.(value, question) ?? null);
  }
  return missingSelections(question, value) > 0 ? 'too-few' : null;
}

/** How many selections an answer lacks of those that its question asks for; a blank one none. */
export function missingSelections(
  question: Answerable & Pick<PaperQuestion, 'minSelections'>,
  value: string,
): number {
  if (question.items) return textsIn(value).filter((text) => text === '').length;
  if (!isSeveralChoice(question.type)) return 0;
  const selected = selectedOptions(question, value).length;
  return selected === 0 ? 0 : Math.max(0, (question.minSelections ?? 1) - selected);
}

/**
 * The answer after an option was clicked. A multiple response adds or removes it, and stays as it is
 * where that would be one more than allowed.
 */
export function withOption(
  question: Answerable & Pick<PaperQuestion, 'maxSelections'>,
  value: string,
  option: string,
): string {
  if (!isSeveralChoice(question.type)) return option;
  const { options, maxSelections = options.length } = question;
  const before = selectedOptions(question, value);
  const after = before.includes(option)
    ? before.filter((one) => one !== option)
    : options.filter((one) => one === option || before.includes(one));
  if (after.length > Math.max(before.length, maxSelections)) return value;
  return after.length === 0 ? '' : JSON.stringify(after);
}

/** The texts of an answer that is a JSON array of them. */
export function textsIn(value: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
