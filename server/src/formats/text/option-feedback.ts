import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import type { OptionDefinition } from '@invigil/core/domain/questions/question-definition';

type Option = Omit<OptionDefinition, 'text'>;

const TOO_LONG = `Feedback with more than ${QUESTION_LIMITS.textMaxCharacters.toLocaleString('en-GB')} characters was left out.`;

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
