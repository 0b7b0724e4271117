import type { CsvRow } from '@invigil/core/domain/questions/question-csv';
import {
  type ColumnUse,
  IMPORT_LIMITS,
  isRepeatable,
} from '@invigil/core/domain/questions/question-files';
import { headUse, optionLabel, plainHead, saysPlace, WEAK_ANSWER } from './column-words.ts';

export interface SheetHead {
  /** The number of the header's row; -1: there is none. */
  index: number;
  /** One for each column, '' without a header. */
  heads: readonly string[];
  uses: readonly ColumnUse[];
  /** The letter or number that the head of an option has; '' without one. */
  labels: readonly string[];
  /** The header says that the key is the place of an option. */
  isPlace: boolean;
}

/** A head is short; what is longer is a text, and is not parsed. */
const MOST_HEAD_CHARACTERS = 100;
/** A title, a date, instructions: more rows are not above a header. */
const MOST_ABOVE = 20;

/**
 * The header of a sheet: the first row that names the question and either its key or its options.
 * `null`: there is none that is known.
 */
export function findHead(rows: readonly CsvRow[]): SheetHead | null {
  for (const [index, { fields }] of rows.slice(0, MOST_ABOVE).entries()) {
    const found = readHead(fields.slice(0, IMPORT_LIMITS.columnsMax));
    const options = found.uses.filter((use) => use === 'option').length;
    const has = (use: ColumnUse) => found.uses.includes(use);
    const isHead = has('question') && (has('answer') || options >= 2);
    // The question is the column left of the options where the language of the header is not known.
    const first = found.uses.indexOf('option');
    const left = found.uses.slice(0, first).lastIndexOf('unused');
    const labels = found.labels.filter((label) => label !== '');
    const isNearlyHead =
      !has('question') && has('answer') && left >= 0 && new Set(labels).size >= 2 && options >= 2;
    if (isHead) return { index, ...found };
    if (isNearlyHead) return { index, ...found, uses: found.uses.with(left, 'question') };
  }
  return null;
}

function readHead(fields: readonly string[]): Omit<SheetHead, 'index'> {
  const heads = fields.map((field) => field.trim());
  const known = heads.map((head) => {
    if (head.length > MOST_HEAD_CHARACTERS) return { use: 'unused' as const, rank: 0, label: '' };
    // "Points (max. 10)"
    const texts = [plainHead(head), plainHead(head.replace(/[([].*[)\]]/, ''))];
    const label = texts.map(optionLabel).find((one) => one !== null) ?? null;
    if (label !== null) return { use: 'option' as const, rank: 0, label };
    const found = texts.map(headUse).find((one) => one !== null);
    if (found) return { ...found, label: '' };
    return saysPlace(head)
      ? { use: 'answer' as const, rank: 0, label: '' }
      : { use: 'unused' as const, rank: 0, label: '' };
  });
  const uses = known.map(({ use, rank }, i): ColumnUse => {
    if (isRepeatable(use)) return use;
    const best = known.reduce(
      (best, other, j) =>
        other.use === use && (best < 0 || other.rank < (known[best]?.rank ?? 0)) ? j : best,
      -1,
    );
    if (best === i) {
      // "Answer", "Answer", "Answer": which of them is the key, nobody knows.
      const isOne = known.filter((other) => other.use === use).length === 1;
      return use === 'answer' && rank === WEAK_ANSWER && !isOne ? 'option' : use;
    }
    return use === 'answer' && rank === WEAK_ANSWER ? 'option' : 'unused';
  });
  return { heads, uses, labels: known.map(({ label }) => label), isPlace: isPlaceKey(heads, uses) };
}

function isPlaceKey(heads: readonly string[], uses: readonly ColumnUse[]): boolean {
  return saysPlace((heads[uses.indexOf('answer')] ?? '').slice(0, MOST_HEAD_CHARACTERS));
}

/** The same columns with the uses that a person chose. */
export function withChosen(head: SheetHead | null, uses: readonly ColumnUse[]): SheetHead {
  const { index = -1, heads = [], labels = [] } = head ?? {};
  return { index, heads, labels, uses, isPlace: isPlaceKey(heads, uses) };
}

/** The columns of a sheet without a known header: the question, its options, and last the key. */
export function columnsByPlace(width: number): ColumnUse[] {
  return Array.from({ length: width }, (_, i) =>
    i === 0 ? 'question' : i === width - 1 ? 'answer' : 'option',
  );
}

/** Question, options, key, and nothing else: the form of our own files. */
export function isOwnForm({ uses }: Pick<SheetHead, 'uses'>): boolean {
  return uses.join() === columnsByPlace(uses.length).join();
}
