import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import type { ExportFormat } from '@invigil/core/domain/questions/question-files';
import type { ExportedQuestion, ImageBytes } from './exported-question.ts';

/** What a format cannot hold of a question, in sentences. */
export function cannotHold(_format: ExportFormat, _definition: QuestionDefinition): string[] {
  return [];
}

/** Questions as a file. */
export function writeQuestionFile(
  format: ExportFormat,
  _questions: readonly ExportedQuestion[],
  _image: ImageBytes,
): Uint8Array {
  throw new Error(`${format} cannot be written`);
}
