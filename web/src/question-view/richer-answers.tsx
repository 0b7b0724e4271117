import type { AnswerFieldProps } from './answer-options.tsx';
import { MultipleResponse } from './multiple-response.tsx';
import { TypedAnswer } from './typed-answer.tsx';

export { readTypedNumber } from '@invigil/core/domain/questions/typed-numbers';

/** Answers other than one of several options: fetched only where a paper asks for them. */
export default function RicherAnswer({
  question,
  value,
  readOnly = false,
  dense = false,
  onSelect,
  onType,
  onSettle,
}: AnswerFieldProps) {
  return question.type === 'multiple_response' ? (
    <MultipleResponse {...{ question, value, readOnly, dense, onSelect }} />
  ) : (
    <TypedAnswer {...{ question, value, readOnly, onType, onSettle }} />
  );
}
