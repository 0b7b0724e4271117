import {
  isPlainQuestion,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import type { ExportFormat } from '@invigil/core/domain/questions/question-files';
import { t } from '@invigil/core/texts/i18n';
import { type ImageBytes, shortTitleOf, type UntitledQuestion } from '../exported-question.ts';
import { giftCannotHold, isInGift, writeGift } from '../gift/write-gift.ts';
import { xmlCannotHold } from '../moodle/cannot-hold.ts';
import { writeMoodleXml } from '../moodle/write-moodle-xml.ts';
import { qtiCannotHold } from '../qti/write/cannot-hold.ts';
import { writeQti3 } from '../qti/write/write-package.ts';
import { csvCannotHold, writeCsv } from '../sheets/write-csv.ts';

const CANNOT_HOLD: Record<ExportFormat, (definition: QuestionDefinition) => string[]> = {
  csv: csvCannotHold,
  gift: giftCannotHold,
  moodle_xml: xmlCannotHold,
  qti_3: qtiCannotHold,
};

/** The details of a question and its labels that a format cannot hold, in sentences. */
export function cannotHold(format: ExportFormat, question: UntitledQuestion): string[] {
  const { definition, tags, categoryPath, difficulty, note } = question;
  const isCsv = format === 'csv';
  return [
    ...CANNOT_HOLD[format](definition),
    ...(isCsv && tags.length > 0
      ? [t(/* in the exported file */ 'export.tagsLost', 'Tags are lost.')]
      : []),
    ...(format === 'gift' && tags.some((tag) => tag.includes(']'))
      ? [t(/* in the exported file */ 'export.bracketInTag', 'A “]” in a tag becomes a space.')]
      : []),
    ...(isCsv && categoryPath.length > 0
      ? [t(/* in the exported file */ 'export.categoryLost', 'The category is lost.')]
      : []),
    ...(difficulty && format !== 'qti_3'
      ? [t(/* in the exported file */ 'export.difficultyLost', 'The difficulty is lost.')]
      : []),
    ...(note
      ? [t(/* in the exported file */ 'export.noteLost', 'The author’s note is lost.')]
      : []),
  ];
}

/** Whether a file has the question at all. */
export function isInFile(format: ExportFormat, definition: QuestionDefinition): boolean {
  if (format === 'gift') return isInGift(definition);
  return format !== 'csv' || isPlainQuestion(definition);
}

/** Questions as a file, each with the beginning of its text as title. */
export function writeQuestionFile(
  format: ExportFormat,
  untitled: readonly UntitledQuestion[],
  image: ImageBytes,
): Uint8Array {
  const questions = untitled.map((one) => ({ ...one, title: shortTitleOf(one.definition) }));
  if (format === 'csv') return Buffer.from(writeCsv(questions));
  if (format === 'gift') return Buffer.from(writeGift(questions));
  if (format === 'moodle_xml') return Buffer.from(writeMoodleXml(questions, image));
  return Buffer.concat([...writeQti3(questions, image)]);
}
