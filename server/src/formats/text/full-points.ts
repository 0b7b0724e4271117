import { figureText } from '@invigil/core/domain/locale';
import {
  isSeveralChoice,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { acceptedOf } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';

/** The note about a file that takes more points away than an answer can lose. */
export const belowZeroText = (): string =>
  t('import.belowZero', 'A total below 0 points counts as 0.');

/** Three thirds of 33.33333 % are all points. */
const ROUNDING_PERCENT = 0.001;

/** A sentence where even the best answer earns a part of the points only. */
export function fullPointsNote(definition: QuestionDefinition): string[] {
  const { rule, type, options, maxSelections = options.length } = definition;
  if (rule !== 'weights') return [];
  const earned = [...options, ...acceptedOf(definition)]
    .map(({ weight = 0 }) => weight)
    .filter((weight) => weight > 0)
    .sort((a, b) => b - a);
  const most = isSeveralChoice(type) ? maxSelections : 1;
  const best = earned.slice(0, most).reduce((sum, weight) => sum + weight, 0);
  if (best === 0 || best >= 100 - ROUNDING_PERCENT) return [];
  const percent = Number(best.toPrecision(4));
  return [
    t(
      /* {percent} is a number */ 'import.partOfPoints',
      'The best answer earns {percent} % of the points: all of them cannot be reached.',
      { percent: figureText(percent) },
    ),
  ];
}
