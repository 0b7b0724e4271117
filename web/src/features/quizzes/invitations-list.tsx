import type { Invitation } from '@invigil/core/contract/invitations';
import type { Quiz } from '@invigil/core/contract/quiz';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { sentenceOf } from '../../lib/api.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { InputWithIcon } from '../../ui/text-field.tsx';
import { InvitationAccommodations } from './invitation-accommodations.tsx';
import { InvitationRow } from './invitation-row.tsx';
import { INVITATIONS_PER_PAGE, useInvitations } from './invitations-api.ts';

const TYPING_PAUSE_MS = 300;

/** Who was invited, searched and paged by the server; the choice outlives a change of page. */
export function InvitationsList({
  quiz,
  chosen,
  onChoose,
}: {
  quiz: Quiz;
  chosen: ReadonlySet<string>;
  onChoose(ids: readonly string[], isChosen: boolean): void;
}) {
  const [typed, setTyped] = useState('');
  const [{ search, page }, setView] = useState({ search: '', page: 1 });
  const [arranging, setArranging] = useState<Invitation | null>(null);
  const invitations = useInvitations(quiz.id, search, page);
  const { data } = invitations;
  const rows = data?.rows ?? [];
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / INVITATIONS_PER_PAGE));
  const ids = rows.map((row) => row.id);

  useEffect(() => {
    if (typed.trim() === search) return;
    const timer = setTimeout(() => setView({ search: typed.trim(), page: 1 }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, search]);

  return (
    <div className="grid gap-3">
      <InputWithIcon
        icon={<Search strokeWidth={1.5} />}
        type="search"
        aria-label="Search invitations by email"
        placeholder="Email"
        maxLength={320}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {data === undefined && invitations.isError ? (
        <FailureNotice
          title="Failed to load invitations"
          onRetry={() => void invitations.refetch()}
          retrying={invitations.isFetching}
        >
          {sentenceOf(invitations.error)}
        </FailureNotice>
      ) : data === undefined ? (
        <SkeletonRows>Loading invitations...</SkeletonRows>
      ) : rows.length === 0 ? (
        <EmptyState>
          {search === ''
            ? 'Nobody is invited to this assessment yet.'
            : 'No invitation fits this search.'}
        </EmptyState>
      ) : (
        <>
          <Checkbox
            label="Choose everybody on this page"
            checked={ids.every((id) => chosen.has(id))}
            onChange={(event) => onChoose(ids, event.target.checked)}
          />
          <ul
            aria-label="Invitations"
            aria-busy={invitations.isPlaceholderData}
            className={`rounded-lg border border-line ${invitations.isPlaceholderData ? 'opacity-60' : ''}`}
          >
            {rows.map((row) => (
              <InvitationRow
                key={row.id}
                invitation={row}
                chosen={chosen.has(row.id)}
                onChoose={(isChosen) => onChoose([row.id], isChosen)}
                onAccommodate={() => setArranging(row)}
              />
            ))}
          </ul>
        </>
      )}
      {data !== undefined && data.total > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" className="text-sm text-ink-2 tabular-nums">
            {`${data.total} invited`}
          </p>
          {pages > 1 && (
            <Pagination
              page={Math.min(page, pages)}
              pages={pages}
              onPage={(next) => setView({ search, page: next })}
            />
          )}
        </div>
      )}
      {arranging !== null && (
        <InvitationAccommodations
          invitation={arranging}
          quiz={quiz}
          onClose={() => setArranging(null)}
        />
      )}
    </div>
  );
}
