import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { textsIn } from './answer-value.ts';

/**
 * The rows of an answer: the answers to the items of a matching question ('' is none), or the items of an ordering
 * as they are ordered; in the order of the paper as long as they are not.
 */
export function rowsOf(
  { items, options }: Pick<PaperQuestion, 'items' | 'options'>,
  value: string,
): string[] {
  const texts = textsIn(value);
  if (items) return items.map((_, i) => options.find((option) => option === texts[i]) ?? '');
  const isOrder = texts.length === options.length && options.every((one) => texts.includes(one));
  return isOrder ? texts.map(String) : [...options];
}

/** The answer with these rows. */
export function valueOfRows(rows: readonly string[]): string {
  return rows.some((row) => row !== '') ? JSON.stringify(rows) : '';
}
