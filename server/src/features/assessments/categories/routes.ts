import type { Category } from '@invigil/core/contract/assessments/categories';
import type { BaseContext } from '../../../app-context.ts';
import { type CategoryRow, listCategories } from '../../../db/queries/categories.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { editCategory, makeCategory, removeCategory } from './change-categories.ts';

export function categoryHandlers(ctx: BaseContext) {
  return {
    async listCategories() {
      return { status: 200, body: (await listCategories(ctx.db)).map(presentCategory) };
    },
    async createCategory({ body, session, now }) {
      const row = await makeCategory(ctx, session.adminId, inputOf(body), now);
      return { status: 201, body: presentCategory(row) };
    },
    async updateCategory({ params, body, session, now }) {
      const row = await editCategory(ctx, session.adminId, params.id, inputOf(body), now);
      return { status: 200, body: presentCategory(row) };
    },
    async deleteCategory({ params, session, now }) {
      await removeCategory(ctx, session.adminId, params.id, now);
      return { status: 204 };
    },
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
