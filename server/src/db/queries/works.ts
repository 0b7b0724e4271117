import { and, desc, eq, isNull, lt } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { works } from '../schema/works.ts';

export type WorkRow = typeof works.$inferSelect;
export type NewWork = Pick<
  WorkRow,
  'id' | 'adminId' | 'kind' | 'name' | 'quizId' | 'questionId' | 'total'
>;

const KEPT_MS = 86_400_000;

/** Whether it is new: an id is used once. Work of the same person from more than a day ago is deleted. */
export async function insertWork(db: Queryable, work: NewWork, now: Date): Promise<boolean> {
  const isOld = lt(works.begunAt, new Date(now.getTime() - KEPT_MS));
  await db.delete(works).where(and(eq(works.adminId, work.adminId), isOld));
  const times = { begunAt: now, aliveAt: now };
  const stored = await db
    .insert(works)
    .values({ ...work, ...times })
    .onConflictDoNothing()
    .returning({ id: works.id });
  return stored.length > 0;
}

/** Changes work that has not ended; false where it was canceled. */
export async function changeWork(
  db: Queryable,
  id: string,
  set: Partial<Pick<WorkRow, 'done' | 'total' | 'aliveAt' | 'endedAt' | 'result' | 'failure'>>,
): Promise<boolean> {
  const changed = await db
    .update(works)
    .set(set)
    .where(and(eq(works.id, id), isNull(works.endedAt)))
    .returning({ id: works.id });
  return changed.length > 0;
}

/** One's own work, the latest first. */
export const listWorksOf = (db: Queryable, adminId: string): Promise<WorkRow[]> =>
  db
    .select()
    .from(works)
    .where(eq(works.adminId, adminId))
    .orderBy(desc(works.begunAt), desc(works.id));

/** Whether it was there and the person's own. */
export async function deleteWork(db: Queryable, adminId: string, id: string): Promise<boolean> {
  const deleted = await db
    .delete(works)
    .where(and(eq(works.id, id), eq(works.adminId, adminId)))
    .returning({ id: works.id });
  return deleted.length > 0;
}
