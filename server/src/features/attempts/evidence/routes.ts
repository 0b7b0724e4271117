import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import type { FileContext, LiveContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { parseStill } from './parse-still.ts';
import { readEvidence } from './read-evidence.ts';
import { showThumbnail } from './show-thumbnail.ts';
import { storeEvidence } from './store-evidence.ts';

export function evidenceHandlers(ctx: LiveContext & FileContext) {
  return {
    async uploadEvidence({ params, body, session, now }) {
      const isNew = await storeEvidence(ctx, session, params.id, body, now);
      return { status: isNew ? 201 : 200, body: { id: body.id } };
    },
    async sendThumbnail({ params, body, session, now }) {
      const jpeg = parseStill(body.jpeg, 'jpeg', EVIDENCE_LIMITS.thumbnailMaxBytes);
      return { status: 200, body: await showThumbnail(ctx, session, params.id, jpeg, now) };
    },
    async readEvidence({ query, session, now }) {
      return { status: 200, body: await readEvidence(ctx, session.adminId, query, now) };
    },
  } satisfies Handlers;
}
