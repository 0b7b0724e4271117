import type { BaseContext } from '../../app-context.ts';
import { deleteWork, listWorksOf } from '../../db/queries/works.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { Reply } from '../../runtime/reply.ts';
import { stateOf } from '../../sessions/long-work.ts';

export function workHandlers({ db }: Pick<BaseContext, 'db'>) {
  return {
    async listWorks({ session: { adminId }, now }) {
      const rows = await listWorksOf(db, adminId);
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        name: row.name,
        quizId: row.quizId,
        questionId: row.questionId,
        begunAt: row.begunAt.toISOString(),
        state: stateOf(row, now),
        done: row.done,
        total: row.total,
        result: row.result,
        failure: row.failure,
      }));
    },
    async forgetWork({ session: { adminId }, params: { id } }) {
      if (!(await deleteWork(db, adminId, id))) throw new AppError('NOT_FOUND');
      return new Reply(204, undefined);
    },
  } satisfies Handlers;
}
