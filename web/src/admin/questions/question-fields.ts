import {
  QUESTION_MESSAGES,
  type QuestionDraft,
  validateQuestion,
} from '@invigil/core/domain/questions/question-options';

export interface TypedQuestion {
  question: string;
  options: readonly string[];
  keyIndex: number | null;
}

export const NO_QUESTION: TypedQuestion = {
  question: '',
  options: ['', '', '', ''],
  keyIndex: null,
};

export type QuestionPlace = 'question' | 'options' | 'correctAnswer';

export type ValidatedQuestion =
  | { ok: true; draft: QuestionDraft }
  | { ok: false; place: QuestionPlace; message: string };

/**
 * The specification's messages in its order, one at a time: question, two options, key, key among the
 * options, two options that are not blank. Core validates the rest (equal options, lengths).
 */
export function validateTypedQuestion({
  question,
  options,
  keyIndex,
}: TypedQuestion): ValidatedQuestion {
  const refuse = (place: QuestionPlace, message: string) =>
    ({ ok: false, place, message }) as const;
  const key = keyIndex === null ? '' : (options[keyIndex] ?? '').trim();
  const filled = options.filter((option) => option.trim() !== '');

  if (question.trim() === '') return refuse('question', QUESTION_MESSAGES.noQuestion);
  if (options.filter((option) => option !== '').length < 2) {
    return refuse('options', QUESTION_MESSAGES.twoOptions);
  }
  if (keyIndex === null) return refuse('correctAnswer', QUESTION_MESSAGES.noCorrectAnswer);
  if (key === '') return refuse('correctAnswer', QUESTION_MESSAGES.correctAnswerNotAnOption);
  if (filled.length < 2) return refuse('options', QUESTION_MESSAGES.twoValidOptions);

  const validated = validateQuestion(question, options, key);
  if (validated.ok) return validated;
  const first = validated.problems[0];
  return refuse(first?.path ?? 'question', first?.message ?? QUESTION_MESSAGES.noQuestion);
}

export function typedQuestionOf(stored: {
  question: string;
  options: readonly string[];
  correctAnswer: string;
}): TypedQuestion {
  const options = Array.from({ length: 4 }, (_, i) => stored.options[i] ?? '');
  const keyIndex = options.indexOf(stored.correctAnswer);
  return { question: stored.question, options, keyIndex: keyIndex < 0 ? null : keyIndex };
}
