import { t } from '@invigil/core/texts/i18n';
import { FileUp, Send } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { EmptyState, PageHeader } from '../../../ui/page.tsx';
import { people as manyPeople } from '../../data/invitations.ts';
import { useMayAnywhere } from '../../data/own-rights.ts';
import {
  addressesOf,
  downloadPeople,
  findAddresses,
  isNarrowed,
  MOST_PEOPLE,
  NO_PEOPLE_FILTER,
  PEOPLE_PER_PAGE,
  PEOPLE_VIEW,
  type PeopleFilter,
  useGroupOptions,
  usePeople,
} from '../../data/people.ts';
import { showFailure } from '../../data/show-failure.ts';
import { FilterSelect } from '../../list/filter-select.tsx';
import { List } from '../../list/list.tsx';
import { SelectionBar, useAllThatMatch, useSelection } from '../../list/selection-bar.tsx';
import { useView } from '../../list/use-view.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { useMayOpen } from '../../parts/permitted.tsx';
import { InvitePeople } from '../invite/invite-people.tsx';
import { PeopleRows } from './people-list.tsx';

const CARDS_BELOW_PX = 760;

/** /admin/people: everyone who is known, to find, group and invite. */
export function PeopleScreen() {
  const { view: filter, show, narrow, pages } = useView(PEOPLE_VIEW);
  const mayInvite = useMayAnywhere()('people.invite');
  const mayImport = useMayOpen()('peopleImport');
  const people = usePeople(filter, filter.page);
  /**
   * Selected addresses. They stay when the filter changes: people of several searches are invited together.
   */
  const { selected, select, clear } = useSelection<string>();
  const all = useAllThatMatch(
    t('people.failed', 'Failed to load people'),
    () => findAddresses(filter),
    select,
  );
  const [inviting, setInviting] = useState<readonly string[] | null>(null);
  const total = people.data?.total ?? 0;

  return (
    <>
      <PageHeader
        title={t('portal.people', 'People')}
        subtitle={t('people.subtitle', 'Everyone who was invited or is on an imported list')}
      >
        {mayImport && (
          <Link to="/admin/people/import" className={buttonClasses('primary', 'admin')}>
            <FileUp />
            {t(/* a button: imports people */ 'people.import', 'Import')}
          </Link>
        )}
      </PageHeader>
      <PeopleTools filter={filter} total={total} onNarrow={narrow} />
      <List
        read={people}
        failure={t('people.failed', 'Failed to load people')}
        loading={t('people.loading', 'Loading people...')}
        none={
          <EmptyState
            action={
              <Link to="/admin/quizzes" className={buttonClasses('primary', 'admin')}>
                {t(
                  /* a link to the page Assessments */ 'people.none.assessments',
                  'Go to Assessments',
                )}
              </Link>
            }
          >
            {t(
              'people.none',
              'No people yet. Everyone you invite to an assessment is listed here.',
            )}
          </EmptyState>
        }
        narrowed={
          isNarrowed(filter) && {
            sentence: t('people.noMatch', 'No one matches these filters.'),
            onClear: () => show(NO_PEOPLE_FILTER),
          }
        }
        pages={{ ...pages, perPage: PEOPLE_PER_PAGE, total: manyPeople }}
        cardsBelow={CARDS_BELOW_PX}
        above={
          mayInvite && (
            <SelectionBar
              label={t('people.selectAll', 'Select all on this page')}
              ids={addressesOf(people.data?.rows ?? [])}
              selected={selected}
              all={{ total, most: MOST_PEOPLE, ...all }}
              isZeroShown={false}
              onSelect={select}
              onClear={clear}
            >
              <Button
                variant="primary"
                size="dense"
                icon={<Send />}
                onClick={() => setInviting([...selected])}
              >
                {t(/* a button */ 'people.invite', 'Invite…')}
              </Button>
            </SelectionBar>
          )
        }
      >
        {(rows, asCards) => (
          <PeopleRows
            rows={rows}
            asCards={asCards}
            {...(mayInvite ? { selected, onSelect: select } : {})}
          />
        )}
      </List>
      {inviting !== null && <InvitePeople emails={inviting} onClose={() => setInviting(null)} />}
    </>
  );
}

function PeopleTools({
  filter,
  total,
  onNarrow,
}: {
  filter: PeopleFilter;
  total: number;
  onNarrow(change: Partial<PeopleFilter>, replace?: boolean): void;
}) {
  const groups = useGroupOptions();
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <search className="min-w-0 flex-1 max-sm:basis-full sm:max-w-80 sm:basis-48">
        <SearchBox
          label={t('people.search', 'Search by name, email, number or group')}
          placeholder={t('people.search.placeholder', 'Name, email, number or group')}
          maxLength={320}
          value={filter.search}
          onSearch={(search) => onNarrow({ search }, true)}
        />
      </search>
      {(filter.group !== null || groups.length > 0) && (
        <FilterSelect
          label={t(/* of people */ 'people.field.group', 'Group')}
          any={t('people.allGroups', 'All groups')}
          className="min-w-0 flex-1 basis-28 sm:w-52! sm:flex-none"
          options={groups}
          unlisted={filter.group ?? undefined}
          value={filter.group}
          onChange={(group) => onNarrow({ group })}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 empty:hidden sm:ms-auto">
        {total > 0 && isNarrowed(filter) && (
          <p className="text-sm text-ink-3 max-xl:sr-only">
            {t(
              /* said of a list that is downloaded */ 'people.download.filtered',
              'The list follows the filters.',
            )}
          </p>
        )}
        {total > 0 && (
          <DownloadButton
            onDownload={(format) => downloadPeople(filter, format)}
            onFailed={(error) =>
              showFailure(t('people.download.failed', 'Failed to download the list'), error)
            }
          >
            {t(/* a button */ 'people.download', 'Download list')}
          </DownloadButton>
        )}
      </div>
    </div>
  );
}
