import type { ParsedBodyOf } from '@invigil/core/contract/endpoint';
import type { applyToMany as endpoint } from '@invigil/core/contract/live';
import type { AppContext } from '../../../app-context.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { sendMessageOnce } from '../../attempts/messages/send-message.ts';
import { endParticipant, extendParticipant } from '../actions/manage-participant.ts';

type Body = ParsedBodyOf<typeof endpoint>;

/** What became of each; who could not be reached is named, and does not hold up the others. */
export interface Done {
  done: string[];
  refused: { id: string; code: string; message: string }[];
}

/**
 * The same action for many attempts, one after the other, each in a transaction of its own. A failure
 * in the middle of it fails the call; the same action (the same id) sent again is done to those that
 * have not had it, and tells all of them as done.
 */
export async function applyToMany(
  ctx: AppContext,
  adminId: string,
  { id: actionId, ids, action, reason = '' }: Body,
): Promise<Done> {
  const result: Done = { done: [], refused: [] };
  for (const id of new Set(ids)) {
    // Of each its own: whoever is the last of many has ten seconds too before an end.
    const now = ctx.clock.now();
    try {
      await doTo(ctx, id, action, { id: actionId, adminId, reason, now });
      result.done.push(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      result.refused.push({ id, code: error.code, message: error.message });
    }
  }
  return result;
}

async function doTo(
  ctx: AppContext,
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
