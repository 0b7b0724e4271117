import { parseContent } from '@invigil/core/content/parse-content';
import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import {
  furtherAnswers,
  inPairs,
  optionsOfPairs,
} from '@invigil/core/domain/questions/matching-options';
import {
  type AcceptedNumber,
  DIFFICULTIES,
  hasOptions,
  isSeveralChoice,
  isSingleChoice,
  type KeyField,
  type OptionDefinition,
  PLAIN_TYPE,
  QUESTION_TYPES,
  type QuestionDefinition,
  type QuestionType,
  SCORING_RULES,
  TEXT_FORMATS,
} from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { z } from 'zod';

const Text = z.string();
const NumberRow = z.object({
  kind: z.enum(['exact', 'range', 'percent']),
  value: Text,
  min: Text,
  max: Text,
  tolerancePercent: Text,
  weight: Text,
});
export type NumberRow = z.infer<typeof NumberRow>;

const KEY_VALUES = {
  numeric: z.object({
    accepted: z.array(NumberRow),
    units: z.array(z.object({ unit: Text, factor: Text })),
    isUnitRequired: z.boolean(),
  }),
  shortText: z.object({
    accepted: z.array(z.object({ text: Text, weight: Text })),
    isCaseSensitive: z.boolean(),
    isSpaceExact: z.boolean(),
  }),
} satisfies Record<KeyField, z.ZodType>;

const NO_PAIRS = {
  pairs: Array.from({ length: 3 }, () => ({ item: '', answer: '' })),
  further: [] as { text: string }[],
};

/**
 * The values of the editor's fields: numbers as they are typed, and the keys of all types, so that another
 * type can be tried without losing anything. Nested as a definition, so that its problems have the same
 * paths. A schema, because drafts on the device are read back.
 */
export const QuestionValues = z.object({
  type: z.enum(QUESTION_TYPES),
  format: z.enum(TEXT_FORMATS),
  question: Text,
  options: z.array(
    z.object({
      text: Text,
      isCorrect: z.boolean(),
      weight: Text,
      isLast: z.boolean(),
      // Drafts of earlier pages have none.
      feedback: Text.default(''),
    }),
  ),
  points: Text,
  rule: z.enum(SCORING_RULES),
  minSelections: Text,
  maxSelections: Text,
  ...KEY_VALUES,
  /** Pairs to match, and answers that are right for none. Drafts of earlier pages have none. */
  matching: z
    .object({
      pairs: z.array(z.object({ item: Text, answer: Text })),
      further: z.array(z.object({ text: Text })),
    })
    .default(NO_PAIRS),
  explanation: Text,
  tags: z.array(Text),
  categoryId: Text,
  difficulty: z.enum([...DIFFICULTIES, '']),
  note: Text,
});
export type QuestionValues = z.infer<typeof QuestionValues>;
export type OptionValues = QuestionValues['options'][number];

export const NEW_OPTION: OptionValues = {
  ...{ text: '', isCorrect: false, weight: '', isLast: false, feedback: '' },
};
export const NEW_NUMBER: NumberRow = {
  kind: 'exact',
  value: '',
  min: '',
  max: '',
  tolerancePercent: '',
  weight: '',
};

export const NEW_QUESTION: QuestionValues = {
  type: PLAIN_TYPE,
  format: 'markdown',
  question: '',
  options: [NEW_OPTION, NEW_OPTION, NEW_OPTION, NEW_OPTION],
  points: '1',
  rule: 'all_or_nothing',
  minSelections: '',
  maxSelections: '',
  numeric: { accepted: [NEW_NUMBER], units: [], isUnitRequired: false },
  shortText: { accepted: [{ text: '', weight: '' }], isCaseSensitive: false, isSpaceExact: false },
  matching: NO_PAIRS,
  explanation: '',
  tags: [],
  categoryId: '',
  difficulty: '',
  note: '',
};

/** The fields of the next new question: what questions in a row usually have in common is kept. */
export function nextAfter({ type, points, tags, categoryId }: QuestionValues): QuestionValues {
  return withType({ ...NEW_QUESTION, points, tags, categoryId }, type);
}

export function definitionValues(
  definition: QuestionDefinition,
): Omit<QuestionValues, keyof Labels> {
  const { numeric, shortText } = definition;
  const accepted = (numeric?.accepted ?? []).map(numberRow);
  const texts = (shortText?.accepted ?? []).map(({ text, weight }) => ({
    text,
    weight: typed(weight),
  }));
  return {
    type: definition.type,
    // The same either way, and marks can be added.
    format: isBareText(definition) ? 'markdown' : definition.format,
    question: definition.question,
    options: hasOptionRows(definition.type)
      ? definition.options.map(({ text, isCorrect, weight, isLast = false, feedback = '' }) => ({
          text,
          isCorrect,
          weight: typed(weight),
          isLast,
          feedback,
        }))
      : NEW_QUESTION.options,
    points: String(definition.points),
    rule: definition.rule,
    minSelections: typed(definition.minSelections),
    maxSelections: typed(definition.maxSelections),
    numeric: {
      accepted: accepted.length > 0 ? accepted : [NEW_NUMBER],
      units: numeric?.units ?? [],
      isUnitRequired: numeric?.isUnitRequired ?? false,
    },
    shortText: {
      accepted: texts.length > 0 ? texts : NEW_QUESTION.shortText.accepted,
      isCaseSensitive: shortText?.isCaseSensitive ?? false,
      isSpaceExact: shortText?.isSpaceExact ?? false,
    },
    matching:
      definition.type === 'matching'
        ? {
            pairs: inPairs(definition.options).map(({ item, answer }) => ({
              item,
              answer: answer ?? '',
            })),
            further: furtherAnswers(definition.options).map((text) => ({ text })),
          }
        : NO_PAIRS,
    explanation: definition.explanation ?? '',
  };
}

/** Whether the texts are edited as options: items to put in order are, too. */
export function hasOptionRows(type: QuestionType): boolean {
  return hasOptions(type) || type === 'ordering';
}

export function valuesOf(question: BankQuestion): QuestionValues {
  return {
    ...definitionValues(question.definition),
    tags: question.tags,
    categoryId: question.categoryId ?? '',
    difficulty: question.difficulty ?? '',
    note: question.note,
  };
}

/** The definition that was typed: a text that is no number stays one that `validateDefinition` refuses. */
export function definitionOf(values: QuestionValues): QuestionDefinition {
  const { type, question, rule, explanation } = values;
  const { keyField } = TYPES[type];
  const isWeighted = rule === 'weights';
  const weighted = (weight: string) => (isWeighted ? { weight: numberOf(weight) } : {});
  const options = optionsOf(values, weighted);
  return {
    type,
    format: isBareText({ ...values, options }) ? 'plain' : values.format,
    question,
    options,
    points: values.points.trim() === '' ? Number.NaN : numberOf(values.points),
    rule,
    ...(isSeveralChoice(type) ? selections(values) : {}),
    ...(keyField === null ? {} : { [keyField]: KEYS[keyField](values, weighted) }),
    explanation,
  };
}

function optionsOf(
  { type, rule, matching, ...values }: QuestionValues,
  weighted: Weighted,
): OptionDefinition[] {
  if (type === 'matching') {
    const { pairs, further } = typedPairs(matching);
    return optionsOfPairs(
      pairs.map(({ item, answer }) => ({ item, answer: answer.trim() || null })),
      further.map(({ text }) => text.trim()),
    );
  }
  if (!hasOptionRows(type)) return [];
  const rows = withoutBlankEnd(
    values.options,
    (option) => isBlankText(option) && option.feedback.trim() === '',
  );
  return rows.map(({ text, isCorrect, weight, isLast, feedback }) =>
    type === 'ordering'
      ? { text, isCorrect: false }
      : {
          text,
          // The key consists of the options with a positive weight, if the rule is weights.
          isCorrect: rule === 'weights' ? numberOf(weight) > 0 : isCorrect,
          ...weighted(weight),
          ...(isLast ? { isLast } : {}),
          ...(feedback.trim() === '' ? {} : { feedback }),
        },
  );
}

/** The pairs up to the last that is not blank, and the further answers that are not. */
function typedPairs({ pairs, further }: QuestionValues['matching']): QuestionValues['matching'] {
  return {
    pairs: withoutBlankEnd(pairs, ({ item, answer }) => (item + answer).trim() === ''),
    further: further.filter((row) => !isBlankText(row)),
  };
}

/**
 * The field of a text of the definition. Pairs to match are edited side by side: an answer is at its first pair, or
 * is a further one.
 */
export function fieldAt({ type, matching }: QuestionValues, path: string): string {
  const place = /^options\.(\d+)\./.exec(path)?.[1];
  if (type !== 'matching' || place === undefined) return path;
  const { pairs, further } = typedPairs(matching);
  const index = Number(place);
  if (index < pairs.length) return `matching.pairs.${index}.item`;
  const answers = pairs.map(({ answer }) => answer.trim()).filter((answer) => answer !== '');
  const texts = [...new Set([...answers, ...further.map(({ text }) => text.trim())])];
  const text = texts[index - pairs.length];
  const pair = matching.pairs.findIndex(({ answer }) => answer.trim() === text);
  return pair >= 0
    ? `matching.pairs.${pair}.answer`
    : `matching.further.${matching.further.findIndex((row) => row.text.trim() === text)}.text`;
}

/**
 * Whether Markdown would show these texts as they are. Such a question is stored as plain: written in
 * the editor, it is the same as one from the form of the dialog.
 */
function isBareText(texts: {
  question: string;
  options: readonly { text: string; feedback?: string | undefined }[];
  explanation?: string | undefined;
}): boolean {
  const ofOptions = texts.options.flatMap(({ text, feedback = '' }) => [text, feedback]);
  const all = [texts.question, ...ofOptions, texts.explanation ?? ''];
  return all.every((typed) => {
    const text = typed.trim();
    if (text === '') return true;
    if (text.length > QUESTION_LIMITS.textMaxCharacters || text.includes('\n')) return false;
    const [block, ...others] = parseContent(text).children;
    if (block?.type !== 'paragraph' || others.length > 0) return false;
    const [phrase, ...more] = block.children;
    return phrase?.type === 'text' && more.length === 0 && phrase.value === text;
  });
}

function selections({ minSelections, maxSelections }: QuestionValues) {
  return {
    ...(minSelections.trim() === '' ? {} : { minSelections: numberOf(minSelections) }),
    ...(maxSelections.trim() === '' ? {} : { maxSelections: numberOf(maxSelections) }),
  };
}

type Weighted = (weight: string) => { weight?: number };

/** The key that was typed, by its field of a definition. */
const KEYS: {
  [F in KeyField]: (values: QuestionValues, weighted: Weighted) => QuestionDefinition[F];
} = { numeric: numericKey, shortText: shortTextKey };

function numericKey({ numeric }: QuestionValues, weighted: Weighted) {
  const { units, isUnitRequired } = numeric;
  const accepted = withoutBlankEnd(
    numeric.accepted,
    ({ kind, value, min, max }) => (kind === 'range' ? min + max : value).trim() === '',
  ).map(({ kind, value, min, max, tolerancePercent, weight }): AcceptedNumber => {
    const share = weighted(weight);
    if (kind === 'range') return { min: point(min), max: point(max), ...share };
    return kind === 'percent'
      ? { value: point(value), tolerancePercent: point(tolerancePercent) || '0', ...share }
      : { value: point(value), ...share };
  });
  return {
    accepted,
    units: units.map(({ unit, factor }) => ({ unit, factor: point(factor) })),
    isUnitRequired,
  };
}

function shortTextKey({ shortText }: QuestionValues, weighted: Weighted) {
  const { isCaseSensitive, isSpaceExact } = shortText;
  const accepted = withoutBlankEnd(shortText.accepted, isBlankText).map(({ text, weight }) => ({
    text,
    ...weighted(weight),
  }));
  return { accepted, isCaseSensitive, isSpaceExact };
}

/** Blank rows are left out, unless one after them is not: paths stay. */
function withoutBlankEnd<T>(rows: readonly T[], isBlank: (row: T) => boolean): T[] {
  return rows.slice(0, rows.findLastIndex((row) => !isBlank(row)) + 1);
}

const isBlankText = ({ text }: { text: string }) => text.trim() === '';

/** The fields after a change of the type: what the new type cannot have is replaced. */
export function withType(values: QuestionValues, type: QuestionType): QuestionValues {
  const next = { ...values, type };
  const { rules, firstOptions } = TYPES[type];
  if (!rules.includes(next.rule)) next.rule = 'all_or_nothing';
  if (firstOptions) {
    next.options = firstOptions().map((text) => ({ ...NEW_OPTION, text }));
    return next;
  }
  // Options that the former type brought along are not the author's.
  const brought = TYPES[values.type].firstOptions?.() ?? [];
  const isBrought = values.options.map(({ text }) => text).join('\n') === brought.join('\n');
  if (isBrought) next.options = NEW_QUESTION.options;
  if (isSingleChoice(type)) {
    const key = next.options.findIndex((option) => option.isCorrect);
    next.options = next.options.map((option, i) => ({ ...option, isCorrect: i === key }));
  }
  return next;
}

type Labels = Pick<QuestionValues, 'tags' | 'categoryId' | 'difficulty' | 'note'>;

export function changedLabels(values: Labels, before: Labels) {
  const { tags, categoryId, difficulty, note } = values;
  return {
    ...(same(tags, before.tags) ? {} : { tags }),
    ...(categoryId === before.categoryId ? {} : { categoryId: categoryId || null }),
    ...(difficulty === before.difficulty ? {} : { difficulty: difficulty || null }),
    ...(note === before.note ? {} : { note }),
  };
}

/** Equal as JSON: for values and definitions, whose fields have one order. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function numberRow(accepted: AcceptedNumber): NumberRow {
  const weight = typed(accepted.weight);
  if ('min' in accepted) {
    return { ...NEW_NUMBER, kind: 'range', min: accepted.min, max: accepted.max, weight };
  }
  const { value } = accepted;
  return 'tolerancePercent' in accepted
    ? { ...NEW_NUMBER, kind: 'percent', value, tolerancePercent: accepted.tolerancePercent, weight }
    : { ...NEW_NUMBER, value, weight };
}

const typed = (value: number | undefined) => (value === undefined ? '' : String(value));

/** A comma is a decimal point, as in many countries. */
const point = (text: string) => text.trim().replace(',', '.').replace('−', '-');

const numberOf = (text: string) => Number(point(text));
