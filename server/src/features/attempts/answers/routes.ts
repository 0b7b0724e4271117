import type { AttemptContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { listAnswersFor, listLateAnswersOf } from './list-answers-for.ts';
import { saveAnswers } from './save-answers.ts';

export function answerHandlers(ctx: AttemptContext) {
  return {
    async saveAnswers({ params, body, session, now }) {
      const saved = await saveAnswers(ctx, session, params.id, body.answers, now);
      if (body.monitor !== undefined) {
        noteMonitor(ctx, { participantId: params.id, sessionId: session.id, now });
      }
      return { status: 200, body: saved };
    },
    async listAnswers({ params, session, now }) {
      return { status: 200, body: await listAnswersFor(ctx, session, params.id, now) };
    },
    async listLateAnswers({ params }) {
      return { status: 200, body: await listLateAnswersOf(ctx, params.id) };
    },
  } satisfies Handlers;
}

/**
 * Records that a save carried a monitor report. Not awaited: the answers are stored already, and a
 * failure here would make the browser send them again. The next heartbeat repeats what is lost.
 */
function noteMonitor(
  ctx: Pick<AttemptContext, 'heartbeats' | 'log'>,
  save: { participantId: string; sessionId: string; now: Date },
): void {
  ctx.heartbeats.record({ ...save, isMonitored: true }).catch((err: unknown) => {
    ctx.log.warn({ err, participant: save.participantId }, 'a monitor report was not recorded');
  });
}
