import type { Category } from '@invigil/core/contract/assessments/categories';
import { t } from '@invigil/core/texts/i18n';
import type { BaseContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import {
  type CategoryRow,
  countQuizzesInCategory,
  deleteCategory,
  insertCategory,
  listCategories,
  lockCategory,
  updateCategory,
} from '../../db/queries/categories.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { Write } from '../../sessions/command.ts';
import { keepingRulesMet } from './structure.ts';

export function categoryHandlers(ctx: BaseContext) {
  return {
    async listCategories({ reach }) {
      return (await listCategories(ctx.db, reach)).map(presentCategory);
    },
    async createCategory({ body, command }) {
      return presentCategory(await command((write) => makeCategory(write, inputOf(body))));
    },
    updateCategory: ({ params: { id }, body, command }) =>
      command(async ({ tx, record, requireRead }) => {
        const stored = await lockCategory(tx, id);
        if (stored) requireRead({ name: stored.name, description: stored.description });
        const row = await updateCategory(tx, id, inputOf(body));
        if (!row) throw new AppError('NOT_FOUND');
        await record('category.edited', ['category', id]);
        return presentCategory(row);
      }),
    deleteCategory: ({ params, command }) => command((write) => removeCategory(write, params.id)),
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

export async function makeCategory(
  { tx, now, record }: Write<'category.created'>,
  input: CategoryInput,
): Promise<CategoryRow> {
  const row = await insertCategory(tx, { id: newId(), ...input, createdAt: now });
  await record('category.created', ['category', row.id]);
  return row;
}

/**
 * Deletes a category that nothing uses; throws NOT_FOUND, RULES_UNMET, or CATEGORY_IN_USE with the
 * count.
 */
async function removeCategory(
  { tx, actor, record }: Write<'category.deleted'>,
  id: string,
): Promise<void> {
  const remove = async () => {
    if (!(await lockCategory(tx, id))) throw new AppError('NOT_FOUND');
    const { all, archived } = await countQuizzesInCategory(tx, id);
    if (all > 0) {
      throw new AppError('CATEGORY_IN_USE', {
        message: inUseText(all, archived),
        details: { count: all, archived },
      });
    }
    await deleteCategory(tx, id);
    await record('category.deleted', ['category', id]);
  };
  await keepingRulesMet(tx, { categoryId: id }, actor.reach, remove);
}

/** Deleted assessments are in no list, but their results stay reportable under the category. */
const inUseText = (all: number, deleted: number): string =>
  deleted > 0
    ? t(
        /* {all} counts all assessments, {deleted} those of them that were deleted */ 'server.category.inUseByDeleted',
        '{all, plural, one {This category has # assessment ({deleted} deleted) and cannot be deleted} other {This category has # assessments ({deleted} deleted) and cannot be deleted}}',
        { all, deleted },
      )
    : t(
        'server.category.inUse',
        '{all, plural, one {This category has # assessment and cannot be deleted} other {This category has # assessments and cannot be deleted}}',
        { all },
      );

/** A missing category is reported as a problem of the field, not of the requested URL. */
export async function requireCategory(tx: Tx, categoryId: string): Promise<void> {
  if (await lockCategory(tx, categoryId)) return;
  const message = t('server.category.gone', 'This category no longer exists');
  throw new AppError('NOT_FOUND', { message, issues: [{ path: 'categoryId', message }] });
}
