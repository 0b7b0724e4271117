import { plainTextOf } from '@invigil/core/content/content-facts';
import type { ConvertedText } from '@invigil/core/content/html/html-text';
import { t } from '@invigil/core/texts/i18n';
import type { ImportedItem } from '../imported-file.ts';
import {
  type ItemHead,
  importedItem,
  notSupported,
  type QuestionTexts,
} from '../text/imported-item.ts';
import {
  belowZeroNote,
  choiceItem,
  feedbackLostText,
  notNumberText,
  numberWithTolerance,
  numericKey,
  shortTextKey,
  type TypedNumber,
  wildcardText,
} from './moodle-answers.ts';
import type { ClozeGap } from './read-cloze.ts';

/** A question whose only gap is the whole answer. `read` converts HTML with the question's images. */
export function clozeItem(
  head: ItemHead,
  texts: QuestionTexts,
  gap: ClozeGap,
  read: (html: string) => ConvertedText,
): ImportedItem {
  const refuse = (reason: string) => notSupported(head, reason, texts.question.text);
  const { kind, weight: points } = gap;
  head.notes.push(t('import.moodle.gap', 'The gap in the text became _____.'));
  const answers = gap.answers.map((answer) => ({ ...answer, text: read(answer.text) }));
  if (kind === 'choice' || kind === 'choices') {
    const said = answers.map((answer) => ({ ...answer, feedback: read(answer.feedback) }));
    const how = { isSingle: kind === 'choice', isOrdered: !gap.isShuffled, points };
    return choiceItem(head, texts, said, how);
  }
  if (answers.some(({ feedback }) => feedback !== '')) head.notes.push(feedbackLostText());
  head.notes.push(...belowZeroNote(answers));
  if (kind === 'text') {
    const typed = answers.map(({ text, fraction }) => ({ text, fraction }));
    const key = shortTextKey(typed, gap.isCaseSensitive);
    return key ? importedItem(head, texts, { ...key, points }) : refuse(wildcardText());
  }
  const numbers: TypedNumber[] = [];
  for (const { text, fraction } of answers) {
    const [value = '', tolerance = ''] = plain(text).split(':');
    // The answer * has the feedback for all others.
    if (value.trim() === '*' && fraction <= 0) continue;
    const accepted = numberWithTolerance(value, tolerance);
    if (!accepted) return refuse(notNumberText(value));
    numbers.push({ value: accepted, fraction });
  }
  return importedItem(head, texts, { ...numericKey(numbers), points });
}

function plain({ text, format }: ConvertedText): string {
  return format === 'markdown' ? plainTextOf(text) : text;
}
