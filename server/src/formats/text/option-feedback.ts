import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import type { OptionDefinition } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';

type Option = Omit<OptionDefinition, 'text'>;

const tooLongText = (): string =>
  t(
    'import.feedbackTooLong',
    '{max, plural, one {Feedback with more than # character was left out.} other {Feedback with more than # characters was left out.}}',
    { max: QUESTION_LIMITS.textMaxCharacters },
  );

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
    notes: feedback.some(isTooLong) ? [tooLongText()] : [],
  };
}

/** A note on how many texts of feedback depend on the answer in ways that have no place here. */
export function feedbackLost(count: number): string[] {
  if (count === 0) return [];
  return [
    t(
      'import.feedbackLost',
      '{count, plural, =1 {One text of feedback that depends on the answer was left out.} one {# text of feedback that depends on the answer was left out.} other {# texts of feedback that depend on the answer were left out.}}',
      { count },
    ),
  ];
}
