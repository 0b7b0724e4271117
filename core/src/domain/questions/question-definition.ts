import { QUESTION_LIMITS } from '../limits.ts';

/**
 * How a candidate answers: selects one option or several of them, types a number or a text, gives each item an
 * answer, or puts items in order.
 */
export type AnswerKind = 'one' | 'several' | 'number' | 'text' | 'matches' | 'order';

/**
 * The types of questions with how each is answered, which is all that the test screen knows of them: the
 * rest is a file each in types/. `multiple_choice` has one right option, as in the specification; the
 * others are newer.
 */
export const ANSWER_KINDS = {
  multiple_choice: 'one',
  multiple_response: 'several',
  true_false: 'one',
  numeric: 'number',
  short_text: 'text',
  matching: 'matches',
  ordering: 'order',
} as const satisfies Record<string, AnswerKind>;
export type QuestionType = keyof typeof ANSWER_KINDS;
export const QUESTION_TYPES = Object.keys(ANSWER_KINDS) as QuestionType[];

/** The type of every question that has no stored details. */
export const PLAIN_TYPE = 'multiple_choice' satisfies QuestionType;

/** How texts are shown: as they are, or as Markdown with mathematics and images (core/content). */
export const TEXT_FORMATS = ['plain', 'markdown'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** How an answer becomes points (types/choice.ts, types/typed.ts, types/rows.ts). */
export const SCORING_RULES = [
  'all_or_nothing',
  'right_minus_wrong',
  'per_option',
  'weights',
] as const;
export type ScoringRule = (typeof SCORING_RULES)[number];

export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

export interface OptionDefinition {
  text: string;
  isCorrect: boolean;
  /** Percent of the points, -100 to 100, at most five decimals; with the rule `weights` only. */
  weight?: number | undefined;
  /** Stays behind the others when options are shuffled, as "None of the above" must. */
  isLast?: boolean | undefined;
  /** Shown with a released result to who selected it, and never during an attempt. */
  feedback?: string | undefined;
  /**
   * On the items of a matching question: the place in `options` of the answer that is right, from 0; null: not
   * decided, so that the question is a draft. Answers have none.
   */
  match?: number | null | undefined;
  /** On the items of an ordering, where a rescoring has put them in another order: their place, from 0. */
  place?: number | undefined;
}

/** An accepted number: one value, a range, or a value within percent of it. Decimals as text. */
export type AcceptedNumber = (
  | { value: string }
  | { min: string; max: string }
  | { value: string; tolerancePercent: string }
) & { weight?: number | undefined };

export interface NumericKey {
  accepted: AcceptedNumber[];
  /** Units that may follow the number, and what one of each is in the unit of the key. */
  units?: { unit: string; factor: string }[] | undefined;
  /** A number without a unit is wrong. */
  isUnitRequired?: boolean | undefined;
}

export interface ShortTextKey {
  accepted: { text: string; weight?: number | undefined }[];
  isCaseSensitive?: boolean | undefined;
  /** White space counts as typed, except at the ends. Otherwise a run of it counts as one space. */
  isSpaceExact?: boolean | undefined;
}

/** The keys of types without right options, by their fields of a definition. */
interface Keys {
  numeric?: NumericKey | undefined;
  shortText?: ShortTextKey | undefined;
}
export type KeyField = keyof Keys;

/**
 * A question in the one form that the API, the editor, and every importer and exporter share. Without a
 * key (no option is right, nothing accepted) it is a draft, which no paper gets.
 */
export interface QuestionDefinition extends Keys {
  type: QuestionType;
  format: TextFormat;
  question: string;
  /**
   * Options in the author's order; none for numeric and short text. Of a matching question its items, then its
   * answers; of an ordering its items in the right order.
   */
  options: OptionDefinition[];
  /** 0.25 to 100, at most two decimals. */
  points: number;
  rule: ScoringRule;
  /** Only for a multiple response: how many options a candidate must and can select. */
  minSelections?: number | undefined;
  maxSelections?: number | undefined;
  /** Shown with the key in records and in released results, and never during an attempt. */
  explanation?: string | undefined;
}

/** The stored details of a version besides the texts of question and options; `options` has their order. */
export type QuestionDetails = Omit<QuestionDefinition, 'question' | 'options'> & {
  options: Omit<OptionDefinition, 'text'>[];
};

export function hasOptions(type: QuestionType): boolean {
  return isSingleChoice(type) || isSeveralChoice(type);
}

/** Whether a candidate selects exactly one option. */
export function isSingleChoice(type: QuestionType): boolean {
  return ANSWER_KINDS[type] === 'one';
}

/** Whether a candidate can select several options. */
export function isSeveralChoice(type: QuestionType): boolean {
  return ANSWER_KINDS[type] === 'several';
}

/** Whether an answer has a row for each item: what it is matched with, or its place. */
export function isInRows(type: QuestionType): boolean {
  return ANSWER_KINDS[type] === 'matches' || ANSWER_KINDS[type] === 'order';
}

/** Whether a unit may follow the number that a candidate types. */
export function hasUnits({ numeric }: Pick<QuestionDefinition, 'numeric'>): boolean {
  return (numeric?.units ?? []).length > 0;
}

/** The decision of a rescoring for everyone whose paper has a version of a question, besides its key. */
export type Correction =
  /** Full points, for blank answers too. */
  | { kind: 'full_points' }
  /** It counts for no one: no points, and none that could be had. */
  | { kind: 'left_out' }
  /** Each of these options alone is right as well; of an all-or-nothing question with one right option. */
  | { kind: 'also_right'; optionIds: number[] };

/** Every text that people read in it. */
export function textsOf({ question, options, explanation = '' }: QuestionDefinition): string[] {
  return [question, explanation, ...options.flatMap(({ text, feedback = '' }) => [text, feedback])];
}

/** A question that the form of the specification can hold: rows and wire are exactly as specified. */
export function isPlainQuestion(definition: QuestionDefinition): boolean {
  const { type, format, points, rule, options, explanation } = definition;
  return (
    type === PLAIN_TYPE &&
    format === 'plain' &&
    points === 1 &&
    rule === 'all_or_nothing' &&
    !explanation &&
    options.length <= QUESTION_LIMITS.optionsMax &&
    options.filter((option) => option.isCorrect).length === 1 &&
    options.every((option) => !option.isLast && !option.feedback) &&
    textsOf(definition).every((text) => text.length <= QUESTION_LIMITS.textMaxCharacters)
  );
}

/** The definition of a plain question. */
export function plainDefinition(
  question: string,
  options: readonly string[],
  correctAnswer: string,
): QuestionDefinition {
  return {
    type: PLAIN_TYPE,
    format: 'plain',
    question,
    options: options.map((text) => ({ text, isCorrect: text === correctAnswer })),
    points: 1,
    rule: 'all_or_nothing',
  };
}

/** A plain question of its three fields: a form, a row of a file, or the wire of the specification. */
export function definitionOfDraft(draft: Readonly<PlainQuestion>): QuestionDefinition {
  return plainDefinition(draft.question, draft.options, draft.correctAnswer);
}

interface PlainQuestion {
  question: string;
  options: readonly string[];
  correctAnswer: string;
}
