import { plainTextOf } from '@invigil/core/content/content-facts';
import type { ConvertedText } from '@invigil/core/content/html/html-text';
import type { ImportedItem } from '../imported-file.ts';
import {
  type ItemHead,
  importedItem,
  notSupported,
  type QuestionTexts,
} from '../text/imported-item.ts';
import {
  belowZeroNote,
  choiceKey,
  FEEDBACK_LOST,
  numberWithTolerance,
  numericKey,
  shortTextKey,
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
  head.notes.push('The gap in the text became _____.');
  const isChoice = kind === 'choice' || kind === 'choices';
  if (!isChoice && gap.answers.some(({ feedback }) => feedback !== '')) {
    head.notes.push(FEEDBACK_LOST);
  }
  if (kind !== 'choices') head.notes.push(...belowZeroNote(gap.answers));
  const answers = gap.answers.map(({ text, fraction }) => ({ text: read(text), fraction }));
  switch (kind) {
    case 'choice':
    case 'choices':
      return importedItem(
        head,
        {
          ...texts,
          options: answers.map(({ text }) => text),
          feedback: gap.answers.map(({ feedback }) => read(feedback)),
        },
        { ...choiceKey(answers, kind === 'choice', !gap.isShuffled), points },
      );
    case 'text': {
      const key = shortTextKey(answers);
      if (key === null) return refuse('Short answers with the wildcard * are not supported.');
      const { isCaseSensitive } = gap;
      const shortText = { ...key.shortText, ...(isCaseSensitive ? { isCaseSensitive } : {}) };
      const { rule } = key;
      return importedItem(head, texts, {
        type: 'short_text',
        rule,
        options: [],
        points,
        shortText,
      });
    }
    default: {
      const numbers: Parameters<typeof numericKey>[0][number][] = [];
      for (const { text, fraction } of answers) {
        const [value = '', tolerance = ''] = plain(text).split(':');
        // The answer * has the feedback for all others.
        if (value.trim() === '*' && fraction <= 0) continue;
        const number = numberWithTolerance(value, tolerance);
        if (!number) return refuse(`“${value.slice(0, 60)}” is not a number with a tolerance.`);
        numbers.push({ number, fraction });
      }
      const { rule, accepted } = numericKey(numbers);
      return importedItem(head, texts, {
        type: 'numeric',
        rule,
        options: [],
        points,
        numeric: { accepted },
      });
    }
  }
}

function plain({ text, format }: ConvertedText): string {
  return format === 'markdown' ? plainTextOf(text) : text;
}
