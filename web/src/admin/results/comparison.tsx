import type { QuestionStatistics } from '@invigil/core/contract/review/statistics';
import { STATISTICS_LIMITS } from '@invigil/core/domain/results/statistics';
import { t } from '@invigil/core/texts/i18n';
import { figure } from './statistics-texts.ts';

type Groups = Readonly<Record<'first' | 'second', string>>;

/** Classes of the comparison of two groups. */
const CLASSES: Record<'A' | 'B' | 'C', (groups: Groups) => string> = {
  A: (groups) =>
    t(
      /* names of groups of people; class A is a term of statistics */ 'results.compare.a',
      '“{first}” and “{second}”: no difference that matters (class A).',
      groups,
    ),
  B: (groups) =>
    t('results.compare.b', '“{first}” and “{second}”: a moderate difference (class B).', groups),
  C: (groups) =>
    t('results.compare.c', '“{first}” and “{second}”: a large difference (class C).', groups),
};

/** Whether two groups with the same total have the same chance, in plain words. */
export function Comparison({
  comparison,
  first,
  second,
}: {
  comparison: NonNullable<QuestionStatistics['comparison']> | null;
  first: string;
  second: string;
}) {
  if (comparison === null) {
    return (
      <p className="text-ink-2">
        {t(
          /* first, second: names of groups of people; it: a question */ 'results.compare.impossible',
          '“{first}” and “{second}” cannot be compared here: each needs at least {people} people who are in only one of them, and some of those with the same total must have it right, others wrong.',
          { first, second, people: STATISTICS_LIMITS.groupMin },
        )}
      </p>
    );
  }
  const { class: size, odds, delta, chiSquare } = comparison;
  const easier = odds >= 1 ? first : second;
  return (
    <div>
      <p>
        <b className="font-semibold">{CLASSES[size]({ first, second })}</b>{' '}
        {size === 'A'
          ? t(
              'results.compare.equal',
              'People of both groups with the same total do about equally well here.',
            )
          : t(
              /* group: the name of a group of people */ 'results.compare.advice',
              'Among people with the same total, those of “{group}” have this question right more often. Read it with someone of the other group: does it need something that has nothing to do with the subject?',
              { group: easier },
            )}
      </p>
      <p className="text-sm text-ink-3">
        {t(
          /* terms of statistics */ 'results.compare.figures',
          'Odds ratio {odds}, delta {delta}, chi-square {chiSquare} (Mantel-Haenszel).',
          { odds: figure(odds), delta: figure(delta), chiSquare: figure(chiSquare) },
        )}
      </p>
    </div>
  );
}
