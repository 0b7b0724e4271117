import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { openParticipantsReport, reportFilename } from './participants-report.ts';

export function reportHandlers(ctx: AppContext) {
  return {
    async exportParticipants({ query, now }) {
      const { status, search, review } = query;
      const quizId = query.quizId && query.quizId !== 'all' ? query.quizId : undefined;
      const filter = { quizId, status, search, review };
      const filename = reportFilename(quizId, now, ctx.config.timeZone);
      return {
        status: 200,
        body: await openParticipantsReport(ctx, filter, query.questions === 'true', now),
        headers: { 'content-disposition': `attachment; filename="${filename}"` },
      };
    },
  } satisfies Handlers;
}
