import { emailKey } from '@invigil/core/domain/email-address';
import { useMutation } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { people } from '../../data/invitations.ts';
import { useMayAnywhere } from '../../data/own-rights.ts';
import {
  findAddresses,
  isNarrowed,
  MOST_PEOPLE,
  type PeopleMatch,
  useGroupOptions,
  usePeople,
} from '../../data/people.ts';
import { showFailure } from '../../data/show-failure.ts';
import { FilterSelect } from '../../list/filter-select.tsx';
import { withLines } from './invite-addresses.tsx';

const NO_ONE: PeopleMatch = { search: '', group: null };

interface Box {
  addresses: readonly string[];
  onText(change: (now: string) => string): void;
}

/** Adds the addresses of a group, or of people who are searched for, to those in the box. */
export function AddPeople(box: Box) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (!useMayAnywhere()('people.see')) return null;
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        size="dense"
        icon={<UserPlus />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Add people
      </Button>
      {isOpen && (
        <section
          id={id}
          aria-label="Add people"
          className="w-full rounded-lg bg-sunken px-4 py-3.5"
        >
          <PeopleToAdd {...box} />
        </section>
      )}
    </div>
  );
}

function PeopleToAdd({ addresses, onText }: Box) {
  const [match, setMatch] = useState(NO_ONE);
  const [added, setAdded] = useState<string | null>(null);
  const groups = useGroupOptions();
  const isNone = !isNarrowed(match);
  const found = usePeople(match, 1, 1, !isNone);
  const total = isNone || found.isPlaceholderData ? 0 : (found.data?.total ?? 0);
  const change = (more: Partial<PeopleMatch>) => {
    setAdded(null);
    setMatch({ ...match, ...more });
  };
  const add = useMutation({
    mutationFn: () => findAddresses(match),
    onSuccess: (all) => {
      const known = new Set(addresses.map(emailKey));
      const more = all.filter((email) => !known.has(emailKey(email)));
      if (more.length > 0) onText((now) => withLines(now, ...more));
      setAdded(addedSentence(more.length, all.length - more.length));
      setMatch(NO_ONE);
    },
    onError: (error) => showFailure('Failed to load people', error),
  });
  const n = Math.min(total, MOST_PEOPLE);
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <FilterSelect
          label="Group"
          any="Any group"
          className=""
          options={groups}
          unlisted={match.group ?? undefined}
          value={match.group}
          onChange={(group) => change({ group })}
        />
        <SearchBox
          label="Search people"
          placeholder="Name or number"
          maxLength={320}
          value={match.search}
          onSearch={(search) => change({ search })}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-ink-2 tabular-nums">
          {added ??
            (isNone
              ? 'Select a group, or search.'
              : found.data === undefined || found.isPlaceholderData
                ? 'Searching…'
                : total === 0
                  ? 'No one matches.'
                  : `${people(total)} found.`)}
        </p>
        <Button
          size="dense"
          aria-disabled={n === 0}
          busy={add.isPending && 'Adding…'}
          onClick={() => n > 0 && add.mutate()}
        >
          {n === 0 ? 'Add' : n < total ? `Add the first ${people(n)}` : `Add ${people(n)}`}
        </Button>
      </div>
    </div>
  );
}

function addedSentence(more: number, before: number): string {
  const added = more === 0 ? 'No one added.' : `${people(more)} added.`;
  if (before === 0) return added;
  return `${added} ${people(before)} ${before === 1 ? 'was' : 'were'} in the box already.`;
}
