import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { findQuiz } from '../quizzes/queries.ts';
import { participantsReport, reportFilename } from './participants-report.ts';

export function reportHandlers(ctx: AppContext) {
  return {
    async exportParticipants({ query, now }) {
      const quizId = query.quizId && query.quizId !== 'all' ? query.quizId : undefined;
      if (quizId !== undefined && !(await findQuiz(ctx.db, quizId))) throw new AppError('NOT_FOUND');
      const filename = reportFilename(quizId, now, ctx.config.timeZone);
      return {
        status: 200,
        body: participantsReport(ctx.db, quizId, now),
        headers: { 'content-disposition': `attachment; filename="${filename}"` },
      };
    },
  } satisfies Handlers;
}
