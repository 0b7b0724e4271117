import type { BaseContext } from '../../../app-context.ts';
import { findQuiz } from '../../../db/queries/quizzes.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { changeStructure, checkStructure, readStructure } from './structure.ts';

export function structureHandlers(ctx: BaseContext) {
  return {
    async getStructure({ params }) {
      return { status: 200, body: await readStructure(ctx, params.id) };
    },
    async checkStructure({ params, body }) {
      const quiz = await findQuiz(ctx.db, params.id);
      if (!quiz || quiz.archivedAt !== null) throw new AppError('NOT_FOUND');
      return { status: 200, body: await checkStructure(ctx.db, quiz.id, body.structure) };
    },
    async setStructure({ params, body, session, now }) {
      return {
        status: 200,
        body: await changeStructure(ctx, session.adminId, params.id, body, now),
      };
    },
  } satisfies Handlers;
}
