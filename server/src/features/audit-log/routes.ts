import type { BaseContext } from '../../app-context.ts';
import { pageAudit } from '../../db/queries/audit.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { downloadHeaders } from '../../http/table-stream.ts';
import { recordAudit } from '../../sessions/record-audit.ts';
import { auditReport } from './audit-report.ts';
import { presentAudit } from './present.ts';
import { readSubjectNames } from './subject-queries.ts';

export function auditHandlers(ctx: BaseContext) {
  return {
    async listAudit({ query }) {
      const { rows, total } = await pageAudit(ctx.db, query.search, query);
      return {
        status: 200,
        body: await presentAudit(ctx, rows, await readSubjectNames(ctx.db, rows)),
        headers: { 'x-total-count': String(total) },
      };
    },
    async exportAudit({ query, session, now }) {
      const { adminId } = session;
      await recordAudit(ctx.db, { adminId, action: 'audit.exported', at: now });
      return {
        status: 200,
        body: auditReport(ctx, query.search, {
          format: query.format,
          timeZone: ctx.config.timeZone,
        }),
        headers: downloadHeaders('audit_log', query.format),
      };
    },
  } satisfies Handlers;
}
