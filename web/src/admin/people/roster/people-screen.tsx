import { FileUp, Send } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { PageHeader } from '../../../ui/page.tsx';
import { useMayAnywhere } from '../../data/own-rights.ts';
import {
  addressesOf,
  addressOfPeople,
  downloadPeople,
  findAddresses,
  isNarrowed,
  MOST_PEOPLE,
  type PeopleFilter,
  peopleFilterFrom,
  useGroupOptions,
  usePeople,
} from '../../data/people.ts';
import { showFailure } from '../../data/show-failure.ts';
import { FilterSelect } from '../../list/filter-select.tsx';
import { SelectionBar, useSelection } from '../../list/selection-bar.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { useMayOpen } from '../../parts/permitted.tsx';
import { InvitePeople } from '../invite/invite-people.tsx';
import { PeopleList } from './people-list.tsx';

/** /admin/people: everyone who is known, to find, group and invite. */
export function PeopleScreen() {
  const [address, setAddress] = useSearchParams();
  const filter = peopleFilterFrom(address);
  const mayInvite = useMayAnywhere()('people.invite');
  const mayImport = useMayOpen()('peopleImport');
  const people = usePeople(filter, filter.page);
  /** By address. It stays when the filter changes: people of several searches are invited together. */
  const { selected, select, clear } = useSelection<string>();
  const [isSelecting, setSelecting] = useState(false);
  const [inviting, setInviting] = useState<readonly string[] | null>(null);

  const change = (next: PeopleFilter, replace = false) =>
    setAddress(addressOfPeople(next), { replace, preventScrollReset: true });
  const selectAll = async () => {
    setSelecting(true);
    try {
      select(await findAddresses(filter), true);
    } catch (error) {
      showFailure('Failed to load people', error);
    } finally {
      setSelecting(false);
    }
  };
  const total = people.data?.total ?? 0;

  return (
    <>
      <PageHeader title="People" subtitle="Everyone who was invited or is on an imported list">
        {mayImport && (
          <Link to="/admin/people/import" className={buttonClasses('primary', 'admin')}>
            <FileUp />
            Import
          </Link>
        )}
      </PageHeader>
      <PeopleTools filter={filter} total={total} onChange={change} />
      <PeopleList
        filter={filter}
        people={people}
        {...(mayInvite ? { selected, onSelect: select } : {})}
        onChange={change}
      >
        {mayInvite && (
          <SelectionBar
            label="Select all on this page"
            ids={addressesOf(people.data?.rows ?? [])}
            selected={selected}
            all={{
              ...{ total, most: MOST_PEOPLE, isBusy: isSelecting },
              onSelect: () => void selectAll(),
            }}
            isZeroShown={false}
            onSelect={select}
          >
            {selected.size > 0 && (
              <>
                <Button variant="ghost" size="dense" onClick={clear}>
                  Clear selection
                </Button>
                <span className="sm:ml-auto">
                  <Button
                    variant="primary"
                    size="dense"
                    icon={<Send />}
                    onClick={() => setInviting([...selected])}
                  >
                    Invite…
                  </Button>
                </span>
              </>
            )}
          </SelectionBar>
        )}
      </PeopleList>
      {inviting !== null && <InvitePeople emails={inviting} onClose={() => setInviting(null)} />}
    </>
  );
}

function PeopleTools({
  filter,
  total,
  onChange,
}: {
  filter: PeopleFilter;
  total: number;
  onChange(next: PeopleFilter, replace?: boolean): void;
}) {
  const groups = useGroupOptions();
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <search className="min-w-0 flex-1 max-sm:basis-full sm:max-w-80 sm:basis-48">
        <SearchBox
          label="Search by name, email, number or group"
          placeholder="Name, email, number or group"
          maxLength={320}
          value={filter.search}
          onSearch={(search) => onChange({ ...filter, search, page: 1 }, true)}
        />
      </search>
      {(filter.group !== null || groups.length > 0) && (
        <FilterSelect
          label="Group"
          any="All groups"
          className="min-w-0 flex-1 basis-28 sm:w-52! sm:flex-none"
          options={groups}
          unlisted={filter.group ?? undefined}
          value={filter.group}
          onChange={(group) => onChange({ ...filter, group, page: 1 })}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 empty:hidden sm:ml-auto">
        {total > 0 && isNarrowed(filter) && (
          <p className="text-sm text-ink-3 max-xl:sr-only">The list follows the filters.</p>
        )}
        {total > 0 && (
          <DownloadButton
            onDownload={(format) => downloadPeople(filter, format)}
            onFailed={(error) => showFailure('Failed to download the list', error)}
          >
            Download list
          </DownloadButton>
        )}
      </div>
    </div>
  );
}
