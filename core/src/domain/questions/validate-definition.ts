import { t } from '../../texts/i18n.ts';
import { atMostCharactersText, QUESTION_LIMITS as L } from '../limits.ts';
import { figureText } from '../locale.ts';
import {
  ANSWER_KINDS,
  type OptionDefinition,
  type QuestionDefinition,
} from './question-definition.ts';
import { cleanText, QUESTION_MESSAGES } from './question-options.ts';
import { TYPES } from './types/question-types.ts';
import type { DefinitionProblem } from './types/type-of-question.ts';
import { cleanWeight, isDecimal, rounded } from './types/weights.ts';

const pointsProblem = () =>
  t('definition.points', 'Points are {min} to {max}, with at most two decimals', {
    min: figureText(L.pointsMin),
    max: figureText(L.pointsMax),
  });

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
    ...TYPES[definition.type].problems(definition),
    ...(isDecimal(definition.points, 2) &&
    definition.points >= L.pointsMin &&
    definition.points <= L.pointsMax
      ? []
      : [{ path: 'points', message: pointsProblem() }]),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const options = TYPES[definition.type].arrange(definition.options);
  return { ok: true, definition: { ...definition, options }, problems: [] };
}

/** Removes what a question's type does not have, so that equal questions are equal. */
function cleaned(input: QuestionDefinition): QuestionDefinition {
  const { type, rule } = input;
  const { hasFixedOrder, clean } = TYPES[type];
  const options = input.options.map(
    ({ text, isCorrect, weight, isLast, feedback = '', match }): OptionDefinition => ({
      text: cleanText(text),
      // The key consists of the options with a positive weight, if the rule is weights.
      isCorrect: rule === 'weights' ? (weight ?? 0) > 0 : isCorrect,
      ...cleanWeight(rule, { weight }),
      ...(isLast && !hasFixedOrder ? { isLast } : {}),
      ...(cleanText(feedback) === '' ? {} : { feedback: cleanText(feedback) }),
      ...(match === undefined || ANSWER_KINDS[type] !== 'matches' ? {} : { match }),
    }),
  );
  for (let last = options.at(-1); last?.text === '' && !last.feedback; last = options.at(-1)) {
    options.pop();
  }
  const explanation = cleanText(input.explanation ?? '');
  return {
    type,
    format: input.format,
    question: cleanText(input.question),
    options,
    points: rounded(input.points, 2),
    rule,
    ...clean({ ...input, options }),
    ...(explanation === '' ? {} : { explanation }),
  };
}

function textProblems({ question, explanation, format }: QuestionDefinition): DefinitionProblem[] {
  const most = format === 'plain' ? L.textMaxCharacters : L.richTextMaxCharacters;
  const tooLong = atMostCharactersText(most);
  const problems: DefinitionProblem[] = [];
  if (question === '') problems.push({ path: 'question', message: QUESTION_MESSAGES.noQuestion() });
  if (question.length > most) problems.push({ path: 'question', message: tooLong });
  if ((explanation ?? '').length > most) problems.push({ path: 'explanation', message: tooLong });
  return problems;
}
