import type { AppContext } from '../app-context.ts';
import { inTransaction } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { violationCount } from '../features/participants/present.ts';
import {
  addReviewFlag,
  findParticipant,
  lockParticipant,
} from '../features/participants/queries.ts';
import { insertViolation } from '../features/violations/queries.ts';
import { listSilent, noteSilence } from './monitor-queries.ts';

type Ctx = Pick<AppContext, 'db'>;

/**
 * Answers arrive and the page's monitor says nothing: whoever cut it out, or a page that is broken,
 * leaves a flag for a person to judge; one for each silence, and never a dismissal (product 6).
 */
export async function flagSilentMonitors(ctx: Ctx, now: Date): Promise<void> {
  await noteSilence(ctx.db, now);
  for (const id of await listSilent(ctx.db, now)) await flag(ctx, id, now);
}

function flag(ctx: Ctx, participantId: string, now: Date): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    await lockParticipant(tx, participantId);
    const attempt = await findParticipant(tx, participantId);
    // It may have ended, or its monitor may be back, since it was listed.
    if (attempt?.status !== 'in_progress' || attempt.silentSince === null) return;
    const { status } = attempt;
    const id = newId();
    const answer = { id, counted: false, violationCount: violationCount(attempt), status };
    await insertViolation(tx, {
      id,
      participantId,
      type: 'monitor_silent',
      at: attempt.silentSince,
      receivedAt: now,
      counted: false,
      durationMs: null,
      notes: null,
      engine: null,
      candidateNote: null,
      answer: { ...answer, remaining: null },
    });
    await addReviewFlag(tx, participantId);
  });
}
