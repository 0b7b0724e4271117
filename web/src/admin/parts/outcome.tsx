import type { Participant } from '@invigil/core/contract/review/participants';
import { percentText } from '@invigil/core/domain/locale';
import { percentOf } from '@invigil/core/domain/results/outcome';
import { t } from '@invigil/core/texts/i18n';
import { Badge } from '../../ui/badges/badge.tsx';

type Outcome = NonNullable<Participant['outcome']>;

/** "72 %" beside a score; nothing before the end, and where there is nothing to have. */
export function PercentOf({
  of: { score, totalMarks, points, maxPoints },
}: {
  of: Pick<Participant, 'score' | 'totalMarks' | 'points' | 'maxPoints'>;
}) {
  const got = points ?? score;
  const most = maxPoints ?? totalMarks;
  // Points have at most four decimals.
  const whole = (n: number) => Math.round(n * 10_000);
  return got === null || most === 0 ? null : (
    <span className="text-sm whitespace-nowrap text-ink-3">
      {percentText(percentOf(whole(got), whole(most)))}
    </span>
  );
}

const BECAUSE: Record<NonNullable<Outcome['because']>, () => string> = {
  points: () => t('parts.outcome.belowPassMark', 'Below the pass mark'),
  section: () => t('parts.outcome.section', 'A section is below its minimum'),
  dismissed: () =>
    t(
      /* said of an attempt that was ended for violations */ 'parts.outcome.dismissed',
      'Dismissed',
    ),
  breach: () => t(/* a verdict */ 'parts.verdict.breach', 'Breach of the rules'),
};

/** Passed or failed, and the grade. */
export function OutcomeOf({ outcome }: { outcome: Participant['outcome'] }) {
  if (outcome === undefined) return null;
  const { result, grade } = outcome;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {result !== null && (
        <Badge
          tone={result === 'passed' ? 'ok' : 'bad'}
          glyph={result === 'passed' ? 'ticked' : 'cross'}
        >
          {result === 'passed'
            ? t(/* said of a candidate */ 'parts.outcome.passed', 'Passed')
            : t(/* said of a candidate */ 'parts.outcome.failed', 'Failed')}
        </Badge>
      )}
      {grade !== null && (
        <span className="text-sm text-ink-2">
          {t(/* {grade}: as the assessment names it */ 'parts.outcome.grade', 'Grade {grade}', {
            grade,
          })}
        </span>
      )}
    </span>
  );
}

/** Why someone failed, where it is not simply too few points. */
export function WhyFailed({ outcome }: { outcome: Participant['outcome'] }) {
  const because = outcome?.because;
  return because === undefined || because === 'points' ? null : (
    <span className="block text-sm text-ink-3">{BECAUSE[because]()}</span>
  );
}
