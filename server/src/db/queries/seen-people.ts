import { NOWHERE, type Reach } from '@invigil/core/domain/rights';
import {
  type AnyColumn,
  and,
  eq,
  gt,
  isNotNull,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { containsPlain } from '../contains.ts';
import { onlyRow, type Queryable } from '../database.ts';
import type { PageWindow } from '../page-window.ts';
import { participants } from '../schema/attempts.ts';
import { type Entered, invitations, users } from '../schema/invitations.ts';
import { ofQuizWithin } from './places.ts';

/** The reach of no one in particular: an invitation's person as the invitation itself shows them. */
export const NOT_EVERYONE: Reach = NOWHERE;

/** The columns of lists about a person, beside the address. */
export type PersonColumns = Omit<Entered, 'language'>;

/** The typed details about the person of an invitation, by their columns. */
const typedIn = (entered: SQLWrapper) => ({
  givenName: sql`coalesce(${entered} ->> 'givenName', '')`,
  familyName: sql`coalesce(${entered} ->> 'familyName', '')`,
  externalId: sql`${entered} ->> 'externalId'`,
  groups: sql`array(select jsonb_array_elements_text(${entered} -> 'groups'))`,
  language: sql`coalesce(${entered} ->> 'language', '')`,
  fields: sql`coalesce(${entered} -> 'fields', '{}')`,
});

/**
 * Columns of `users` joined with `invitations`: the only rule of what a reader sees of the person of an
 * invitation (product 9). A reader who sees everyone sees what the installation knows, and where it has no
 * name, number or field, what was typed. Anyone else sees what was typed about the person, and what the
 * invitation opens: each detail that it does not have itself. The plain columns are not exported: every list,
 * search, filter and order of people is made from these.
 *
 * @param sees where the reader may see people
 * @param entered of the invitation
 */
function seenBy(sees: Reach, entered: SQLWrapper = invitations.entered) {
  const typed = typedIn(entered);
  if (sees === 'all') {
    const named = (known: AnyColumn, instead: SQL) =>
      sql<string>`case when ${users.givenName} = '' and ${users.familyName} = '' then ${instead} else ${known} end`;
    return {
      givenName: named(users.givenName, typed.givenName),
      familyName: named(users.familyName, typed.familyName),
      externalId: sql<string | null>`coalesce(${users.externalId}, ${typed.externalId})`,
      groups: sql<string[]>`${users.groups}`,
      language: sql<string>`${users.language}`,
      fields: sql<Record<string, string>>`(${typed.fields} || ${users.fields})`,
    };
  }
  const opened = <T>(detail: keyof Entered) =>
    sql<T>`case when ${entered} ? '${sql.raw(detail)}' then ${typed[detail]} else ${users[detail]} end`;
  return {
    givenName: opened<string>('givenName'),
    familyName: opened<string>('familyName'),
    externalId: opened<string | null>('externalId'),
    groups: opened<string[]>('groups'),
    language: opened<string>('language'),
    fields: opened<Record<string, string>>('fields'),
  };
}

const DETAILS = ['givenName', 'familyName', 'externalId', 'groups', 'language', 'fields'] as const;

/** Whether an invitation opens nothing of what the installation knows: all of its details were typed. */
export const isClosed = (entered: Partial<Entered> | null): entered is Entered =>
  entered !== null && DETAILS.every((detail) => detail in entered);

/** The same in a query. */
const isClosedIn = (entered: SQLWrapper) =>
  sql`coalesce(${entered} ?& ${sql.raw(`'{${DETAILS.join()}}'`)}, false)`;

/** The columns that lists show of the person of an invitation. */
export function personColumns(sees: Reach) {
  const { language: _, ...columns } = seenBy(sees);
  return columns;
}

/**
 * The same as one JSON document for those who see everyone and, where it differs, one for all others: for
 * readers of several kinds at a time.
 */
export function personDocuments() {
  const documentOf = (sees: Reach) => {
    const { givenName, familyName, externalId, groups, fields } = seenBy(sees);
    return sql<PersonColumns>`jsonb_build_object('givenName', ${givenName}, 'familyName', ${familyName},
      'externalId', ${externalId}, 'groups', to_jsonb(${groups}), 'fields', ${fields})`;
  };
  const isOpen = sql`${invitations.entered} is null`;
  return {
    person: documentOf('all'),
    opened: sql<PersonColumns | null>`case when ${isOpen} then null else ${documentOf(NOT_EVERYONE)} end`,
  };
}

/** The names of the people of some invitations, by the invitation. */
export function listInvitedNames(db: Queryable, sees: Reach, ids: readonly string[]) {
  return db
    .select({ id: invitations.id, ...nameColumns(sees) })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId))
    .where(sql`${invitations.id} = any (${sql.param([...ids])}::uuid[])`);
}

/** The name of the person of an invitation. */
export function nameColumns(sees: Reach) {
  const { givenName, familyName } = seenBy(sees);
  return { givenName, familyName };
}

/**
 * Whether a reader sees who took an attempt by the name that the installation knows, which its certificates
 * have: also where that name was typed for this assessment only.
 */
export async function isSeenAsKnown(
  db: Queryable,
  sees: Reach,
  participantId: string,
): Promise<boolean> {
  if (sees === 'all') return true;
  const { entered, quizId } = invitations;
  const [row] = await db
    .select({ entered, isOwn: sql<boolean>`${users.enteredFor} is not distinct from ${quizId}` })
    .from(participants)
    .innerJoin(invitations, eq(invitations.id, participants.invitationId))
    .innerJoin(users, eq(users.id, invitations.userId))
    .where(eq(participants.id, participantId));
  const { givenName, familyName } = row?.entered ?? {};
  return row !== undefined && (row.isOwn || (givenName ?? familyName) === undefined);
}

/** The groups of the person of an invitation. */
export const groupsColumn = (sees: Reach) => seenBy(sees).groups;

/** Someone's family name, else the one name, else the address: what lists are ordered by. */
export const nameToSortBy = (sees: Reach, entered?: SQLWrapper): SQL => {
  const { givenName, familyName } = seenBy(sees, entered);
  return sql`coalesce(nullif(${familyName}, ''), nullif(${givenName}, ''), ${users.email}) collate "und-x-icu"`;
};

/** Whether a reader sees more than the address of the person of an invitation. */
export function isKnown(sees: Reach): SQL {
  const { givenName, familyName, externalId, groups, fields } = seenBy(sees);
  return sql`(${givenName} <> '' or ${familyName} <> '' or ${externalId} is not null
    or ${groups} <> '{}' or ${fields} <> '{}')`;
}

/**
 * Address, name in either order, number, a group or a field that the reader sees contains each word, which is
 * taken literally.
 */
export function personContains(sees: Reach, search: string): SQL {
  const { givenName, familyName, externalId, groups, fields } = seenBy(sees);
  return containsPlain(
    sql`case when ${invitations.entered} is null then ${users.searchText}
    else person_search_text(${users.email}, ${givenName}, ${familyName}, ${externalId}, ${groups}, ${fields})
    end`,
    search,
  );
}

/** The same of what the installation knows alone, which an index finds. */
export const knownContains = (search: string): SQL => containsPlain(users.searchText, search);

/** `users` of those whom a reader sees, with the invitation that says what is seen of each. */
function seenPeople(sees: Reach): SQL {
  const within = ofQuizWithin(sees, sql`i.quiz_id`);
  if (within === undefined) return sql`${users}`;
  return sql`(select distinct on (i.user_id) i.user_id, i.entered, i.created_at from ${invitations} i where ${within}
      order by i.user_id, ${isClosedIn(sql`i.entered`)}, i.last_invited_at desc, i.id) invitations
    join ${users} on users.id = invitations.user_id`;
}

/** Stands for typed details in a list of all people: typed for one assessment, they are not in it. */
const NOTHING_ENTERED = sql`null::jsonb`;

export interface PeopleFilter {
  search?: string | undefined;
  group?: string | undefined;
  /** The objects of which the reader sees people. */
  sees: Reach;
}

/** The people as a reader sees them: erased ones are left out, as are those who are not seen. */
function peopleMatching({ search, group, sees }: PeopleFilter): SQL {
  const contains = (text: string) =>
    sees === 'all' ? knownContains(text) : personContains(sees, text);
  const conditions = and(
    isNotNull(users.email),
    search === undefined || search === '' ? undefined : contains(search),
    group === undefined ? undefined : sql`${groupsColumn(sees)} @> array[${group}]::text[]`,
  );
  return sql`${seenPeople(sees)} where ${conditions}`;
}

/** Whether extra time is kept of anyone. */
export async function isAnyWithExtraTime(db: Queryable): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(gt(users.extraTime, 0))
    .limit(1);
  return row !== undefined;
}

export async function countPeople(db: Queryable, filter: PeopleFilter): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from ${peopleMatching(filter)}`,
  );
  return onlyRow(rows).n;
}

/**
 * Orders by family name, then given name, then address, in the root collation. A reader who sees everyone
 * gets the order by what the installation knows: what was typed is looked up for the rows of a page only.
 */
function peopleInOrder(sees: Reach, direction: SQL): SQL {
  const entered = sees === 'all' ? sql`null::jsonb` : undefined;
  const { givenName } = seenBy(sees, entered);
  const by = [
    nameToSortBy(sees, entered),
    ...[givenName, sql`lower(${users.email})`].map((text) => sql`${text} collate "und-x-icu"`),
    sql`${users.id}`,
  ];
  return sql`order by ${sql.join(
    by.map((one) => sql`${one} ${direction}`),
    sql`, `,
  )}`;
}

/** The ids of one page or of all, in that order or the reverse. */
export async function listPersonIds(
  db: Queryable,
  filter: PeopleFilter,
  window?: PageWindow,
): Promise<{ id: string; email: string }[]> {
  const page = window ? sql`limit ${window.limit} offset ${window.offset}` : sql``;
  const order = peopleInOrder(filter.sees, sql.raw(window?.fromEnd ? 'desc' : 'asc'));
  const { rows } = await db.execute<{ id: string; email: string }>(
    sql`select ${users.id}, ${users.email} from ${peopleMatching(filter)} ${order} ${page}`,
  );
  return rows;
}

/** A person as a reader sees them. */
export interface SeenPerson extends Entered {
  id: string;
  /** null once the person is erased */
  email: string | null;
  /** Percent. */
  extraTime: number;
  note: string;
  formerEmails: string[];
  createdAt: Date;
}

/**
 * Some of those whom a reader sees, in the order of the ids; note, extra time and former addresses are the
 * installation's.
 */
export async function listSeenPeople(
  db: Queryable,
  sees: Reach,
  ids: readonly string[],
): Promise<SeenPerson[]> {
  const seen = seenBy(sees, sees === 'all' ? NOTHING_ENTERED : undefined);
  const isAll = sees === 'all';
  // The time when someone became known elsewhere would reveal that they are known.
  const opened = sql`case when ${isClosedIn(invitations.entered)} then ${invitations.createdAt} else ${users.createdAt} end`;
  type Row = Omit<SeenPerson, 'createdAt'> & { createdAt: string | Date };
  const { rows } = await db.execute<Row & Record<string, unknown>>(sql`
    select ${users.id}, ${users.email}, ${seen.givenName} as "givenName",
      ${seen.familyName} as "familyName", ${seen.externalId} as "externalId",
      ${seen.groups} as groups, ${seen.language} as language, ${seen.fields} as fields,
      ${isAll ? sql`${users.extraTime}` : sql`0`} as "extraTime",
      ${isAll ? sql`${users.note}` : sql`''`} as note,
      ${isAll ? sql`${users.formerEmails}` : sql`'{}'::text[]`} as "formerEmails",
      ${isAll ? users.createdAt : opened} as "createdAt"
    from ${seenPeople(sees)}
    where ${isAll ? users.id : sql`invitations.user_id`} = any (${sql.param([...ids])}::uuid[])`);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = rowOf.get(id);
    return row ? [{ ...row, createdAt: new Date(row.createdAt) }] : [];
  });
}

/** Groups that a reader sees, with how many people are in them. */
export async function listGroups(db: Queryable, sees: Reach) {
  const { rows } = await db.execute<{ group: string; people: number }>(sql`
    select g as "group", count(*)::int as people
    from (select ${groupsColumn(sees)} as groups from ${peopleMatching({ sees })}) seen, unnest(seen.groups) g
    group by g order by g collate "und-x-icu"`);
  return rows;
}
