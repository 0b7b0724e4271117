import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { makeCategory } from './make-category.ts';
import { presentCategory } from './present.ts';
import { listCategories, updateCategory } from './queries.ts';
import { removeCategory } from './remove-category.ts';

export function categoryHandlers(ctx: AppContext) {
  return {
    async listCategories() {
      return { status: 200, body: (await listCategories(ctx.db)).map(presentCategory) };
    },
    async createCategory({ body, now }) {
      const row = await makeCategory(ctx, body.name, body.description || null, now);
      return { status: 201, body: presentCategory(row) };
    },
    async updateCategory({ params, body }) {
      const row = await updateCategory(ctx.db, params.id, {
        name: body.name,
        description: body.description || null,
      });
      if (!row) throw new AppError('NOT_FOUND');
      return { status: 200, body: presentCategory(row) };
    },
    async deleteCategory({ params, session, now }) {
      await removeCategory(ctx, session.adminId, params.id, now);
      return { status: 204 };
    },
  } satisfies Handlers;
}
