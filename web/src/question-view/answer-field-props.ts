import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';

export interface AnswerFieldProps {
  question: PaperQuestion;
  /** the answer as it is on the wire (answer-value.ts) */
  value: string;
  readOnly?: boolean;
  dense?: boolean;
  onSelect(value: string): void;
  /** With each keystroke. */
  onType(text: string): void;
  /** The text field was left. */
  onSettle(): void;
}
