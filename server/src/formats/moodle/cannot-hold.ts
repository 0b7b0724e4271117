import { plainTextOf } from '@invigil/core/content/content-facts';
import { markdownFromPlain } from '@invigil/core/content/html/html-text';
import { figureText } from '@invigil/core/domain/locale';
import { furtherAnswers, inPairs } from '@invigil/core/domain/questions/matching-options';
import {
  hasOptions,
  isInRows,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { acceptedOf, isDraft } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { inverse } from './moodle-units.ts';
import { fractionsOf } from './write-fractions.ts';

/**
 * The details that neither Moodle XML nor GIFT can hold; such a question is written as near to it as
 * possible.
 */
export function moodleCannotHold(definition: QuestionDefinition): string[] {
  const { type, rule, options, numeric, shortText } = definition;
  const sentences: string[] = [];
  if (isDraft(definition))
    sentences.push(t('export.moodle.noKey', 'Moodle refuses questions without a right answer.'));
  if (rule === 'right_minus_wrong') {
    sentences.push(
      t(
        /* a scoring rule */ 'export.moodle.rightMinusWrong',
        '“Right minus wrong” is written as weights of the same value.',
      ),
    );
  }
  if (rule === 'per_option' && !isInRows(type))
    sentences.push(
      t(
        /* a scoring rule */ 'export.moodle.perOption',
        '“Points per option” becomes weights, which mark differently.',
      ),
    );
  if (rule === 'all_or_nothing' && type === 'multiple_response') {
    sentences.push(
      t(
        /* a scoring rule */ 'export.moodle.allOrNothing',
        '“All or nothing” becomes weights: part of the options earns part of the points.',
      ),
    );
  }
  if (
    rule === 'weights' &&
    type === 'multiple_choice' &&
    !options.some(({ weight }) => weight === 100)
  ) {
    sentences.push(
      t('export.moodle.noFullOption', 'Moodle needs an option that earns all points.'),
    );
  }
  if (rule === 'weights' && type === 'true_false')
    sentences.push(
      t(
        /* in the exported file */ 'export.moodle.trueFalseWeights',
        'The weights of True and False are lost.',
      ),
    );
  if (rule === 'weights' && type !== 'multiple_response') {
    const accepted = acceptedOf(definition);
    const weights = [...options, ...accepted].map(({ weight = 0 }) => weight);
    if (accepted.some(({ weight = 0 }) => weight <= 0)) {
      sentences.push(
        t(
          /* in the exported file */ 'export.moodle.acceptedForNothing',
          'Accepted answers that earn nothing are left out.',
        ),
      );
    }
    const full = weights.filter((weight) => weight === 100).length;
    const isClear = weights.every((weight) => weight === 100 || weight === 0);
    if (isClear && (accepted.length > 0 || full === 1)) {
      sentences.push(
        t(
          /* a scoring rule; when the file is imported again */ 'export.moodle.clearWeights',
          'Weights of 100 % and 0 % alone come back as “All or nothing”, which is the same.',
        ),
      );
    }
  }
  if (type === 'true_false' && options.some(({ text }, i) => text !== ['True', 'False'][i])) {
    sentences.push(
      t(
        /* in the exported file */ 'export.moodle.trueFalse',
        'The two options become “True” and “False”.',
      ),
    );
  }
  if (definition.minSelections !== undefined || definition.maxSelections !== undefined) {
    sentences.push(
      t(
        /* in the exported file */ 'export.moodle.selections',
        'The number of options that can be selected is lost.',
      ),
    );
  }
  if (type === 'matching') sentences.push(...lostInMatching(definition));
  if (shortText?.isSpaceExact)
    sentences.push(t(/* in typed answers */ 'export.moodle.spaces', 'Spaces will not matter.'));
  if (numeric?.accepted.some((number) => 'tolerancePercent' in number)) {
    sentences.push(
      t(
        /* in the exported file */ 'export.moodle.tolerance',
        'A tolerance in percent becomes a range.',
      ),
    );
  }
  return sentences;
}

function lostInMatching(definition: QuestionDefinition): string[] {
  const { format, options, rule } = definition;
  const answers = options.filter(({ match }) => match === undefined);
  const isFormatted = ({ text }: { text: string }) =>
    format === 'markdown' && markdownFromPlain(plainTextOf(text)) !== text;
  return [
    ...(rule === 'all_or_nothing'
      ? [
          t(
            /* a scoring rule */ 'export.moodle.matchAllOrNothing',
            '“All or nothing” is lost: each pair earns its share.',
          ),
        ]
      : []),
    ...(inPairs(options).length + furtherAnswers(options).length < 3
      ? [t('export.moodle.matchTooFew', 'Moodle refuses fewer than three answers to match.')]
      : []),
    ...(answers.some(isFormatted)
      ? [
          t(
            'export.moodle.matchPlain',
            'Answers to match are plain text in Moodle: what is formatted in them is lost.',
          ),
        ]
      : []),
  ];
}

/** The only shares that Moodle takes, in percent, as it lists them. */
const GRADES = [
  0, 5, 10, 11.11111, 12.5, 14.28571, 16.66667, 20, 25, 30, 33.33333, 40, 50, 60, 66.66667, 70, 75,
  80, 83.33333, 90, 100,
];

/** Weights with which Moodle refuses the whole file, unless it is told to take the nearest grade. */
function gradesNotListed(definition: QuestionDefinition): string[] {
  const { rule, type } = definition;
  if (type === 'true_false' || isDraft(definition)) return [];
  const fractions = !hasOptions(type)
    ? acceptedOf(definition).map(({ weight = 0 }) => (rule === 'weights' ? weight : 100))
    : fractionsOf(definition);
  const others = fractions.filter(
    (fraction) => !GRADES.some((grade) => Math.abs(grade - Math.abs(fraction)) < 1e-3),
  );
  if (others.length === 0) return [];
  return [
    t(
      /* {percent} is a number; “Nearest grade if not listed” is a choice in Moodle, which may be translated there */ 'export.moodle.grade',
      'Moodle has no grade of {percent} %. When you import the file there, select “Nearest grade if not listed”.',
      { percent: figureText(others[0] ?? 0) },
    ),
  ];
}

export const keepLastLostText = (): string =>
  t(
    /* a setting of an option, in the exported file */ 'export.keepLastLost',
    '“Keep this option last” is lost.',
  );

export function xmlCannotHold(definition: QuestionDefinition): string[] {
  const { options, numeric } = definition;
  const last = options.filter(({ isLast }) => isLast).length;
  return [
    ...moodleCannotHold(definition),
    ...gradesNotListed(definition),
    ...(last > 0 && last < options.length ? [keepLastLostText()] : []),
    ...(numeric?.units?.some(({ factor }) => !inverse(factor)?.isExact)
      ? [
          t(
            /* in the exported file */ 'export.moodle.unitFactor',
            'The factor of a unit is rounded.',
          ),
        ]
      : []),
  ];
}
