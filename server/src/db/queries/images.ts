import { arrayOverlaps, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { images } from '../schema/assessments.ts';

export type ImageRow = typeof images.$inferSelect;

export async function findImage(db: Queryable, hash: string): Promise<ImageRow | undefined> {
  const [row] = await db.select().from(images).where(eq(images.hash, hash));
  return row;
}

/** One with this hash is the same image, and only gets to know another file that it came from. */
export async function insertImage(db: Queryable, row: ImageRow): Promise<void> {
  await db
    .insert(images)
    .values(row)
    .onConflictDoUpdate({
      target: images.hash,
      set: {
        sources: sql`array(select distinct unnest(${images.sources} || excluded.sources))`,
      },
    });
}

export function listImagesByHash(db: Queryable, hashes: readonly string[]): Promise<ImageRow[]> {
  if (hashes.length === 0) return Promise.resolve([]);
  return db
    .select()
    .from(images)
    .where(inArray(images.hash, [...hashes]));
}

/** Where images of files that were uploaded before are stored, by the hash of the file. */
export async function listImagesBySource(
  db: Queryable,
  sources: readonly string[],
): Promise<Map<string, string>> {
  if (sources.length === 0) return new Map();
  const rows = await db
    .select({ hash: images.hash, sources: images.sources })
    .from(images)
    .where(arrayOverlaps(images.sources, [...sources]));
  return new Map(rows.flatMap(({ hash, sources: all }) => all.map((source) => [source, hash])));
}

/** By hash, from the one after `after`. */
export function listImages(db: Queryable, after: string, most: number): Promise<ImageRow[]> {
  return db
    .select()
    .from(images)
    .where(gt(images.hash, after))
    .orderBy(asc(images.hash))
    .limit(most);
}
