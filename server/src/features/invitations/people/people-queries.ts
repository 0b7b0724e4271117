import type { Reach } from '@invigil/core/domain/rights';
import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../../../db/database.ts';
import type { PageWindow } from '../../../db/page-window.ts';
import { nameToSortBy, personContains } from '../../../db/queries/people.ts';
import { ofQuizWithin } from '../../../db/queries/places.ts';
import { users } from '../../../db/schema/invitations.ts';

/** Without what a search reads. */
export type PersonRow = Omit<typeof users.$inferSelect, 'searchText'>;

export interface PeopleFilter {
  search?: string | undefined;
  group?: string | undefined;
  reach: Reach;
}

/** Erased people are left out; with a limited reach those invited to none of its assessments as well. */
function conditions({ search, group, reach }: PeopleFilter): SQL | undefined {
  const isInvited =
    reach === 'all'
      ? undefined
      : sql`exists (select from invitations i where i.user_id = ${users.id}
          and ${ofQuizWithin(reach, sql`i.quiz_id`)})`;
  return and(
    isNotNull(users.email),
    isInvited,
    search === undefined || search === '' ? undefined : personContains(search),
    group === undefined ? undefined : sql`${users.groups} @> array[${group}]::text[]`,
  );
}

export async function countPeople(db: Queryable, filter: PeopleFilter): Promise<number> {
  return onlyRow(
    await db.select({ n: sql<number>`count(*)::int` }).from(users).where(conditions(filter)),
  ).n;
}

/** By family name, then given name, then address, in the order of the root collation. */
const inOrder = [
  nameToSortBy,
  ...[users.givenName, sql`lower(${users.email})`].map((text) => sql`${text} collate "und-x-icu"`),
  sql`${users.id}`,
];

/** A page of them, in that order or the reverse. */
export function pagePeople(
  db: Queryable,
  filter: PeopleFilter,
  { limit, offset, fromEnd }: PageWindow,
): Promise<PersonRow[]> {
  const direction = sql.raw(fromEnd ? 'desc' : 'asc');
  return db
    .select()
    .from(users)
    .where(conditions(filter))
    .orderBy(...inOrder.map((by) => sql`${by} ${direction}`))
    .limit(limit)
    .offset(offset);
}

/** All of them, in that order. */
export async function listPersonIds(db: Queryable, filter: PeopleFilter): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(conditions(filter))
    .orderBy(...inOrder);
  return rows.map(({ id }) => id);
}

/** Groups in use with how many people are in them. */
export async function listGroups(db: Queryable, reach: Reach) {
  const { rows } = await db.execute<{ group: string; people: number }>(sql`
    select g as "group", count(*)::int as people from ${users}, unnest(${users.groups}) g
    where ${conditions({ reach })} group by g order by lower(g), g`);
  return rows;
}

/** People with one of these address keys or numbers, locked in the order of their ids. */
export function lockPeople(
  tx: Tx,
  { keys, externalIds }: { keys: string[]; externalIds: string[] },
): Promise<PersonRow[]> {
  return tx
    .select()
    .from(users)
    .where(
      or(
        sql`lower(${users.email}) = any (${sql.param(keys)}::text[])`,
        sql`${users.externalId} = any (${sql.param(externalIds)}::text[])`,
      ),
    )
    .orderBy(users.id)
    .for('no key update');
}

/** Those of some people who were invited outside of a limited reach as well, or to nothing at all. */
export async function listPeopleOfOthers(
  tx: Tx,
  reach: Reach,
  ids: readonly string[],
): Promise<Set<string>> {
  const within = ofQuizWithin(reach, sql`i.quiz_id`);
  if (within === undefined || ids.length === 0) return new Set();
  const { rows } = await tx.execute<{ id: string }>(sql`
    select p.id from unnest(${sql.param([...ids])}::uuid[]) p(id)
    left join invitations i on i.user_id = p.id
    group by p.id having bool_and(i.id is not null and ${within}) is not true`);
  return new Set(rows.map(({ id }) => id));
}

/** `n`: rows as a table. One parameter a column: with one a cell, ten thousand rows have too many. */
const asTable = (rows: readonly PersonRow[]) => {
  const of = (column: keyof PersonRow) => sql.param(rows.map((row) => row[column]));
  return sql`unnest(${of('id')}::uuid[], ${of('givenName')}::text[], ${of('familyName')}::text[],
      ${of('externalId')}::text[], ${of('language')}::text[],
      ${sql.param(rows.map(({ groups }) => JSON.stringify(groups)))}::jsonb[],
      ${sql.param(rows.map(({ fields }) => JSON.stringify(fields)))}::jsonb[],
      ${sql.param(rows.map(({ email }) => email))}::text[],
      ${sql.param(rows.map(({ createdAt }) => createdAt))}::timestamptz[])
      as n(id, given, family, external, language, groups, fields, email, created_at)`;
};

/** Adds many people with one statement. */
export async function insertPeople(tx: Tx, rows: readonly PersonRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into ${users}
      (id, email, given_name, family_name, external_id, language, groups, fields, created_at)
    select n.id, n.email, n.given, n.family, n.external, n.language,
      array(select jsonb_array_elements_text(n.groups)), n.fields, n.created_at
    from ${asTable(rows)}`);
}

/** Changes many people with one statement. */
export async function changePeople(tx: Tx, rows: readonly PersonRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    update ${users} set given_name = n.given, family_name = n.family, external_id = n.external,
      language = n.language, groups = array(select jsonb_array_elements_text(n.groups)),
      fields = n.fields
    from ${asTable(rows)}
    where ${users.id} = n.id`);
}

export async function changePerson(
  tx: Tx,
  id: string,
  set: Partial<Omit<PersonRow, 'id' | 'createdAt' | 'sealedKey'>>,
): Promise<void> {
  if (Object.keys(set).length > 0) await tx.update(users).set(set).where(eq(users.id, id));
}

export function listPeopleById(db: Queryable, ids: readonly string[]): Promise<PersonRow[]> {
  return db
    .select()
    .from(users)
    .where(inArray(users.id, [...ids]));
}

/** Deletes what people have in fields that are no more. */
export async function dropFields(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`update ${users} set fields = fields - ${sql.param([...ids])}::text[]
    where fields ?| ${sql.param([...ids])}::text[]`);
}
