import type { ScoringRule } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';

const blankText = (count: number): string =>
  t(
    /* from a question of a file */ 'import.blankOptions',
    '{count, plural, one {An option without a text was left out.} other {Options without a text were left out.}}',
    { count },
  );
const missingImagesText = (count: number): string =>
  t(
    /* from a question of a file */ 'import.imageOptions',
    '{count, plural, one {An option that was nothing but an image that is missing was left out.} other {Options that were nothing but an image that is missing were left out.}}',
    { count },
  );

/**
 * Editors store options that were never filled in: wrong ones without a text are left out, as the systems
 * that wrote them do. One that earns something stays, and the question is refused for it.
 *
 * @param hadImage whether each option has an image in the file
 */
export function withoutBlankOptions<
  Option extends {
    isCorrect: boolean;
    weight?: number | undefined;
    match?: number | null | undefined;
  },
>(
  rule: ScoringRule,
  options: readonly Option[],
  texts: readonly string[],
  hadImage: readonly boolean[],
): { options: Option[]; texts: string[]; notes: string[]; problem: string | null } {
  const isBlank = texts.map((text) => text.trim() === '');
  const last = isBlank.lastIndexOf(false);
  const earns = options.map(({ isCorrect, weight = 0 }) => isCorrect || weight > 0);
  // The number of options decides what each is worth under `per_option`; an item names its answer by its place.
  const isNeeded = rule === 'per_option' || options.some(({ match }) => match !== undefined);
  const kept = options.map((_, i) => !isBlank[i] || earns[i] || isNeeded);
  // A validation drops blank options at the end, the key with them.
  const lost = options.findIndex((_, i) => i > last && earns[i]);
  // Options at the end that were never filled in are nothing to any question.
  const isTold = kept.map((isThere, i) => !isThere && (i < last || hadImage[i] === true));
  const images = isTold.filter((told, i) => told && hadImage[i]).length;
  const blank = isTold.filter((told, i) => told && !hadImage[i]).length;
  return {
    options: options.filter((_, i) => kept[i]),
    texts: texts.filter((_, i) => kept[i]),
    notes: [
      ...(blank === 0 ? [] : [blankText(blank)]),
      ...(images === 0 ? [] : [missingImagesText(images)]),
    ],
    problem:
      lost < 0
        ? null
        : t('import.optionEmpty', 'Option {number}: Enter a text for this option.', {
            number: lost + 1,
          }),
  };
}
