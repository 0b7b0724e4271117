import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import type { FileContext, LiveContext } from '../../../app-context.ts';
import { findParticipant } from '../../../db/queries/attempts/attempts.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { Reply } from '../../../runtime/reply.ts';
import { requireReach } from '../../../sessions/guards.ts';
import { isOwnCurrent } from '../own-attempt.ts';
import { policyFor } from '../present.ts';
import { parseStill } from './parse-still.ts';
import { readEvidence } from './read-evidence.ts';
import { storeEvidence } from './store-evidence.ts';

export function evidenceHandlers(ctx: LiveContext & FileContext) {
  return {
    async uploadEvidence({ params, body, session, now }) {
      return new Reply((await storeEvidence(ctx, session, params.id, body, now)) ? 201 : 200, {
        id: body.id,
      });
    },
    /** Takes a picture for the administrators who watch; held in memory only, until the next one arrives. */
    async sendThumbnail({ params, body, session, now }) {
      const jpeg = parseStill(body.jpeg, 'jpeg', EVIDENCE_LIMITS.thumbnailMaxBytes);
      const attempt = await findParticipant(ctx.db, params.id);
      if (!isOwnCurrent(session, attempt)) throw new AppError('NOT_FOUND');
      if (attempt.sessionId !== session.id) throw new AppError('SESSION_REPLACED');
      if (!policyFor(attempt).camera) throw new AppError('SENSOR_OFF');
      if (attempt.status !== 'in_progress') return { watched: false };
      return { watched: ctx.thumbnails.show(params.id, jpeg, now) };
    },
    async readEvidence({ query, command, reach }) {
      await requireReach(ctx.db, reach, 'participant', [query.participantId]);
      return await readEvidence(ctx, command, query);
    },
  } satisfies Handlers;
}
