import { t } from '@invigil/core/texts/i18n';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { statusText } from '../../../ui/badges/badge.tsx';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { SelectControl, type SelectOption } from '../../../ui/fields/select-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useSeesWhoseAttempts } from '../../data/own-rights.ts';
import { Filters } from '../../list/filter-select.tsx';
import { VERDICT_WORDS, VERDICTS } from '../../parts/verdicts.tsx';
import type { ParticipantSort, ParticipantsFilter } from './participants-filter.ts';

const STATUSES = [
  'in_progress',
  'completed',
  'dismissed',
] as const satisfies readonly Value<'status'>[];

const REVIEWS: readonly Value<'review'>[] = ['open', ...VERDICTS];

const RESULTS = {
  passed: () => t(/* the result of an attempt */ 'attempts.result.passed', 'Passed'),
  failed: () => t(/* the result of an attempt */ 'attempts.result.failed', 'Failed'),
};

type Value<Field extends 'status' | 'review' | 'result'> = NonNullable<ParticipantsFilter[Field]>;

const reviewText = (review: Value<'review'>): string =>
  review === 'open'
    ? t(/* the review of an attempt that is due */ 'attempts.review.open', 'To review')
    : VERDICT_WORDS[review]();

export function ParticipantsTools({
  filter,
  quizzes,
  onChange,
  onRenew,
  renewing,
  withOrder,
  children,
}: {
  filter: ParticipantsFilter;
  /** `null`: the list is of one assessment. */
  quizzes: readonly SelectOption[] | null;
  onChange(next: ParticipantsFilter, replace?: boolean): void;
  onRenew(): void;
  renewing: boolean;
  /** The list has no column headers to sort by. */
  withOrder: boolean;
  children?: ReactNode;
}) {
  const maySee = useSeesWhoseAttempts();
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      {maySee && (
        <search className="min-w-32 flex-1 sm:max-w-65 sm:basis-48">
          <SearchBox
            label={t('attempts.search.label', 'Search by email or id')}
            placeholder={t(
              /* of a person, what to search for. number: of a person */ 'attempts.search.placeholder',
              'Name, email, number or id',
            )}
            maxLength={320}
            value={filter.search}
            onSearch={(search) => onChange({ ...filter, search, page: 1 }, true)}
          />
        </search>
      )}
      <Filters
        view={filter}
        onNarrow={(change) => onChange({ ...filter, ...change, page: 1 })}
        filters={[
          quizzes !== null && [
            'quizId',
            t(/* the name of a filter */ 'portal.assessment', 'Assessment'),
            t('portal.allAssessments', 'All Assessments'),
            quizzes,
            'sm:min-w-58',
            // An archived assessment is not listed, but links to its participants must work.
            t('attempts.filter.anotherAssessment', 'Another assessment'),
          ],
          [
            'status',
            t(/* the name of a filter: the state of an attempt */ 'portal.status', 'Status'),
            t('portal.anyStatus', 'Any status'),
            STATUSES.map((value) => ({ value, label: statusText(value) })),
            'sm:min-w-40',
          ],
          [
            'review',
            t(/* the name of a filter (noun) */ 'attempts.filter.review', 'Review'),
            t('attempts.filter.anyReview', 'Any review'),
            REVIEWS.map((value) => ({ value, label: reviewText(value) })),
            'sm:min-w-44',
          ],
          [
            'result',
            t(/* the name of a filter */ 'attempts.filter.result', 'Result'),
            t('attempts.filter.anyResult', 'Any result'),
            (['passed', 'failed'] as const).map((value) => ({ value, label: RESULTS[value]() })),
            'sm:min-w-36',
          ],
        ]}
      >
        {withOrder && <ParticipantsSort filter={filter} onChange={onChange} />}
      </Filters>
      <IconButton
        label={t('attempts.reload', 'Reload the list')}
        onClick={onRenew}
        aria-busy={renewing}
      >
        <RefreshCw />
      </IconButton>
      {children !== undefined && <div className="sm:ms-auto">{children}</div>}
    </div>
  );
}

const ORDERS: readonly { sort: ParticipantSort; order: 'asc' | 'desc'; label: () => string }[] = [
  { sort: 'startedAt', order: 'desc', label: () => t('portal.newestFirst', 'Newest first') },
  { sort: 'startedAt', order: 'asc', label: () => t('attempts.order.oldest', 'Oldest first') },
  {
    sort: 'score',
    order: 'desc',
    label: () => t('attempts.order.highestScore', 'Highest score first'),
  },
  {
    sort: 'score',
    order: 'asc',
    label: () => t('attempts.order.lowestScore', 'Lowest score first'),
  },
  {
    sort: 'violationCount',
    order: 'desc',
    label: () => t('attempts.order.mostViolations', 'Most violations first'),
  },
  {
    sort: 'timeSpent',
    order: 'desc',
    label: () => t('attempts.order.longestTime', 'Longest time first'),
  },
  { sort: 'userEmail', order: 'asc', label: () => t('attempts.order.byEmail', 'By email') },
  { sort: 'userName', order: 'asc', label: () => t('attempts.order.byName', 'By name') },
];

/** Sorting for cards, which have no column headers. */
function ParticipantsSort({
  filter,
  onChange,
}: {
  filter: ParticipantsFilter;
  onChange(next: ParticipantsFilter): void;
}) {
  const maySee = useSeesWhoseAttempts();
  const orders = ORDERS.filter(({ sort }) => maySee || !sort.startsWith('user'));
  const options = orders.map(({ label }, index) => ({ value: String(index), label: label() }));
  const now = orders.findIndex(({ sort, order }) => sort === filter.sort && order === filter.order);
  return (
    <SelectControl
      aria-label={t(/* of a list (noun) */ 'portal.order', 'Order')}
      className="w-full! sm:w-52!"
      placeholder={t('attempts.order.another', 'Another order')}
      options={options}
      value={now === -1 ? undefined : String(now)}
      onChange={(value) => {
        const selected = orders[Number(value)];
        if (selected === undefined) return;
        onChange({ ...filter, sort: selected.sort, order: selected.order, page: 1 });
      }}
    />
  );
}
