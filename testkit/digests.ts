import { listTables } from '../server/src/backup/backup-queries.ts';

/** A digest of the rows of each table. */
export async function digests(
  client: Parameters<typeof listTables>[0],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as d
       from "${name}" t`,
    );
    found[name] = rows[0].d;
  }
  return found;
}
