import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { numberText } from '@invigil/core/domain/locale';
import type { OptionDefinition } from '@invigil/core/domain/questions/question-definition';

type Option = Omit<OptionDefinition, 'text'>;

const TOO_LONG = `Feedback with more than ${numberText(QUESTION_LIMITS.textMaxCharacters)} characters was left out.`;

/** Adds feedback to options; what is longer than a question can have is left out, with a note. */
export function withFeedback(
  options: readonly Option[],
  feedback: readonly string[],
): { options: Option[]; notes: string[] } {
  const isTooLong = (text: string) => text.length > QUESTION_LIMITS.textMaxCharacters;
  return {
    options: options.map((option, i) => {
      const text = feedback[i] ?? '';
      return text === '' || isTooLong(text) ? option : { ...option, feedback: text };
    }),
    notes: feedback.some(isTooLong) ? [TOO_LONG] : [],
  };
}

/** A note on how many texts of feedback depend on the answer in ways that have no place here. */
export function feedbackLost(count: number): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? 'One text of feedback that depends on the answer was left out.'
      : `${count} texts of feedback that depend on the answer were left out.`,
  ];
}
