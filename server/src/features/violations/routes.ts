import type { AppContext } from '../../app-context.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { countViolationCall, reportViolation } from './report-violation.ts';

export function violationHandlers(ctx: AppContext) {
  return {
    async reportViolation({ body, session, now }) {
      const report = {
        participantId: body.participantId,
        violationType: body.violationType,
        notes: body.notes ?? null,
        id: body.id,
        ageMs: body.ageMs ?? 0,
        durationMs: body.durationMs ?? null,
      };
      const { isNew, answer } = await reportViolation(ctx, session, report, now);
      return { status: isNew ? 201 : 200, body: answer };
    },
    async countViolation({ params, session, now }) {
      const violationCount = await countViolationCall(ctx, session, params.id, now);
      return { status: 200, body: { violationCount } };
    },
  } satisfies Handlers;
}
