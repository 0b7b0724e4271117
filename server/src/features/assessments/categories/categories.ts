import type {
  Category,
  updateCategory as updateCategoryEndpoint,
} from '@invigil/core/contract/assessments/categories';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import {
  type CategoryRow,
  countQuizzesInCategory,
  deleteCategory,
  insertCategory,
  listCategories,
  lockCategory,
  updateCategory,
} from '../../../db/queries/categories.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { type Editor, requireSame } from '../../../sessions/guards.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { keepingRulesMet } from '../structure/structure.ts';

export function categoryHandlers(ctx: BaseContext) {
  return {
    async listCategories({ reach }) {
      return (await listCategories(ctx.db, reach)).map(presentCategory);
    },
    async createCategory({ body, session, now }) {
      return presentCategory(await makeCategory(ctx, session.adminId, inputOf(body), now));
    },
    async updateCategory({ params, body, session, now }) {
      return presentCategory(await editCategory(ctx, session.adminId, params.id, body, now));
    },
    deleteCategory: ({ params, session, reach, now }) =>
      removeCategory(ctx, { adminId: session.adminId, reach }, params.id, now),
  } satisfies Handlers;
}

function inputOf(body: { name: string; description?: string | null | undefined }) {
  return { name: body.name, description: body.description || null };
}

function presentCategory(row: CategoryRow): Category {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
  };
}

type CategoryInput = Pick<CategoryRow, 'name' | 'description'>;

export function makeCategory(
  ctx: BaseContext,
  adminId: string,
  input: CategoryInput,
  now: Date,
): Promise<CategoryRow> {
  return inTransaction(ctx.db, async (tx) => {
    const row = await insertCategory(tx, { id: newId(), ...input, createdAt: now });
    await audit(tx, 'category.created', adminId, row.id, now);
    return row;
  });
}

/** Throws NOT_FOUND, STALE. */
function editCategory(
  ctx: BaseContext,
  adminId: string,
  id: string,
  { before, ...body }: ParsedBodyOf<typeof updateCategoryEndpoint>,
  now: Date,
): Promise<CategoryRow> {
  return inTransaction(ctx.db, async (tx) => {
    const stored = await lockCategory(tx, id);
    if (stored) requireSame(before, { name: stored.name, description: stored.description });
    const row = await updateCategory(tx, id, inputOf(body));
    if (!row) throw new AppError('NOT_FOUND');
    await audit(tx, 'category.edited', adminId, id, now);
    return row;
  });
}

/**
 * Deletes a category that nothing uses; throws NOT_FOUND, RULES_UNMET, or CATEGORY_IN_USE with the
 * count.
 */
async function removeCategory(ctx: BaseContext, { adminId, reach }: Editor, id: string, now: Date) {
  const remove = async (tx: Tx) => {
    if (!(await lockCategory(tx, id))) throw new AppError('NOT_FOUND');
    const { all, archived } = await countQuizzesInCategory(tx, id);
    if (all > 0) {
      const noun = all === 1 ? 'assessment' : 'assessments';
      // Deleted assessments are in no list, but their results stay reportable under the category.
      const deleted = archived > 0 ? ` (${archived} deleted)` : '';
      throw new AppError('CATEGORY_IN_USE', {
        message: `This category has ${all} ${noun}${deleted} and cannot be deleted`,
        details: { count: all, archived },
      });
    }
    await deleteCategory(tx, id);
    await audit(tx, 'category.deleted', adminId, id, now);
  };
  await inTransaction(ctx.db, (tx) =>
    keepingRulesMet(tx, { categoryId: id }, reach, () => remove(tx)),
  );
}

function audit(tx: Tx, action: string, adminId: string, id: string, now: Date): Promise<void> {
  return recordAudit(tx, now, adminId, action, ['category', id]);
}

/** A missing category is reported as a problem of the field, not of the requested URL. */
export async function requireCategory(tx: Tx, categoryId: string): Promise<void> {
  if (await lockCategory(tx, categoryId)) return;
  const message = 'This category no longer exists';
  throw new AppError('NOT_FOUND', { message, issues: [{ path: 'categoryId', message }] });
}
