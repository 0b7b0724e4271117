import type { AppContext } from '../../app-context.ts';
import { newId } from '../../db/new-id.ts';
import { type CategoryRow, insertCategory } from './queries.ts';

export function makeCategory(
  ctx: AppContext,
  name: string,
  description: string | null,
  now: Date,
): Promise<CategoryRow> {
  return insertCategory(ctx.db, { id: newId(), name, description, createdAt: now });
}
