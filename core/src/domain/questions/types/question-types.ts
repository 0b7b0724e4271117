import { PLAIN_TYPE, type QuestionDefinition, type QuestionType } from '../question-definition.ts';
import { matching } from './matching.ts';
import { multipleChoice } from './multiple-choice.ts';
import { multipleResponse } from './multiple-response.ts';
import { numeric } from './numeric.ts';
import { ordering } from './ordering.ts';
import { shortText } from './short-text.ts';
import { trueFalse } from './true-false.ts';
import type { Keyed, TypeOfQuestion } from './type-of-question.ts';
import type { Weighted } from './weights.ts';

/** Every type of question. Not for the test screen, which knows only `ANSWER_KINDS`. */
export const TYPES: Readonly<Record<QuestionType, TypeOfQuestion>> = {
  multiple_choice: multipleChoice,
  multiple_response: multipleResponse,
  true_false: trueFalse,
  numeric,
  short_text: shortText,
  matching,
  ordering,
};

/** The type of a question by its stored details. */
export function typeIn(details: { type: QuestionType } | null | undefined): QuestionType {
  return details?.type ?? PLAIN_TYPE;
}

/** No answer can be scored without a key, so no paper gets the question. */
export function isDraft(definition: Keyed): boolean {
  return TYPES[definition.type].isDraft(definition);
}

/** The accepted answers; none where options are right or wrong. */
export function acceptedOf(definition: Keyed): readonly Weighted[] {
  const { keyField } = TYPES[definition.type];
  return keyField === null ? [] : (definition[keyField]?.accepted ?? []);
}

/** The accepted answers in words, for authors: "3.14", "3 to 4", "9.81 m/s² (±1%), 50% of the points". */
export function acceptedText(definition: QuestionDefinition): string[] {
  return TYPES[definition.type].acceptedText(definition);
}
