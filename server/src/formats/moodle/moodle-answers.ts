import { plainTextOf } from '@invigil/core/content/content-facts';
import type { ConvertedText } from '@invigil/core/content/html/html-text';
import type {
  AcceptedNumber,
  NumericKey,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import type { ImportedItem } from '../imported-file.ts';
import { rangeAround } from '../text/accepted-number.ts';
import { belowZeroText } from '../text/full-points.ts';
import { type ItemHead, importedItem, NO_TEXT, type QuestionTexts } from '../text/imported-item.ts';
import { matchingTexts } from '../text/matching-texts.ts';

export const wildcardText = (): string =>
  t('import.moodle.wildcard', 'Short answers with the wildcard * are not supported.');

/** The note about feedback on typed answers, which no question of ours has. */
export const feedbackLostText = (): string =>
  t('import.moodle.feedback', 'Feedback for single answers was left out.');

/** Moodle's way to mark answers, which GIFT shares: each earns a percentage of the points. */
export interface MoodleAnswer {
  text: ConvertedText;
  /** -100 to 100 */
  fraction: number;
  /** Absent: none. */
  feedback?: ConvertedText;
}

type Key = Pick<QuestionDefinition, 'type' | 'rule' | 'numeric' | 'shortText'> & {
  options: { isCorrect: boolean; weight?: number; isLast?: boolean }[];
};

/** Why a number of a file is refused. */
export const notNumberText = (value: string): string =>
  t('import.moodle.notNumber', '“{value}” is not a number with a tolerance.', {
    value: value.slice(0, 60),
  });

/** A note where a single answer, selected or typed, would cost points. */
export function belowZeroNote(answers: readonly Pick<MoodleAnswer, 'fraction'>[]): string[] {
  return answers.some(({ fraction }) => fraction < 0) ? [belowZeroText()] : [];
}

/** Moodle keeps seven decimals, and shows five. */
function weightOf(fraction: number): number {
  return Math.round(fraction * 1e5) / 1e5;
}

/** A choice. One answer with 100 and none else is all or nothing, or a draft without any. */
export function choiceItem(
  head: ItemHead,
  texts: QuestionTexts,
  answers: readonly MoodleAnswer[],
  {
    isSingle,
    isOrdered = false,
    points,
  }: { isSingle: boolean; isOrdered?: boolean; points: number },
): ImportedItem {
  if (isSingle) head.notes.push(...belowZeroNote(answers));
  const options = answers.map(({ text }) => text);
  const feedback = answers.map(({ feedback = NO_TEXT }) => feedback);
  const key = choiceKey(answers, isSingle, isOrdered);
  return importedItem(head, { ...texts, options, feedback }, { ...key, points });
}

function choiceKey(answers: readonly MoodleAnswer[], isSingle: boolean, isOrdered: boolean): Key {
  const type = isSingle ? 'multiple_choice' : 'multiple_response';
  const last = isOrdered ? { isLast: true } : {};
  const weights = answers.map(({ fraction }) => weightOf(fraction));
  const isPlain =
    isSingle &&
    weights.filter((w) => w === 100).length === 1 &&
    weights.filter((w) => w !== 0).length === 1;
  if (isPlain || !weights.some((weight) => weight > 0)) {
    return {
      type,
      rule: 'all_or_nothing',
      options: weights.map((w) => ({ isCorrect: w > 0, ...last })),
    };
  }
  return {
    type,
    rule: 'weights',
    options: weights.map((weight) => ({ isCorrect: weight > 0, weight, ...last })),
  };
}

/** Options and key of a true/false question. */
export function trueFalseKey(isTrue: boolean): { texts: ConvertedText[]; key: Key } {
  const texts = ['True', 'False'].map(
    (text): ConvertedText => ({ text, format: 'plain', notes: [] }),
  );
  const options = [{ isCorrect: isTrue }, { isCorrect: !isTrue }];
  return { texts, key: { type: 'true_false', rule: 'all_or_nothing', options } };
}

type Typed<T> = { value: T; fraction: number };

/** Answers that earn nothing only carry feedback: what is not accepted earns nothing anyway. */
function weighted<T extends object>(
  answers: readonly Typed<T>[],
): { rule: 'all_or_nothing' | 'weights'; accepted: T[] } {
  const earning = answers.filter(({ fraction }) => weightOf(fraction) > 0);
  if (earning.every(({ fraction }) => weightOf(fraction) === 100)) {
    return { rule: 'all_or_nothing', accepted: earning.map(({ value }) => value) };
  }
  return {
    rule: 'weights',
    accepted: earning.map(({ value, fraction }) => ({ ...value, weight: weightOf(fraction) })),
  };
}

/** Accepted texts; `null` when one has a wildcard. */
export function shortTextKey(
  answers: readonly MoodleAnswer[],
  isCaseSensitive = false,
): Key | null {
  const earning = answers.filter(({ fraction }) => fraction > 0);
  const texts = earning.map(({ text, fraction }) => {
    const plain = text.format === 'markdown' ? plainTextOf(text.text) : text.text;
    return { plain, fraction };
  });
  if (texts.some(({ plain }) => /(?<!\\)\*/.test(plain))) return null;
  const { rule, accepted } = weighted(
    texts.map(({ plain, fraction }) => ({
      value: { text: plain.replace(/\\\*/g, '*') },
      fraction,
    })),
  );
  const shortText = { accepted, ...(isCaseSensitive ? { isCaseSensitive } : {}) };
  return { type: 'short_text', rule, options: [], shortText };
}

export type TypedNumber = Typed<AcceptedNumber>;

/** Accepted numbers, with their tolerances. */
export function numericKey(answers: readonly TypedNumber[]): Key & { numeric: NumericKey } {
  const { rule, accepted } = weighted(answers);
  return { type: 'numeric', rule, options: [], numeric: { accepted } };
}

/** A number with its tolerance as a range, both with a decimal point or comma; `null`: no numbers. */
export function numberWithTolerance(value: string, tolerance: string): AcceptedNumber | null {
  const plain = (text: string) => text.trim().replace(',', '.');
  const by = plain(tolerance).replace(/^-(?=[\d.])/, '') || '0';
  return rangeAround(plain(value), by, by);
}

/** Pairs to match, as Moodle counts them: each right one earns its share. An item without a text only adds an answer. */
export function matchingItem(
  head: ItemHead,
  texts: QuestionTexts,
  parts: readonly { item: ConvertedText; answer: ConvertedText }[],
  points: number,
): ImportedItem {
  const pairs = parts.filter(({ item }) => item.text.trim() !== '');
  const further = parts.filter(({ item }) => item.text.trim() === '').map(({ answer }) => answer);
  const { texts: options, options: key } = matchingTexts(
    pairs,
    further.filter(({ text }) => text.trim() !== ''),
  );
  return importedItem(
    head,
    { ...texts, options },
    { type: 'matching', rule: 'per_option', options: key, points },
  );
}

/** Moodle's answers to match are plain text, whatever the format of the question is. */
export function plainAnswer(text: string, { format }: Pick<QuestionDefinition, 'format'>): string {
  return format === 'markdown' ? plainTextOf(text) : text;
}
