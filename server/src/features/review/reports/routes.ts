import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { downloadHeaders } from '../../../http/table-stream.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { openParticipantsReport, reportName } from './participants-report.ts';

export function reportHandlers(ctx: AppContext) {
  return {
    async exportParticipants({ query, session, now }) {
      const { status, search, review } = query;
      const quizId = query.quizId && query.quizId !== 'all' ? query.quizId : undefined;
      const filter = { quizId, status, search, review };
      const { timeZone } = ctx.config;
      const { format } = query;
      const name = reportName(quizId, now, timeZone);
      const withQuestions = query.questions === 'true';
      const body = await openParticipantsReport(ctx, filter, withQuestions, now, {
        format,
        timeZone,
      });
      await recordAudit(ctx.db, {
        adminId: session.adminId,
        action: 'participants.exported',
        ...(quizId === undefined ? {} : { subject: { type: 'quiz', id: quizId } }),
        details: { withQuestions, isFiltered: Boolean(status || search || review) },
        at: now,
      });
      return {
        status: 200,
        body,
        headers: downloadHeaders(name, format),
      };
    },
  } satisfies Handlers;
}
