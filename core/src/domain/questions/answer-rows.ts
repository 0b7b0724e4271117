import { type GivenAnswer, selectedIdsOf } from './given-answer.ts';
import { inPairs } from './matching-options.ts';
import {
  ANSWER_KINDS,
  type OptionDefinition,
  type QuestionDefinition,
  type QuestionDetails,
} from './question-definition.ts';

/** One item of a matching question or an ordering, in an answer. */
export interface AnswerRow {
  itemId: number;
  /** The id of the answer, or the place from 1; null: left open. */
  given: number | null;
  /** The same of the key; null: a matching question without one. */
  right: number | null;
}

/** The rows of an answer: of a matching question in its order, of an ordering in the right one. */
export function answerRows(
  { optionIds, details }: { optionIds: readonly number[]; details: QuestionDetails },
  answer: GivenAnswer,
): AnswerRow[] {
  const given = selectedIdsOf(answer);
  if (ANSWER_KINDS[details.type] === 'order') {
    const ids = inRightOrder(optionIds.map((id, i) => ({ id, ...details.options[i] })));
    return ids.map(({ id }, i) => ({
      itemId: id,
      given: given.includes(id) ? given.indexOf(id) + 1 : null,
      right: i + 1,
    }));
  }
  const rows: AnswerRow[] = [];
  details.options.forEach(({ match }, i) => {
    if (match === undefined) return;
    const right = match === null ? null : (optionIds[match] ?? null);
    rows.push({ itemId: optionIds[i] ?? 0, given: given[rows.length] || null, right });
  });
  return rows;
}

/** The items of an ordering as they should be. */
export function inRightOrder<O extends Pick<OptionDefinition, 'place'>>(
  options: readonly O[],
): O[] {
  return options
    .map((option, i) => ({ option, place: option.place ?? i }))
    .sort((a, b) => a.place - b.place)
    .map(({ option }) => option);
}

/** A row in words: `given` is empty where it is left open. */
export interface RowTexts {
  item: string;
  given: string;
  right: string;
}

/**
 * The rows of an answer in words. Those of an ordering come as they were given, those of a blank one as on the
 * paper: in the right order they would tell the key.
 *
 * @param order of all options on the paper
 */
export function rowTexts(
  version: { optionIds: readonly number[]; details: QuestionDetails },
  textOf: ReadonlyMap<number, string>,
  order: readonly number[],
  answer: GivenAnswer,
): RowTexts[] {
  const isOrder = ANSWER_KINDS[version.details.type] === 'order';
  const words = (value: number | null) =>
    value === null ? '' : isOrder ? String(value) : (textOf.get(value) ?? '');
  const rows = answerRows(version, answer);
  const placeOf = ({ itemId, given }: AnswerRow) => given ?? order.indexOf(itemId);
  if (isOrder) rows.sort((a, b) => placeOf(a) - placeOf(b));
  return rows.map(({ itemId, given, right }) => ({
    item: textOf.get(itemId) ?? '',
    given: words(given),
    right: words(right),
  }));
}

/** The key of a question with rows, in its order: each item with the text of its answer, or with its place. */
export function keyRows({
  type,
  options,
}: Pick<QuestionDefinition, 'type' | 'options'>): Pick<RowTexts, 'item' | 'right'>[] {
  if (ANSWER_KINDS[type] === 'order') {
    return inRightOrder(options).map(({ text }, i) => ({ item: text, right: String(i + 1) }));
  }
  return inPairs(options).map(({ item, answer }) => ({ item, right: answer ?? '' }));
}
