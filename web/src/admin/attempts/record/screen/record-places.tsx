import { listParticipants } from '@invigil/core/contract/review/participants';
import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { isTypingWithAlt } from '../../../../lib/keys.ts';
import { readEndpoint } from '../../../../net/api.ts';
import { filterFrom, queryOf } from '../../list/participants-filter.ts';
import { type FromList, useFromList } from '../../list/participants-table.tsx';

/**
 * Records that can be reached before the page from which a record was opened; more after it.
 */
const BEFORE = 400;

interface Place {
  list: FromList;
  number: number;
  total: number;
  previous: string | undefined;
  next: string | undefined;
}

/**
 * The position of a record in the filtered list, across pages. The list is read once, so that a record
 * that leaves the filter by its verdict does not shift the others. `null` if the record was opened by
 * its URL.
 */
export function usePlace(id: string): Place | null {
  const list = useFromList();
  const filter = filterFrom(new URLSearchParams(list?.search));
  const start = (filter.page - 1) * filter.rows;
  const offset = Math.max(0, start - BEFORE);
  const limit = REQUEST_LIMITS.listRowsMax;
  const read = useQuery({
    queryKey: ['listed records', list],
    refetchOnMount: true,
    enabled: list !== null && list.total > list.ids.length,
    queryFn: async ({ signal }) => {
      const query = { ...queryOf(filter), limit, offset };
      const { body } = await readEndpoint(listParticipants, { query }, signal);
      return body.map((row) => row.id);
    },
  });
  if (list === null) return null;
  const [ids, from] = read.data?.includes(id) ? [read.data, offset] : [list.ids, start];
  const at = ids.indexOf(id);
  if (at === -1) return null;
  return {
    list,
    number: from + at + 1,
    total: Math.max(list.total, from + at + 1),
    previous: ids[at - 1],
    next: ids[at + 1],
  };
}

/** Opens another record of the list, after confirmation if there is unsaved input. */
export function useGoToRecord(): (id: string, list: FromList) => void {
  const navigate = useNavigate();
  return (id, list) => void navigate(`/admin/participants/${id}`, { state: list });
}

/** Links back to the list and to its other records, also by Alt+P and Alt+N. */
export function RecordPlaces({ id }: { id: string }) {
  const place = usePlace(id);
  const list = useFromList();
  const go = useGoToRecord();

  // An effect event sees the current record immediately; a listener added again after each render would
  // briefly lead to a neighbor of the previous one.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const to =
      event.code === 'KeyP' ? place?.previous : event.code === 'KeyN' ? place?.next : undefined;
    const isOurs = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (place === null || to === undefined || !isOurs || isInDialog()) return;
    if (isTypingWithAlt(event)) return;
    event.preventDefault();
    go(to, place.list);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);

  return (
    <nav
      aria-label={t(/* of attempts (noun) */ 'record.places.label', 'Records')}
      className="mb-3 flex flex-wrap items-center justify-between gap-x-4"
    >
      <Link
        to={`/admin/participants${list?.search ?? ''}`}
        className={`${PLACE} font-medium text-ink-2 hover:text-ink`}
      >
        <ArrowLeft className="size-4" />
        {t(/* the title of a page */ 'attempts.title', 'Participant Management')}
      </Link>
      {place !== null && place.total > 1 && (
        <span className="flex items-center gap-4 text-sm text-ink-3 tabular-nums">
          <Neighbour list={place.list} id={place.previous} keys="Alt+P">
            {t(/* record in the list */ 'record.places.previous', 'Previous')}
          </Neighbour>
          {t(/* the place of a record in a list */ 'record.places.number', '{number} of {total}', {
            number: place.number,
            total: place.total,
          })}
          <Neighbour list={place.list} id={place.next} keys="Alt+N">
            {t(/* record in the list */ 'record.places.next', 'Next')}
          </Neighbour>
        </span>
      )}
    </nav>
  );
}

const PLACE = 'inline-flex items-center gap-2 text-sm touch:min-h-11';

const isInDialog = () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

/** A link to the next or previous record; at the ends of the list the label is shown without a link. */
function Neighbour({
  list,
  id,
  keys,
  children,
}: {
  list: FromList;
  id: string | undefined;
  keys: string;
  children: string;
}) {
  if (id === undefined) return <span className={PLACE}>{children}</span>;
  return (
    <Link
      to={`/admin/participants/${id}`}
      state={list}
      title={keys}
      aria-keyshortcuts={keys}
      className={`${PLACE} font-medium text-accent-ink underline-offset-4 hover:underline`}
    >
      {children}
    </Link>
  );
}
