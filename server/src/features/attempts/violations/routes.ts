import type { BaseContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { countViolationCall } from './count-violation-call.ts';
import { noteViolation } from './note-violation.ts';
import { reportViolation } from './report-violation.ts';

export function violationHandlers(ctx: BaseContext) {
  return {
    async reportViolation({ body, session, request, now }) {
      const report = {
        participantId: body.participantId,
        violationType: body.violationType,
        notes: body.notes ?? null,
        isUnseen: body.unseen === true,
        id: body.id,
        ageMs: body.ageMs ?? 0,
        durationMs: body.durationMs ?? null,
        engine: body.engine ?? null,
        from: request,
      };
      const { isNew, answer } = await reportViolation(ctx, session, report, now);
      return { status: isNew ? 201 : 200, body: answer };
    },
    async countViolation({ params, session, now }) {
      const violationCount = await countViolationCall(ctx, session, params.id, now);
      return { status: 200, body: { violationCount } };
    },
    async noteViolation({ params, body, session, now }) {
      await noteViolation(ctx, session, params.id, body.note, now);
      return { status: 200, body: { id: params.id, note: body.note } };
    },
  } satisfies Handlers;
}
