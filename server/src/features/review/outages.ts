import type { LostTime, Outage } from '@invigil/core/contract/review/outages';
import { lostIn } from '@invigil/core/domain/attempt';
import { EXTRA_MINUTES_MAX } from '@invigil/core/domain/limits';
import { userNameOf } from '@invigil/core/domain/people';
import type { BaseContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import { findOutage, listAffected, listOutages, type OutageRow } from '../../db/queries/outages.ts';
import type { CallOf, Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { extendParticipant, replaceParticipant } from './manage-participant.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The time that each attempt lost which can be given it back: those under way, and those whose time ran out. */
async function lostTimes(db: Queryable, outage: OutageRow, now: Date): Promise<LostTime[]> {
  const rows = await listAffected(db, outage, now);
  return rows.flatMap((row) => {
    const hasEnded = row.status !== 'in_progress';
    if (hasEnded && row.submissionType !== 'auto') return [];
    const silence = { from: row.silentFrom, until: row.silentUntil };
    const lostMs = lostIn({ from: outage.beganAt, until: outage.endedAt }, silence, row);
    if (lostMs === 0) return [];
    const minutes = Math.min(EXTRA_MINUTES_MAX, Math.ceil(lostMs / MINUTE_MS));
    const { id: participantId, userEmail, quizTitle } = row;
    return [{ participantId, userEmail, ...userNameOf(row), quizTitle, minutes, hasEnded }];
  });
}

async function readOutages(db: Queryable, now: Date): Promise<Outage[]> {
  const rows = await listOutages(db, new Date(now.getTime() - DAY_MS));
  const all = await Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      beganAt: row.beganAt.toISOString(),
      endedAt: row.endedAt.toISOString(),
      attempts: await lostTimes(db, row, now),
    })),
  );
  return all.filter(({ attempts }) => attempts.length > 0);
}

/**
 * Gives each attempt back what it lost, one after another, each in its own transaction. A failure midway fails the
 * call; sent again it goes on with those that were not reached. Throws NOT_FOUND.
 */
async function grantLostTime(
  ctx: BaseContext,
  { params: { id }, body, command, now }: CallOf<'grantLostTime'>,
) {
  const outage = await findOutage(ctx.db, id);
  if (!outage) throw new AppError('NOT_FOUND');
  const result: { done: string[]; refused: { id: string; code: string; message: string }[] } = {
    done: [],
    refused: [],
  };
  for (const { participantId, minutes, hasEnded } of await lostTimes(ctx.db, outage, now)) {
    // The outage is the idempotency key: no attempt is given more time twice.
    const why = { id, reason: body.reason };
    const how = { how: 'reinstate', minutes } as const;
    try {
      await command((write) =>
        hasEnded
          ? replaceParticipant(ctx, write, participantId, how, why)
          : extendParticipant(ctx, write, participantId, minutes, why),
      );
      result.done.push(participantId);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'NOT_SIGNED_IN') throw error;
      result.refused.push({ id: participantId, code: error.code, message: error.message });
    }
  }
  return result;
}

export function outageHandlers(ctx: BaseContext) {
  return {
    listOutages: ({ now }) => readOutages(ctx.db, now),
    grantLostTime: (call) => grantLostTime(ctx, call),
  } satisfies Handlers;
}
