import { imagesOf } from '@invigil/core/content/content-facts';
import { furtherAnswers, inPairs } from '@invigil/core/domain/questions/matching-options';
import {
  type OptionDefinition,
  type QuestionDefinition,
  textsOf,
} from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import type { ExportedQuestion } from '../exported-question.ts';
import { keepLastLostText, moodleCannotHold } from '../moodle/cannot-hold.ts';
import { categoryOf } from '../moodle/category-path.ts';
import { writeFormatted } from '../moodle/formatted-text.ts';
import { plainAnswer } from '../moodle/moodle-answers.ts';
import { centerOf, fractionsOf } from '../moodle/write-fractions.ts';
import { trueOption } from '../text/true-false.ts';
import { escapeGift } from './split-gift.ts';

export const isInGift = ({ type }: QuestionDefinition): boolean => type !== 'ordering';

/** The details of a question that a GIFT file cannot hold. */
export function giftCannotHold(definition: QuestionDefinition): string[] {
  const { options, format, numeric, shortText, points } = definition;
  if (!isInGift(definition))
    return [t('export.gift.order', 'Left out: GIFT has no questions about an order.')];
  const hasImages =
    format === 'markdown' && textsOf(definition).some((text) => imagesOf(text).length > 0);
  return [
    ...(hasImages
      ? [t('export.gift.images', 'GIFT has no images; their alternative texts are written.')]
      : []),
    ...(hasImages ? lostOptions(definition) : []),
    ...moodleCannotHold(definition),
    ...(points === 1 ? [] : [t('export.gift.points', 'GIFT has no points; each question gets 1.')]),
    ...(options.some(({ isLast }) => isLast) ? [keepLastLostText()] : []),
    ...(numeric?.units
      ? [t(/* in the exported file */ 'export.gift.units', 'Units are lost.')]
      : []),
    ...(shortText?.accepted.some(({ text }) => text.includes('->'))
      ? [t('export.gift.arrow', 'GIFT takes “->” in an accepted answer for a pair to match.')]
      : []),
    ...(definition.type === 'matching' && options.some(({ text }) => text.includes('->'))
      ? [
          t(
            'export.gift.arrowInPair',
            'GIFT has “->” between an item and its answer: one that has it inside is split there.',
          ),
        ]
      : []),
    ...(shortText?.isCaseSensitive
      ? [t(/* in typed answers */ 'export.gift.case', 'Capital letters will not matter.')]
      : []),
  ];
}

/** Says what becomes of options whose images alone differ. */
function lostOptions(definition: QuestionDefinition): string[] {
  const written = definition.options.map(({ text }) =>
    formatted(text, definition)
      .replace(/^\[\w+\]|<[^<>]*>/g, '')
      .trim(),
  );
  const isTwice = written.some((text, i) => text !== '' && written.indexOf(text) < i);
  return [
    ...(isTwice
      ? [
          t(
            'export.gift.sameOptions',
            'Options that differ in their images alone become the same text.',
          ),
        ]
      : []),
    ...(written.includes('')
      ? [t('export.gift.emptyOption', 'An option that is an image without a text becomes empty.')]
      : []),
  ];
}

/** Writes questions in Moodle's GIFT format. */
export function writeGift(questions: readonly ExportedQuestion[]): string {
  let category = categoryOf([]);
  const parts: string[] = [];
  for (const question of questions.filter(({ definition }) => isInGift(definition))) {
    const path = categoryOf(question.categoryPath);
    if (path !== category) parts.push(`$CATEGORY: ${path.replace(/\s/g, ' ')}`);
    category = path;
    parts.push(writeQuestion(question));
  }
  return `${parts.join('\n\n')}\n`;
}

function writeQuestion({ definition, title, tags }: ExportedQuestion): string {
  const { question, explanation } = definition;
  const comment = tags.map((tag) => `[tag:${tag.replace(/[\]\n]/g, ' ')}]`).join(' ');
  return [
    ...(comment === '' ? [] : [`// ${comment}`]),
    `${title === '' ? '' : `::${escapeGift(title)}::`}${formatted(question, definition)}{${answers(definition)}${
      explanation === undefined ? '' : `\n####${formatted(explanation, definition)}`
    }\n}`,
  ].join('\n');
}

function formatted(text: string, { format }: QuestionDefinition): string {
  const written = writeFormatted(text, format, (hash) => hash);
  const withoutImages = written.text.replace(
    /<img (?:[^<>"]|"[^"<>]*")*>/g,
    (tag) => / alt="([^"]*)"/.exec(tag)?.[1] ?? '',
  );
  return `[${written.format}]${escapeGift(withoutImages)}`;
}

function answers(definition: QuestionDefinition): string {
  const { type, rule, options, numeric, shortText } = definition;
  const feedback = (option: OptionDefinition | undefined) =>
    option?.feedback ? `#${formatted(option.feedback, definition)}` : '';
  const weight = (percent: number | undefined) => (rule === 'weights' ? `%${percent ?? 0}%` : '');
  switch (type) {
    case 'true_false': {
      const at = trueOption(options);
      const isTrue = options[at]?.isCorrect === true;
      // Moodle's order: first the feedback on the wrong answer, then on the correct one.
      const [right, wrong] = isTrue === (at === 0) ? options : options.toReversed();
      const said = [wrong, right].map((option) => feedback(option));
      if (said[0] === '' && said[1] !== '') said[0] = '#';
      return `${isTrue ? 'TRUE' : 'FALSE'}${said.join('')}`;
    }
    case 'numeric': {
      const lines = (numeric?.accepted ?? []).map((accepted) => {
        if ('min' in accepted) return `=${weight(accepted.weight)}${accepted.min}..${accepted.max}`;
        const { value, tolerance } = centerOf(accepted);
        return `=${weight(accepted.weight)}${value}${tolerance === '0' ? '' : `:${tolerance}`}`;
      });
      return `#\n${lines.join('\n')}`;
    }
    case 'short_text':
      return (shortText?.accepted ?? [])
        .map(({ text, weight: percent }) => {
          return `\n=${weight(percent)}[plain]${escapeGift(text.replace(/\*/g, '\\*'))}`;
        })
        .join('');
    case 'matching': {
      const line = (item: string, answer: string | null) =>
        `\n=${item} -> ${escapeGift(plainAnswer(answer ?? '', definition))}`;
      return [
        ...inPairs(options).map(({ item, answer }) => line(formatted(item, definition), answer)),
        ...furtherAnswers(options).map((answer) => line('', answer)),
      ].join('');
    }
    case 'ordering':
      throw new Error('GIFT has no questions about an order');
    case 'multiple_choice':
    case 'multiple_response': {
      const fractions = fractionsOf(definition);
      // Moodle takes a choice for one with a single answer when some option begins with =.
      const isSingle = type === 'multiple_choice';
      // One alone: options that all begin with it are accepted answers of a short text.
      const best = fractions.indexOf(Math.max(...fractions));
      return options
        .map((option, i) => {
          const fraction = fractions[i] ?? 0;
          const isBest = isSingle && i === best && fraction > 0;
          const percent = isSingle && fraction === (isBest ? 100 : 0) ? '' : `%${fraction}%`;
          return `\n${isBest ? '=' : '~'}${percent}${formatted(option.text, definition)}${feedback(option)}`;
        })
        .join('');
    }
  }
}
