import { sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../../db/database.ts';

/** The database's version and size, as it reports them. */
export async function readDatabaseFacts(
  db: Queryable,
): Promise<{ version: string; sizeBytes: number }> {
  const { rows } = await db.execute<{ version: string; size: string }>(sql`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::text as size`);
  const row = onlyRow(rows);
  return { version: row.version, sizeBytes: Number(row.size) };
}
