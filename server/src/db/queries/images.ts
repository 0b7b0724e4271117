import { asc, eq, gt } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { images } from '../schema/assessments.ts';

export type ImageRow = typeof images.$inferSelect;

export async function findImage(db: Queryable, hash: string): Promise<ImageRow | undefined> {
  const [row] = await db.select().from(images).where(eq(images.hash, hash));
  return row;
}

/** Does nothing if there is one with this hash: it is the same image. */
export async function insertImage(db: Queryable, row: ImageRow): Promise<void> {
  await db.insert(images).values(row).onConflictDoNothing();
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
