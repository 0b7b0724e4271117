import type { Invitation } from '@invigil/core/contract/invitations/invitations';
import { sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { EmptyState } from '../../../ui/tables/empty-state.tsx';
import { ListFooter } from '../../../ui/tables/list-footer.tsx';
import { useContainerWidth } from '../../../ui/use-container-width.ts';
import { invitations } from '../invitation-words.ts';
import { INVITATIONS_PER_PAGE, useInvitations } from '../invitations-api.ts';
import { type InvitationsFilter, NO_INVITATIONS_FILTER } from '../invitations-filter.ts';
import { InvitationCards } from './invitation-cards.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { InvitationsSelection, type SelectionAction } from './invitations-selection.tsx';

/** Below this the table becomes cards. */
const CARDS_BELOW_PX = 990;

/** Who was invited, searched and paged by the server; the selection persists across pages. */
export function InvitationsList({
  quizId,
  filter,
  onChange,
  isDelivering,
  onAccommodate,
  ...selection
}: {
  quizId: string;
  filter: InvitationsFilter;
  onChange(next: InvitationsFilter): void;
  isDelivering: boolean;
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  onSelectAll(): void;
  selectingAll: boolean;
  onClear(): void;
  onAction(action: SelectionAction): void;
  onAccommodate(invitation: Invitation): void;
}) {
  const page = useInvitations(quizId, filter, isDelivering);
  const [container, width] = useContainerWidth();
  const List = width !== null && width < CARDS_BELOW_PX ? InvitationCards : InvitationTable;
  const { data } = page;
  const isFiltered = filter.state !== null || filter.search !== '';
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / INVITATIONS_PER_PAGE));

  if (data === undefined && page.isError) {
    return (
      <FailureNotice
        title="Failed to load invitations"
        onRetry={() => void page.refetch()}
        retrying={page.isFetching}
      >
        {sentenceOf(page.error)}
      </FailureNotice>
    );
  }
  return (
    <div ref={container}>
      <Card>
        {data === undefined ? (
          <SkeletonRows>Loading invitations...</SkeletonRows>
        ) : data.total === 0 ? (
          isFiltered ? (
            <EmptyState
              action={
                <Button onClick={() => onChange(NO_INVITATIONS_FILTER)}>Clear filters</Button>
              }
            >
              No invitation matches these filters.
            </EmptyState>
          ) : (
            <EmptyState>No one has been invited to this assessment yet.</EmptyState>
          )
        ) : data.rows.length === 0 ? (
          <EmptyState
            action={<Button onClick={() => onChange({ ...filter, page: 1 })}>First page</Button>}
          >
            This page is now empty.
          </EmptyState>
        ) : (
          <div
            aria-busy={page.isPlaceholderData}
            className={page.isPlaceholderData ? 'opacity-60' : ''}
          >
            <InvitationsSelection
              {...selection}
              pageIds={data.rows.map((row) => row.id)}
              total={data.total}
            />
            <List
              rows={data.rows}
              selected={selection.selected}
              onSelect={selection.onSelect}
              onAccommodate={onAccommodate}
            />
          </div>
        )}
        {data !== undefined && data.total > 0 && (
          <ListFooter
            total={invitations(data.total)}
            page={filter.page}
            pages={pages}
            onPage={(page) => onChange({ ...filter, page })}
          />
        )}
      </Card>
    </div>
  );
}
