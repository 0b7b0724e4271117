import type { Reach } from '@invigil/core/domain/rights';
import { count, eq, sql } from 'drizzle-orm';
import { onlyRow, type Queryable, type Tx } from '../database.ts';
import { categories, quizzes } from '../schema/assessments.ts';
import { categoryWithin } from './places.ts';

export type CategoryRow = typeof categories.$inferSelect;

export function listCategories(db: Queryable, reach: Reach = 'all'): Promise<CategoryRow[]> {
  return db
    .select()
    .from(categories)
    .where(categoryWithin(reach))
    .orderBy(sql`${categories.name} collate "und-x-icu"`, categories.id);
}

export async function insertCategory(db: Queryable, row: CategoryRow): Promise<CategoryRow> {
  return onlyRow(await db.insert(categories).values(row).returning());
}

/** Locks the category against deletion while a quiz is put into it. */
export async function lockCategory(tx: Tx, id: string): Promise<CategoryRow | undefined> {
  const [row] = await tx.select().from(categories).where(eq(categories.id, id)).for('update');
  return row;
}

export async function updateCategory(
  db: Queryable,
  id: string,
  set: Pick<CategoryRow, 'name' | 'description'>,
): Promise<CategoryRow | undefined> {
  const [row] = await db.update(categories).set(set).where(eq(categories.id, id)).returning();
  return row;
}

/** Assessments in a category, archived ones too: their results stay reportable under it. */
export async function countQuizzesInCategory(
  tx: Tx,
  id: string,
): Promise<{ all: number; archived: number }> {
  return onlyRow(
    await tx
      .select({ all: count(), archived: count(quizzes.archivedAt) })
      .from(quizzes)
      .where(eq(quizzes.categoryId, id)),
  );
}

export async function deleteCategory(tx: Tx, id: string): Promise<void> {
  await tx.delete(categories).where(eq(categories.id, id));
}
