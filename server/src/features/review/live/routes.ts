import type { Readable } from 'node:stream';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type { applyToMany as endpoint } from '@invigil/core/contract/review/live';
import type { AttemptContext, BaseContext, LiveContext } from '../../../app-context.ts';
import type { AdminSession } from '../../../db/queries/sessions.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { openAdminStream } from '../../attempt-news/admin-stream.ts';
import { sendMessageOnce } from '../../attempts/messages/send-message.ts';
import { endParticipant, extendParticipant } from '../actions/manage-participant.ts';
import { countWriting } from './board-queries.ts';
import { watchParticipant } from './watch-participant.ts';

export function liveHandlers(ctx: AttemptContext & LiveContext) {
  return {
    async streamLive({ session }) {
      return { status: 200, body: streamLive(ctx, session) };
    },
    async getLiveCount() {
      return { status: 200, body: { writing: await countWriting(ctx.db) } };
    },
    async watchParticipant({ params, session, now }) {
      const body = await watchParticipant(ctx, session, params.id, now);
      return { status: 200, body };
    },
    async applyToMany({ body, session }) {
      return { status: 200, body: await applyToMany(ctx, session.adminId, body) };
    },
  } satisfies Handlers;
}

/** Back-pressure: a reader with more unread than this is sent nothing, and then a whole frame. */
const MAX_UNREAD_BYTES = 1_000_000;

/** The live board for one administrator. */
function streamLive(ctx: LiveContext, session: AdminSession): Readable {
  const stream = openAdminStream(ctx, session, 'live', () => unsubscribe());
  const unsubscribe = ctx.liveBoard.subscribe((frame) => {
    if (stream.unreadBytes > MAX_UNREAD_BYTES) return false;
    stream.sendJson('board', frame);
    return true;
  });
  return stream.body;
}

type Body = ParsedBodyOf<typeof endpoint>;

/** The outcome per attempt; a refusal is reported and does not hold up the others. */
interface Done {
  done: string[];
  refused: { id: string; code: string; message: string }[];
}

/**
 * Applies one action to many attempts, one after another, each in its own transaction. A failure
 * midway fails the call; sending it again with the same id (an idempotency key) applies it to the
 * remaining attempts and reports all of them as done.
 */
async function applyToMany(
  ctx: BaseContext,
  adminId: string,
  { id: actionId, ids, action, reason = '' }: Body,
): Promise<Done> {
  const result: Done = { done: [], refused: [] };
  for (const id of new Set(ids)) {
    // Read per attempt: the last of many also gets its ten seconds before an end.
    const now = ctx.clock.now();
    try {
      await applyTo(ctx, id, action, { id: actionId, adminId, reason, now });
      result.done.push(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      result.refused.push({ id, code: error.code, message: error.message });
    }
  }
  return result;
}

async function applyTo(
  ctx: BaseContext,
  id: string,
  action: Body['action'],
  by: { id: string; adminId: string; reason: string; now: Date },
): Promise<void> {
  switch (action.kind) {
    case 'message':
      await sendMessageOnce(ctx, id, action.text, by);
      return;
    case 'extend':
      return extendParticipant(ctx, id, action.minutes, by);
    case 'end':
      return endParticipant(ctx, id, by);
  }
}
