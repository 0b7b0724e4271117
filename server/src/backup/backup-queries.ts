import type pg from 'pg';

/** The output must not depend on settings of the role or server. */
const PLAIN_SETTINGS = `
  set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
  set extra_float_digits = 1; set bytea_output = 'hex'; set client_encoding = 'UTF8'`;

/** Begins a transaction on one snapshot of the database. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query(PLAIN_SETTINGS);
  await client.query('begin isolation level repeatable read read only');
}

export async function beginLoad(client: pg.Client): Promise<void> {
  await client.query(PLAIN_SETTINGS);
  await client.query('begin');
}

export interface TableShape {
  name: string;
  /** All but the generated columns. */
  columns: string[];
}

export async function listTables(client: Pick<pg.Client, 'query'>): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and a.attgenerated = ''
    group by c.relname
    order by c.relname`);
  return rows;
}

/**
 * A table of the schema that is not empty, even one of another application: all of them are emptied
 * before a load. The list of migrations is in another schema.
 */
export async function findFilledTable(client: pg.Client): Promise<string | undefined> {
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query(`select from ${quoted(name)} limit 1`);
    if (rows.length > 0) return name;
  }
  return undefined;
}

/** The location of a file of evidence or of an image. */
export interface StoredFile {
  folder: string;
  name: string;
}

export async function listStoredEvidence(client: pg.Client): Promise<StoredFile[]> {
  const { rows } = await client.query<StoredFile>(`
    select participant_id::text as folder, id::text as name from evidence
    where stored_at is not null order by participant_id, id`);
  return rows;
}

export async function listImageHashes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ hash: string }>('select hash from images order by hash');
  return rows.map(({ hash }) => hash);
}

/** How many of these uploads can still be decrypted: their key was not destroyed. */
export async function countReadable(client: pg.Client, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from evidence e
     join evidence_keys k on k.participant_id = e.participant_id
     where e.id = any ($1::uuid[]) and k.sealed_key is not null`,
    [ids],
  );
  return rows[0]?.n ?? 0;
}

/**
 * Drops the foreign keys, so that tables can be filled in any order. Returns statements that add
 * them.
 */
export async function dropReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ on: string; name: string; definition: string }>(`
    select conrelid::regclass::text as on, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace
    order by 1, 2`);
  for (const { on, name } of rows) {
    await client.query(`alter table ${on} drop constraint ${quoted(name)}`);
  }
  return rows.map(
    ({ on, name, definition }) => `alter table ${on} add constraint ${quoted(name)} ${definition}`,
  );
}

export async function emptyTables(client: pg.Client, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await client.query(`truncate ${tables.map(quoted).join(', ')}`);
}

/** `copy … to stdout` and `copy … from stdin` of a table. */
export function copyOf({ name, columns }: TableShape, way: 'to stdout' | 'from stdin'): string {
  return `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) ${way}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
