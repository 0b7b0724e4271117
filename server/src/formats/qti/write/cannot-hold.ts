import { htmlFromMarkdown } from '@invigil/core/content/html/write-html';
import {
  type QuestionDefinition,
  textsOf,
} from '@invigil/core/domain/questions/question-definition';
import { isDraft } from '@invigil/core/domain/questions/types/question-types';
import { foldCase } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';

/**
 * The details of a question that an export as QTI 3.0 changes or loses, in sentences; empty when there are
 * none.
 */
export function qtiCannotHold(definition: QuestionDefinition): string[] {
  const { numeric, shortText, rule, options } = definition;
  const sentences: string[] = [];
  if (definition.format === 'plain' && textsOf(definition).some((text) => LOST.test(text))) {
    sentences.push(
      t(
        /* in the exported file */ 'export.qti.spaces',
        'Tabs, and spaces at the end of a line, become one space or are lost.',
      ),
    );
  }
  if (definition.format === 'markdown' && textsOf(definition).some(hasCaptionInSentence)) {
    sentences.push(
      t(
        /* in the exported file */ 'export.qti.caption',
        'The caption of an image inside of a sentence becomes text behind it.',
      ),
    );
  }
  if (numeric?.units) {
    sentences.push(
      t('export.qti.units', 'QTI has no units: only numbers without a unit are accepted.'),
    );
  }
  if (shortText?.isSpaceExact) {
    sentences.push(
      t('export.qti.whiteSpace', 'QTI has no rule for white space inside of an answer.'),
    );
  }
  if (shortText && hasEqualTexts(shortText)) {
    sentences.push(
      t(
        /* in the exported file */ 'export.qti.equalTexts',
        'Accepted texts that differ in case or spacing alone become one.',
      ),
    );
  }
  if (isDraft(definition) && (rule !== 'all_or_nothing' || shortText?.isCaseSensitive)) {
    sentences.push(
      t(
        /* case: of letters */ 'export.qti.draft',
        'Without a key, the scoring rule and whether case counts are not exported.',
      ),
    );
  }
  const firstOfLast = options.findLastIndex((option) => !option.isLast) + 1;
  if (options.some((option, i) => option.isLast && i < firstOfLast)) {
    sentences.push(
      t(
        /* in the exported file */ 'export.qti.fixedOptions',
        'Only options at the end can stay there; the others are shuffled.',
      ),
    );
  }
  if (options.length > 0 && options.every((option) => option.isLast)) {
    sentences.push(
      t(
        /* in the exported file */ 'export.qti.allLast',
        'Where all options stay last, they are shuffled like any others.',
      ),
    );
  }
  return sentences;
}

/** HTML keeps none of these. */
const LOST = /[^\S\n ]| \n/;

function hasCaptionInSentence(text: string): boolean {
  const count = (isQti: boolean, pattern: RegExp) =>
    htmlFromMarkdown(text, (hash) => hash, isQti).match(pattern)?.length ?? 0;
  return count(false, /<img [^>]*title="/g) > count(true, /<figcaption>/g);
}

function hasEqualTexts({
  accepted,
  isCaseSensitive,
}: NonNullable<QuestionDefinition['shortText']>): boolean {
  const keys = accepted.map(({ text }) => {
    const spaced = text.normalize('NFC').replace(/\s+/g, ' ');
    return isCaseSensitive ? spaced : foldCase(spaced);
  });
  return new Set(keys).size < keys.length;
}
