import { t } from '@invigil/core/texts/i18n';
import type { FittedChoice } from '../fit/fit-choice.ts';
import type { FittedKey, Note } from '../fit/score.ts';
import type { QuestionShape } from './raw-question.ts';

/** The note of a question without a key. */
export const noKeyText = (): string =>
  t(
    /* “it”: a question of the file; a draft is a question without a key */ 'import.qti.noKey',
    'The file has no key for it; it comes in as a draft.',
  );

/** A question without its own text, whose options are HTML. */
export interface ReadAnswers<Answer> {
  shape: QuestionShape;
  options: string[];
  /** Answers of all kinds, to see what feedback they get. */
  answers: Answer[][];
  notes: Note[];
}

/** A question whose answer is typed; without a fit, nothing of its key is known. */
export function typedAnswers<Answer>(
  type: 'numeric' | 'short_text',
  fit: FittedKey | null,
  points: number,
  answers: Answer[][],
): ReadAnswers<Answer> {
  const { rule = 'all_or_nothing', notes = [noKeyText()], points: _, ...key } = fit ?? {};
  const none = { [type === 'numeric' ? 'numeric' : 'shortText']: { accepted: [] } };
  return {
    shape: { type, options: [], points, rule, ...none, ...key },
    options: [],
    answers,
    notes,
  };
}

const YES_AND_NO: readonly (readonly [string, string])[] = [
  ['true', 'false'],
  ['richtig', 'falsch'],
  ['wahr', 'falsch'],
  ['vrai', 'faux'],
  ['verdadero', 'falso'],
  ['verdadeiro', 'falso'],
  ['vero', 'falso'],
  ['waar', 'onwaar'],
];

/** Whether two choices are true and false, by their identifiers or texts. */
export function isTrueFalse(ids: readonly string[], texts: readonly string[]): boolean {
  if (ids.length !== 2) return false;
  const isPair = (words: readonly string[]) => {
    const [a = '', b = ''] = words.map((word) => word.trim().toLowerCase());
    return YES_AND_NO.some(([yes, no]) => (a === yes && b === no) || (a === no && b === yes));
  };
  return isPair(ids) || isPair(texts);
}

/** The options that stay last, and notes on what else a file says about the order. */
export function lastOptions(
  isFixed: readonly boolean[],
  isShuffled: boolean,
  isTrueOrFalse: boolean,
): { isLast: boolean[]; notes: string[] } {
  const none = isFixed.map(() => false);
  if (isTrueOrFalse) return { isLast: none, notes: [] };
  if (!isShuffled || (isFixed.length > 0 && isFixed.every(Boolean))) {
    return {
      isLast: none,
      notes: [
        t(
          /* “here”: in Invigil */ 'import.qti.keptOrder',
          'The file keeps its options in order; here the assessment decides about that.',
        ),
      ],
    };
  }
  const firstOfLast = isFixed.findLastIndex((fixed) => !fixed) + 1;
  return {
    isLast: isFixed.map((_, i) => i >= firstOfLast),
    notes: isFixed.some((fixed, i) => fixed && i < firstOfLast)
      ? [
          t(
            'import.qti.fixedPlace',
            'An option had a fixed place that is not the last; now it is shuffled too.',
          ),
        ]
      : [],
  };
}

/** How many options a candidate must and can select; 0 is no limit. */
export function selectionLimits(
  min: string | undefined,
  max: string | undefined,
  options: number,
): { min: number | undefined; max: number | undefined } {
  const limit = (text: string | undefined) => {
    const number = Number(text ?? 0);
    return Number.isInteger(number) && number >= 1 && number <= options ? number : undefined;
  };
  return { min: limit(min), max: limit(max) };
}

/** Type, options and rule of a choice; without a fit, nothing of it is known to be right. */
export function choiceShape(
  fit: FittedChoice | null,
  isSingle: boolean,
  isTwo: boolean,
  isLast: readonly boolean[],
) {
  return {
    type: !isSingle ? 'multiple_response' : isTwo ? 'true_false' : 'multiple_choice',
    options: isLast.map((last, i) => ({
      isCorrect: fit?.isCorrect[i] ?? false,
      ...(fit?.weights ? { weight: fit.weights[i] } : {}),
      ...(last ? { isLast: true } : {}),
    })),
    rule: fit?.rule ?? 'all_or_nothing',
  } as const;
}
