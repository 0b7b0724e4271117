import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import { listPersonInvitations } from '@invigil/core/contract/invitations/invitations';
import {
  exportPeople,
  getPerson,
  listGroups,
  listPeople,
  listPersonFields,
  listPersonIds,
  type Person,
  updatePerson,
} from '@invigil/core/contract/invitations/people';
import type { Participant } from '@invigil/core/contract/review/participants';
import { PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import { numberText } from '@invigil/core/domain/locale';
import { nameOf, type PersonField } from '@invigil/core/domain/people';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { PageNumber, urlView } from '../../lib/url-view.ts';
import { callEndpoint, type SentBody } from '../../net/api.ts';
import { endpointKey, endpointQuery, pageQuery, replaceCached } from '../../net/endpoint-query.ts';
import { formatQuery } from '../../net/file-download.ts';
import { downloadFile } from './downloads.ts';

/** Stands in the place of a person's name that is not known, or no longer. */
export const unknownText = (): string =>
  t(/* in the place of a person's name */ 'parts.person.unknown', 'Unknown');

/** Below the first of a list of people: how many more there are. */
export const morePeopleText = (count: number): string =>
  t(
    /* below a list of people */ 'results.andMore',
    '{count, plural, one {And # more.} other {And # more.}}',
    { count },
  );

export const PEOPLE_PER_PAGE = 50;

/** The most people to invite at a time: as many as an import may have. */
export const MOST_PEOPLE = PEOPLE_LIMITS.rowsPerImport;

export const PEOPLE_VIEW = urlView({
  search: z.string().max(320).catch(''),
  group: z.string().max(PEOPLE_LIMITS.textMaxCharacters).nullable().catch(null),
  page: PageNumber,
});
export const NO_PEOPLE_FILTER = PEOPLE_VIEW.standard;
export type PeopleFilter = typeof NO_PEOPLE_FILTER;

export type PeopleMatch = Pick<PeopleFilter, 'search' | 'group'>;

export const isNarrowed = ({ search, group }: PeopleMatch) => search !== '' || group !== null;

const matchOf = ({ search, group }: PeopleMatch) => ({
  ...(search === '' ? {} : { search }),
  ...(group === null ? {} : { group }),
});

/** The name, or else the address. */
export const shownName = (person: Person): string =>
  isolated(nameOf(person) || person.email || unknownText());

export function usePeople(match: PeopleMatch, page = 1, limit = PEOPLE_PER_PAGE, enabled = true) {
  return useQuery({
    ...pageQuery(listPeople, {
      query: { ...matchOf(match), limit, offset: (page - 1) * limit },
    }),
    enabled,
    placeholderData: keepPreviousData,
  });
}

/** The groups to select from, with their sizes. */
export const useGroupOptions = (enabled = true) =>
  (useGroups(enabled).data ?? []).map(({ group, people }) => ({
    value: group,
    label: t(/* a group, and how many people are in it */ 'list.groupSize', '{group} ({people})', {
      group: isolated(group),
      people: numberText(people),
    }),
  }));

export const useGroups = (enabled = true) =>
  useQuery({ ...endpointQuery(listGroups, {}), enabled });

export const PERSON_FIELDS = endpointQuery(listPersonFields, {});
const NO_FIELDS: PersonField[] = [];

/** The installation's own fields; none until they are read. */
export const usePersonFields = (enabled = true): PersonField[] =>
  useQuery({ ...PERSON_FIELDS, enabled }).data ?? NO_FIELDS;

/** Details of a person besides name and address: number, groups, and own fields with their names. */
export function useKnownTexts({
  externalId,
  groups,
  fields,
}: Pick<Participant, 'externalId' | 'groups' | 'fields'>): string[] {
  const own = usePersonFields(fields !== undefined);
  return [
    ...[...(externalId === undefined ? [] : [externalId]), ...(groups ?? [])].map(isolated),
    ...own.flatMap(({ id, name }) =>
      fields?.[id] === undefined
        ? []
        : t(/* a field of a person, and what it has */ 'list.personField', '{field}: {value}', {
            field: isolated(name),
            value: isolated(fields[id]),
          }),
    ),
  ];
}

/** The addresses of all that match, at most `MOST_PEOPLE`; read at once, so that nobody slips from page to page. */
export async function findAddresses(match: PeopleMatch): Promise<string[]> {
  const people = await callEndpoint(listPersonIds, { query: matchOf(match) });
  return people.slice(0, MOST_PEOPLE).map(({ email }) => email);
}

/** The addresses of people; an erased person has none. */
export const addressesOf = (rows: readonly Person[]): string[] =>
  rows.flatMap(({ email }) => email ?? []);

export async function downloadPeople(match: PeopleMatch, format: TableFormat): Promise<void> {
  const query = { ...matchOf(match), ...formatQuery(format) };
  await downloadFile(
    {
      name: t(/* a file that is downloaded */ 'portal.people', 'People'),
      fallback: `people.${format}`,
    },
    exportPeople,
    { query },
  );
}

const ofPerson = (id: string) => endpointQuery(getPerson, { params: { id } });

export const usePerson = (id: string) => useQuery(ofPerson(id));

export const usePersonInvitations = (id: string) =>
  useQuery(endpointQuery(listPersonInvitations, { params: { id } }));

export function useUpdatePerson(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBody<typeof updatePerson>) =>
      callEndpoint(updatePerson, { params: { id }, body }),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: endpointKey(listPeople), refetchType: 'none' });
      await replaceCached(client, ofPerson(id).queryKey, saved);
    },
  });
}
