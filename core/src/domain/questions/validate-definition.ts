import { QUESTION_LIMITS } from '../limits.ts';
import { typedTextKey } from '../typed-text.ts';
import { absolute, compareDecimals, parseDecimal } from './decimal.ts';
import {
  type AcceptedNumber,
  hasOptions,
  isSingleChoice,
  type NumericKey,
  type OptionDefinition,
  type QuestionDefinition,
  type ShortTextKey,
} from './question-definition.ts';
import { QUESTION_MESSAGES } from './question-options.ts';

export interface DefinitionProblem {
  path: string;
  message: string;
}

const L = QUESTION_LIMITS;

const MESSAGES = {
  textTooLong: `At most ${L.richTextMaxCharacters.toLocaleString('en-GB')} characters`,
  optionTooLong: QUESTION_MESSAGES.tooLong,
  responseTooLong: `The options have at most ${L.responseMaxCharacters.toLocaleString('en-GB')} characters together`,
  optionBlank: 'Enter a text for this option',
  tooManyOptions: `A question has at most ${L.richOptionsMax} options`,
  twoAnswers: 'True or false has two options',
  oneCorrect: 'Mark one option as correct',
  noOptions: 'This type of question has no options',
  points: `Points are ${L.pointsMin} to ${L.pointsMax}, with at most two decimals`,
  rule: 'This scoring rule needs options',
  weight: 'A weight is -100 to 100 percent, with at most five decimals',
  weightsTooHigh: 'The positive weights add up to more than 100 percent',
  noPositiveWeight: 'At least one weight must be above 0',
  selections: 'Enter whole numbers from 1 to the number of options, the smaller one first',
  key: 'Options cannot have this many selections: the key itself has another number',
  number: 'Enter a number, with a point for decimals',
  range: 'The lower end of a range comes first',
  tolerance: 'Enter a tolerance of 0 percent or more',
  factor: 'Enter a number above 0',
  unit: 'Enter a unit of at most 50 characters that does not begin with a digit',
  unitTwice: 'This unit is there twice',
  text: `Enter a text of at most ${L.shortTextMaxCharacters} characters`,
  tooMany: `At most ${L.acceptedMax}`,
} as const;

/**
 * Validates a definition: trims texts, drops blank options at the end, and reports each problem with its
 * field. A draft (without a key) is valid.
 */
export function validateDefinition(
  input: QuestionDefinition,
):
  | { ok: true; definition: QuestionDefinition; problems: [] }
  | { ok: false; problems: DefinitionProblem[] } {
  const definition = cleaned(input);
  const problems = [
    ...textProblems(definition),
    ...(hasOptions(definition.type) ? optionProblems(definition) : typedProblems(definition)),
    ...(isDecimal(definition.points, 2) &&
    definition.points >= L.pointsMin &&
    definition.points <= L.pointsMax
      ? []
      : [{ path: 'points', message: MESSAGES.points }]),
  ];
  return problems.length === 0 ? { ok: true, definition, problems: [] } : { ok: false, problems };
}

/** Removes what a question's type does not have, so that equal questions are equal. */
function cleaned(input: QuestionDefinition): QuestionDefinition {
  const { type, rule } = input;
  const withWeight = <T extends { weight?: number | undefined }>({ weight, ...rest }: T) =>
    rule === 'weights' ? { ...rest, weight: rounded(weight ?? 0, 5) } : rest;
  const options = input.options.map(
    ({ text, isCorrect, weight, isLast, feedback = '' }): OptionDefinition => ({
      text: clean(text),
      // The key consists of the options with a positive weight, if the rule is weights.
      isCorrect: rule === 'weights' ? (weight ?? 0) > 0 : isCorrect,
      ...(rule === 'weights' ? { weight: rounded(weight ?? 0, 5) } : {}),
      ...(isLast && type !== 'true_false' ? { isLast } : {}),
      ...(clean(feedback) === '' ? {} : { feedback: clean(feedback) }),
    }),
  );
  for (let last = options.at(-1); last?.text === '' && !last.feedback; last = options.at(-1)) {
    options.pop();
  }
  const explanation = clean(input.explanation ?? '');
  const definition: QuestionDefinition = {
    type,
    format: input.format,
    question: clean(input.question),
    options,
    points: rounded(input.points, 2),
    rule,
  };
  if (type === 'multiple_response') {
    if (input.minSelections !== undefined) definition.minSelections = input.minSelections;
    if (input.maxSelections !== undefined) definition.maxSelections = input.maxSelections;
  }
  if (type === 'numeric') {
    const { accepted = [], units = [], isUnitRequired } = input.numeric ?? {};
    definition.numeric = {
      accepted: accepted.map((a) => withWeight(cleanNumber(a)) as AcceptedNumber),
      ...(units.length > 0
        ? { units: units.map((u) => ({ unit: clean(u.unit), factor: u.factor.trim() })) }
        : {}),
      ...(isUnitRequired && units.length > 0 ? { isUnitRequired } : {}),
    };
  }
  if (type === 'short_text') {
    const { accepted = [], isCaseSensitive, isSpaceExact } = input.shortText ?? {};
    definition.shortText = {
      accepted: accepted.map((a) => withWeight({ ...a, text: clean(a.text) })),
      ...(isCaseSensitive ? { isCaseSensitive } : {}),
      ...(isSpaceExact ? { isSpaceExact } : {}),
    };
  }
  if (explanation !== '') definition.explanation = explanation;
  return definition;
}

function cleanNumber(accepted: AcceptedNumber): AcceptedNumber {
  const weight = accepted.weight === undefined ? {} : { weight: accepted.weight };
  if ('min' in accepted) {
    return { min: accepted.min.trim(), max: accepted.max.trim(), ...weight };
  }
  const value = accepted.value.trim();
  return 'tolerancePercent' in accepted && accepted.tolerancePercent.trim() !== ''
    ? { value, tolerancePercent: accepted.tolerancePercent.trim(), ...weight }
    : { value, ...weight };
}

function textProblems({ question, explanation, format }: QuestionDefinition): DefinitionProblem[] {
  const most = format === 'plain' ? L.textMaxCharacters : L.richTextMaxCharacters;
  const tooLong = format === 'plain' ? QUESTION_MESSAGES.tooLong : MESSAGES.textTooLong;
  const problems: DefinitionProblem[] = [];
  if (question === '') problems.push({ path: 'question', message: QUESTION_MESSAGES.noQuestion });
  if (question.length > most) problems.push({ path: 'question', message: tooLong });
  if ((explanation ?? '').length > most) problems.push({ path: 'explanation', message: tooLong });
  return problems;
}

function optionProblems(definition: QuestionDefinition): DefinitionProblem[] {
  const { type, options, rule } = definition;
  const problems: DefinitionProblem[] = [];
  const add = (path: string, message: string) => problems.push({ path, message });
  if (options.length < L.optionsMin) add('options', QUESTION_MESSAGES.twoOptions);
  if (options.length > L.richOptionsMax) add('options', MESSAGES.tooManyOptions);
  if (type === 'true_false' && options.length !== 2) add('options', MESSAGES.twoAnswers);
  const seen = new Set<string>();
  options.forEach(({ text, weight, feedback = '' }, i) => {
    if (text === '') add(`options.${i}.text`, MESSAGES.optionBlank);
    else if (seen.has(text)) add(`options.${i}.text`, QUESTION_MESSAGES.equalOptions);
    if (text.length > L.textMaxCharacters) add(`options.${i}.text`, MESSAGES.optionTooLong);
    if (feedback.length > L.textMaxCharacters) {
      add(`options.${i}.feedback`, MESSAGES.optionTooLong);
    }
    if (weight !== undefined && !isWeight(weight)) add(`options.${i}.weight`, MESSAGES.weight);
    seen.add(text);
  });
  const correct = options.filter((option) => option.isCorrect).length;
  if (rule === 'weights') {
    if (correct === 0 && options.some((option) => option.weight !== 0)) {
      add('options', MESSAGES.noPositiveWeight);
    }
    if (type === 'multiple_response' && sumOfPositive(options) > 100) {
      add('options', MESSAGES.weightsTooHigh);
    }
  } else if (isSingleChoice(type) && correct > 1) add('options', MESSAGES.oneCorrect);
  const characters = options.reduce((sum, { text }) => sum + text.length, 0);
  if (type === 'multiple_response' && characters > L.responseMaxCharacters) {
    add('options', MESSAGES.responseTooLong);
  }
  problems.push(...selectionProblems(definition, correct));
  return problems;
}

function selectionProblems(
  { minSelections: min, maxSelections: max, options, rule }: QuestionDefinition,
  correct: number,
): DefinitionProblem[] {
  const isCount = (n: number | undefined) =>
    n === undefined || (Number.isInteger(n) && n >= 1 && n <= options.length);
  if (!isCount(min) || !isCount(max) || (min ?? 1) > (max ?? options.length)) {
    return [{ path: 'maxSelections', message: MESSAGES.selections }];
  }
  const isKeyOut = correct > 0 && (correct < (min ?? 1) || correct > (max ?? options.length));
  return isKeyOut && rule !== 'weights' ? [{ path: 'maxSelections', message: MESSAGES.key }] : [];
}

function typedProblems(definition: QuestionDefinition): DefinitionProblem[] {
  const { options, rule, numeric, shortText } = definition;
  const problems: DefinitionProblem[] = [];
  const add = (path: string, message: string) => problems.push({ path, message });
  if (options.length > 0) add('options', MESSAGES.noOptions);
  if (rule === 'right_minus_wrong' || rule === 'per_option') add('rule', MESSAGES.rule);
  const accepted = numeric?.accepted ?? shortText?.accepted ?? [];
  const path = numeric ? 'numeric' : 'shortText';
  if (accepted.length > L.acceptedMax) add(`${path}.accepted`, MESSAGES.tooMany);
  accepted.forEach(({ weight }, i) => {
    if (weight !== undefined && !isWeight(weight)) {
      add(`${path}.accepted.${i}.weight`, MESSAGES.weight);
    }
  });
  if (rule === 'weights' && accepted.length > 0 && !accepted.some((a) => (a.weight ?? 0) > 0)) {
    add(`${path}.accepted`, MESSAGES.noPositiveWeight);
  }
  if (numeric) problems.push(...numericProblems(numeric));
  if (shortText) problems.push(...shortTextProblems(shortText));
  return problems;
}

function numericProblems({ accepted, units = [] }: NumericKey): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const add = (path: string, message: string) =>
    problems.push({ path: `numeric.${path}`, message });
  accepted.forEach((number, i) => {
    if ('min' in number) {
      const [min, max] = [parseDecimal(number.min), parseDecimal(number.max)];
      if (!min) add(`accepted.${i}.min`, MESSAGES.number);
      if (!max) add(`accepted.${i}.max`, MESSAGES.number);
      if (min && max && compareDecimals(min, max) > 0) add(`accepted.${i}.min`, MESSAGES.range);
      return;
    }
    if (!parseDecimal(number.value)) add(`accepted.${i}.value`, MESSAGES.number);
    if (!('tolerancePercent' in number)) return;
    const tolerance = parseDecimal(number.tolerancePercent);
    if (!tolerance || tolerance.digits < 0n) {
      add(`accepted.${i}.tolerancePercent`, MESSAGES.tolerance);
    }
  });
  if (units.length > L.acceptedMax) add('units', MESSAGES.tooMany);
  const seen = new Set<string>();
  units.forEach(({ unit, factor }, i) => {
    if (unit === '' || unit.length > 50 || /^[\d\s+.,-]/.test(unit))
      add(`units.${i}.unit`, MESSAGES.unit);
    if (seen.has(unit)) add(`units.${i}.unit`, MESSAGES.unitTwice);
    seen.add(unit);
    const parsed = parseDecimal(factor);
    if (!parsed || absolute(parsed).digits !== parsed.digits || parsed.digits === 0n) {
      add(`units.${i}.factor`, MESSAGES.factor);
    }
  });
  return problems;
}

function shortTextProblems({ accepted }: ShortTextKey): DefinitionProblem[] {
  return accepted.flatMap(({ text }, i) =>
    // A text of invisible characters alone would accept an answer that looks blank.
    typedTextKey(text, {}) === '' || text.length > L.shortTextMaxCharacters
      ? [{ path: `shortText.accepted.${i}.text`, message: MESSAGES.text }]
      : [],
  );
}

function sumOfPositive(options: readonly OptionDefinition[]): number {
  const parts = options.reduce(
    (sum, { weight = 0 }) => sum + Math.max(0, Math.round(weight * 1e5)),
    0,
  );
  // Thirds with five decimals may add up to a little more, as in other systems: 33.33334 three times.
  return parts <= 10_000_100 ? Math.min(100, parts / 1e5) : parts / 1e5;
}

function isWeight(weight: number): boolean {
  return weight >= -100 && weight <= 100 && isDecimal(weight, 5);
}

/** Whether a number has at most so many decimals: `0.1 * 100` is not quite 10, so there is a tolerance. */
function isDecimal(value: number, decimals: number): boolean {
  const scaled = value * 10 ** decimals;
  return Number.isFinite(value) && Math.abs(scaled - Math.round(scaled)) < 1e-6;
}

/** Removes the error of a computed decimal: 1.1099999999999999 is 1.11. */
function rounded(value: number, decimals: number): number {
  if (!isDecimal(value, decimals)) return value;
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

/** Trimmed, and without the lone surrogates that the database cannot store. */
function clean(text: string): string {
  return text.trim().toWellFormed();
}
