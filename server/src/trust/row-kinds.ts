import { createHash, type KeyObject } from 'node:crypto';
import { stableJson } from '@invigil/core/domain/questions/question-versions';
import { CONCERNS, changedText } from '@invigil/core/texts/changed-outside';
import { and, asc, getTableColumns, inArray, isNotNull, or, type SQL } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { AppContext } from '../app-context.ts';
import type { Queryable } from '../db/database.ts';
import { portionsOf } from '../db/portions.ts';
import { quizPolicies, quizzes } from '../db/schema/assessments.ts';
import { resultReleases } from '../db/schema/attempts.ts';
import { institution, retention } from '../db/schema/installation.ts';
import { users } from '../db/schema/invitations.ts';
import { outbox, smtpSettings } from '../db/schema/mail.ts';
import { AppError } from '../runtime/app-error.ts';
import { fitsSeal, type SealedField, sealFields } from './row-seal.ts';
import {
  ADMINS,
  CERTIFICATES,
  EVIDENCE,
  listWhole,
  POLICY,
  RESULTS,
  type SealedKind,
  type SealedRow,
  VERSIONS,
} from './sealed-kinds.ts';
import { limitOf, type Wanted, wanted, wantedPair } from './sealed-queries.ts';
import { namesIn, type SealedName, TABLES } from './table-list.ts';

type Keyed = { seal?: Buffer | null };

/** A kind whose seal covers the columns of one table that `TABLES` lists as sealed. */
export interface RowKind<Row extends Keyed> extends SealedKind {
  name: keyof typeof CONCERNS & SealedName;
  /** The data that a change of such a row concerns, in words. */
  concerns(): string;
  /** A new row, with its seal. */
  sealed<New extends Partial<Row>>(key: KeyObject, row: New): New & { seal: Buffer };
  /**
   * A locked row after a change, with its seal: that of the row before where it did not match, so that no
   * change makes a forged row genuine.
   */
  resealed<Changed extends Partial<Row>>(key: KeyObject, before: Changed, after: Changed): Changed;
  /** Whether a row is as Invigil wrote it; false without a seal. */
  isWhole(key: KeyObject, row: Partial<Row>): boolean;
  idOf(row: Partial<Row>): string;
  atATime: number;
  /** Rows with all their columns. */
  read(db: Queryable, ids: readonly string[]): Promise<Row[]>;
}

/** How rows are found by the text that is their id. */
interface Ids {
  columns: readonly [PgColumn, PgColumn?];
  isRow: string;
}

const byUuid = (id: PgColumn): Ids => ({ columns: [id], isRow: `t.${id.name} = r.id::uuid` });
const theOne = (one: PgColumn): Ids => ({ columns: [one], isRow: `t.${one.name} = r.id::boolean` });

function rowKind<Table extends PgTable>(
  table: Table,
  name: SealedName & keyof typeof CONCERNS,
  ids: Ids,
  isSealed?: SQL,
): RowKind<Table['$inferSelect'] & Keyed> {
  type Row = Table['$inferSelect'] & Keyed;
  const { name: tableName } = getTableConfig(table);
  const columns = Object.entries(getTableColumns(table));
  const named = (wanted: string) => {
    const found = columns.find(([, column]) => column.name === wanted);
    if (!found) throw new Error(`${tableName} has no column ${wanted}`);
    return found;
  };
  const [, covered = '', added = ''] = TABLES[tableName]?.sealed ?? [];
  const fields = namesIn(covered).map(named);
  const addedFields = namesIn(added).map(named);
  const idColumns = ids.columns.filter((column) => column !== undefined);
  const keys = idColumns.map((column) => named(column.name)[0]);
  const order = idColumns.map((column) => asc(column));
  const selected = Object.fromEntries(
    [...[...fields, ...addedFields].map(([property]) => property), ...keys, 'seal'].map(
      (property) => [property, (getTableColumns(table) as Record<string, PgColumn>)[property]],
    ),
  ) as Record<string, PgColumn>;

  const rowOf = (row: Partial<Row>): SealedRow => ({
    id: idOf(row),
    fields: [
      ...fields.map(([property, column]) => {
        const value = (row as Record<string, unknown>)[property];
        // The database would store its default, which the seal would not cover.
        if (value === undefined && column.hasDefault) {
          throw new Error(`${tableName}.${column.name} is sealed: a new row has to name it`);
        }
        return fieldOf(value);
      }),
      ...addedFields.flatMap(([property, column]) => {
        const value = (row as Record<string, unknown>)[property] ?? null;
        return value === null ? [] : [[column.name, fieldOf(value)] as const];
      }),
    ],
    seal: row.seal ?? null,
  });
  const idOf = (row: Partial<Row>) =>
    keys.map((property) => String((row as Record<string, unknown>)[property] ?? true)).join('/');
  const context = (id: string) => `${tableName}/${id}`;
  const [first, second] = ids.columns;
  const wantedOf = (which: Wanted) =>
    second ? wantedPair(first, second, which) : wanted(first, which);

  const sealOf = (key: KeyObject, row: Partial<Row>) => {
    const { id, fields: values } = rowOf(row);
    return sealFields(key, context(id), values);
  };
  const isWhole = (key: KeyObject, row: Partial<Row>) => {
    const { id, fields: values, seal } = rowOf(row);
    return fitsSeal(key, context(id), values, seal);
  };

  return {
    name,
    concerns: CONCERNS[name],
    place: { table: tableName, column: 'seal', isRow: ids.isRow },
    atATime: 2_000,
    async list(db, which) {
      const rows = await db
        .select(selected)
        .from(table as PgTable)
        .where(and(isSealed, wantedOf(which)))
        .orderBy(...order)
        .limit(limitOf(which));
      return rows.map((row) => rowOf(row as Partial<Row>));
    },
    sealed: (key, row) => ({ ...row, seal: sealOf(key, row as Partial<Row>) }),
    resealed: (key, before, after) => ({
      ...after,
      seal: isWhole(key, before) ? sealOf(key, after) : before.seal,
    }),
    isWhole,
    idOf,
    async read(db, some) {
      const rows = await db
        .select()
        .from(table as PgTable)
        .where(wantedOf({ ids: some }));
      return rows as Row[];
    },
  };
}

/** A value as its seal covers it, the same before it is stored and read back. */
function fieldOf(value: unknown): SealedField {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return createHash('sha256').update(value).digest('hex');
  // The same, without the way: lists of texts are in every person.
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return JSON.stringify(value);
  }
  // Members that JSON drops, such as undefined ones, are left out.
  if (typeof value === 'object') return stableJson(JSON.parse(JSON.stringify(value)));
  return value as string | number | boolean;
}

export const MAIL_SERVER = rowKind(smtpSettings, 'mail_server', byUuid(smtpSettings.id));

export const INSTITUTION = rowKind(institution, 'institution', theOne(institution.one));

export const RETENTION = rowKind(retention, 'retention', theOne(retention.one));

export const ASSESSMENTS = rowKind(quizzes, 'assessment', byUuid(quizzes.id));

export const MONITORING_POLICIES = rowKind(quizPolicies, 'monitoring_policy', {
  columns: [quizPolicies.quizId, quizPolicies.version],
  isRow: "t.quiz_id = split_part(r.id, '/', 1)::uuid and t.version = split_part(r.id, '/', 2)::int",
});

export const PEOPLE = rowKind(users, 'person', byUuid(users.id));

export const RELEASES = rowKind(resultReleases, 'release', byUuid(resultReleases.id));

/** Messages that wait, and those with a seal: nothing is made from an older one that was settled. */
export const MESSAGES = rowKind(
  outbox,
  'message',
  byUuid(outbox.id),
  or(inArray(outbox.state, ['queued', 'sending', 'uncertain']), isNotNull(outbox.seal)),
);

/** The kinds whose fields `TABLES` defines, in the order in which they are verified. */
export const ROW_KINDS = [
  MAIL_SERVER,
  INSTITUTION,
  RETENTION,
  ASSESSMENTS,
  MONITORING_POLICIES,
  PEOPLE,
  RELEASES,
  MESSAGES,
] as const;

/**
 * Every kind that keeps its seals beyond a sign-in, for whatever seals all of them again. Questions last:
 * whether a result matches its seal depends on theirs.
 */
export const RESEALED_KINDS: readonly SealedKind[] = [
  ...[ADMINS, POLICY, RESULTS, EVIDENCE, CERTIFICATES, ...ROW_KINDS],
  VERSIONS,
];

type Ctx = Pick<AppContext, 'keys' | 'trust'>;

/** Whether a row is as Invigil wrote it; one that is not is reported. */
export function isGenuine<Row extends Keyed>(
  { keys, trust }: Ctx,
  kind: RowKind<Row>,
  row: Partial<Row>,
): boolean {
  const isWhole = kind.isWhole(keys.integrity, row);
  if (!isWhole) trust.reportBroken(kind.name, kind.idOf(row));
  return isWhole;
}

/** Before something is signed, sealed or sent from a row. Throws CHANGED_OUTSIDE, and reports the row. */
export function requireGenuine<Row extends Keyed>(
  ctx: Ctx,
  kind: RowKind<Row>,
  row: Partial<Row>,
): void {
  if (isGenuine(ctx, kind, row)) return;
  throw new AppError('CHANGED_OUTSIDE', { message: changedText(kind.name) });
}

/** The ids of rows that are as Invigil wrote them, of any kind; the others are reported. */
export async function listGenuine(
  { keys, trust }: Ctx,
  db: Queryable,
  kind: SealedKind,
  ids: readonly string[],
): Promise<Set<string>> {
  const whole = new Set(await listWhole(db, keys.integrity, kind, ids));
  for (const id of ids) if (!whole.has(id)) trust.reportBroken(kind.name, id);
  return whole;
}

/**
 * Rows of a kind that are as Invigil wrote them, by their ids; the others are reported. Whatever is signed,
 * sealed or sent is made from these, not from another reading, between which a row can be changed and changed
 * back.
 */
export async function readGenuine<Row extends Keyed>(
  ctx: Ctx,
  db: Queryable,
  kind: RowKind<Row>,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const genuine = new Map<string, Row>();
  for (const some of portionsOf([...new Set(ids)], kind.atATime)) {
    for (const row of await kind.read(db, some)) {
      if (isGenuine(ctx, kind, row)) genuine.set(kind.idOf(row), row);
    }
  }
  return genuine;
}
