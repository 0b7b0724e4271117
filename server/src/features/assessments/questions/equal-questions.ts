import { createHash } from 'node:crypto';
import { inOneFormat, markdownFromHtml } from '@invigil/core/content/html/html-text';
import { htmlFromMarkdown } from '@invigil/core/content/html/write-html';
import { definitionKey } from '@invigil/core/domain/questions/equal-questions';
import {
  type QuestionDefinition,
  textsOf,
} from '@invigil/core/domain/questions/question-definition';
import { NO_WORDS } from '../../../db/queries/question-words.ts';

/** Equal for equal questions, as they are written; the texts of a whole file are too much to keep. */
export function hashOf(definition: QuestionDefinition): string {
  return digest(definitionKey(definition));
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/**
 * A formatted question as a trip through our own files writes it, as Markdown and as plain text where
 * nothing is marked up: Markdown has many spellings of one text, `\\<x>` and `<x>`. Takes about 2 ms.
 */
export function rewritten(
  definition: QuestionDefinition,
): Record<'markdown' | 'shortest', QuestionDefinition> {
  const { options, explanation } = definition;
  const converted = textsOf(definition).map((text) =>
    markdownFromHtml(
      htmlFromMarkdown(text, (hash) => `image:${hash}`),
      (src) => src,
    ),
  );
  const withTexts = ({ format, texts }: ReturnType<typeof inOneFormat>): QuestionDefinition => ({
    ...definition,
    format,
    question: texts[0] ?? '',
    options: options.map((option, i) => ({
      ...option,
      text: texts[2 * i + 2] ?? '',
      ...(option.feedback === undefined ? {} : { feedback: texts[2 * i + 3] ?? '' }),
    })),
    ...(explanation === undefined ? {} : { explanation: texts[1] ?? '' }),
  });
  return {
    markdown: withTexts(inOneFormat(converted, true)),
    shortest: withTexts(inOneFormat(converted)),
  };
}

/** The same for questions whose texts differ in nothing but their formatting: `textWords` of the database. */
export function wordsOf({ question, options }: QuestionDefinition): string {
  const words = (text: string) => text.replace(NO_WORDS, '');
  const sorted = options.map(({ text }) => words(text)).sort();
  return createHash('md5')
    .update([words(question), ...sorted].join(''))
    .digest('hex');
}
