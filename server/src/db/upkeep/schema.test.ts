import pg from 'pg';
import { expect, inject, it } from 'vitest';

/**
 * Lists everything that PostgreSQL knows of the schema, a line each. Columns are in the order of their
 * names: no code relies on another order.
 */
const CATALOGUE = `
  with entities as (
    select oid, relname, relkind,
      concat(case relpersistence when 'u' then 'unlogged ' end,
        case relkind when 'r' then 'table' when 'v' then 'view' when 'S' then 'sequence' else relkind::text end,
        ' ', relname, ' with ' || reloptions::text, ' granted ' || relacl::text,
        case relkind when 'v' then ' as' || pg_get_viewdef(oid) end) as line
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind not in ('i', 'I', 'c', 't')
  ), lines (entity, part, line) as (
    select relname, 0, line from entities
  union all
    select relname, 1, concat('  ', attname, ' ', format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' end, ' default ' || pg_get_expr(adbin, adrelid))
    from entities e join pg_attribute on attrelid = e.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = e.oid and adnum = attnum
    where relkind = 'r'
  union all
    select relname, 2, concat('  ', conname, ' ', pg_get_constraintdef(k.oid))
    from entities e join pg_constraint k on conrelid = e.oid and contype <> 'n'
  union all
    select relname, 3, '  ' || regexp_replace(pg_get_indexdef(indexrelid), ' ON public.\\S+', '')
    from entities e join pg_index on indrelid = e.oid
    where not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')
  union all
    select relname, 4, '  ' || pg_get_triggerdef(t.oid)
    from entities e join pg_trigger t on tgrelid = e.oid and not tgisinternal
  union all
    select relname, 5, '  comment ' || description from entities e join pg_description on objoid = e.oid
  union all
    select proname, 6, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  union all
    select typname, 6, 'type ' || typname from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r')
  union all
    select extname, 6, 'extension ' || extname from pg_extension where extname <> 'plpgsql'
  )
  select line from lines order by entity collate "C", part, line collate "C"`;

/** `vitest run -u schema` writes the file again after a migration. */
it('a migrated database has the schema of migrations/schema.txt', async () => {
  const client = new pg.Client({ ...inject('postgres'), database: inject('template') });
  await client.connect();
  const { rows } = await client.query<{ line: string }>(CATALOGUE);
  await client.end();
  const text = rows.map(({ line }) => `${line}\n`).join('');
  await expect(text).toMatchFileSnapshot('../../../migrations/schema.txt');
});
