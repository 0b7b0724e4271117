import type { AppContext } from '../../app-context.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { auditReport } from './audit-report.ts';
import { presentAuditEntry } from './present.ts';
import { countAudit, pageAudit } from './queries.ts';

export function auditHandlers(ctx: AppContext) {
  return {
    async listAudit({ query }) {
      const rows = await pageAudit(ctx.db, query.search, query.limit, query.offset);
      return {
        status: 200,
        body: rows.map(presentAuditEntry),
        headers: { 'x-total-count': String(await countAudit(ctx.db, query.search)) },
      };
    },
    async exportAudit({ query }) {
      return {
        status: 200,
        body: auditReport(ctx.db, query.search),
        headers: { 'content-disposition': 'attachment; filename="audit_log.csv"' },
      };
    },
  } satisfies Handlers;
}
