import { emailKey } from '@invigil/core/domain/email-address';
import { t } from '@invigil/core/texts/i18n';
import { useMutation } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
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
        {t(/* a button */ 'invite.add', 'Add people')}
      </Button>
      {isOpen && (
        <section
          id={id}
          aria-label={t(/* a button */ 'invite.add', 'Add people')}
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
  const [added, setAdded] = useState<Added | null>(null);
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
      setAdded({ more: more.length, before: all.length - more.length });
      setMatch(NO_ONE);
    },
    onError: (error) => showFailure(t('people.failed', 'Failed to load people'), error),
  });
  const n = Math.min(total, MOST_PEOPLE);
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <FilterSelect
          label={t(/* of people */ 'people.field.group', 'Group')}
          any={t('invite.add.anyGroup', 'Any group')}
          className=""
          options={groups}
          unlisted={match.group ?? undefined}
          value={match.group}
          onChange={(group) => change({ group })}
        />
        <SearchBox
          label={t(/* a label */ 'invite.add.search', 'Search people')}
          placeholder={t('invite.add.searchBy', 'Name or number')}
          maxLength={320}
          value={match.search}
          onSearch={(search) => change({ search })}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-ink-2 tabular-nums">
          {added !== null
            ? addedSentence(added)
            : isNone
              ? t('invite.add.select', 'Select a group, or search.')
              : found.data === undefined || found.isPlaceholderData
                ? t('invite.add.searching', 'Searching…')
                : total === 0
                  ? t('invite.add.noMatch', 'No one matches.')
                  : t(
                      'invite.add.found',
                      '{count, plural, one {# person found.} other {# people found.}}',
                      { count: total },
                    )}
        </p>
        <Button
          size="dense"
          aria-disabled={n === 0}
          busy={add.isPending && t('portal.adding', 'Adding…')}
          onClick={() => n > 0 && add.mutate()}
        >
          {n === 0
            ? t(/* a button: adds people */ 'invite.add.none', 'Add')
            : n < total
              ? t(
                  'invite.add.first',
                  '{count, plural, one {Add the first # person} other {Add the first # people}}',
                  { count: n },
                )
              : t('invite.add.people', '{count, plural, one {Add # person} other {Add # people}}', {
                  count: n,
                })}
        </Button>
      </div>
    </div>
  );
}

interface Added {
  more: number;
  /** How many were in the box already. */
  before: number;
}

function addedSentence({ more, before }: Added): string {
  const added =
    more === 0
      ? t('invite.add.noOneAdded', 'No one added.')
      : t('invite.add.added', '{count, plural, one {# person added.} other {# people added.}}', {
          count: more,
        });
  if (before === 0) return added;
  const known = t(
    'invite.add.before',
    '{count, plural, one {# person was in the box already.} other {# people were in the box already.}}',
    { count: before },
  );
  return `${added} ${known}`;
}
