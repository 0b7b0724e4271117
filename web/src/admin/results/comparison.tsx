import type { QuestionStatistics } from '@invigil/core/contract/review/statistics';
import { STATISTICS_LIMITS } from '@invigil/core/domain/results/statistics';
import { CLASSES, figure } from './statistics-texts.ts';

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
        {`“${first}” and “${second}” cannot be compared here: each needs at least ${STATISTICS_LIMITS.groupMin} people who are in only one of them, and some of those with the same total must have it right, others wrong.`}
      </p>
    );
  }
  const { class: size, odds, delta, chiSquare } = comparison;
  const easier = odds >= 1 ? first : second;
  return (
    <div>
      <p>
        <b className="font-semibold">{`“${first}” and “${second}”: ${CLASSES[size]} (class ${size}).`}</b>{' '}
        {size === 'A'
          ? 'People of both groups with the same total do about equally well here.'
          : `Among people with the same total, those of “${easier}” have this question right more often. Read it with someone of the other group: does it need something that has nothing to do with the subject?`}
      </p>
      <p className="text-sm text-ink-3">
        {`Odds ratio ${figure(odds)}, delta ${figure(delta)}, chi-square ${figure(chiSquare)} (Mantel-Haenszel).`}
      </p>
    </div>
  );
}
