import { isDeepStrictEqual } from 'node:util';
import type { BaseContext } from '../../app-context.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import {
  listDated,
  listMessages,
  lockMessages,
  type OutboxRow,
  setParams,
} from '../../db/queries/outbox.ts';
import { withTimesOf } from '../../db/queries/schedules.ts';
import { invitation } from '../../deliveries/mails/invitation.ts';
import { reminder } from '../../deliveries/mails/reminder.ts';
import { MESSAGES } from '../../trust/row-kinds.ts';
import { changeSealed } from '../../trust/sealed-kinds.ts';
import { timeParams } from './invite/send-codes.ts';

/** Kinds of mail that say the times of their reader. */
const DATED = [invitation.kind, reminder.kind];

/**
 * The parameters of messages with the times that their readers have at this moment, where they are others: a rule,
 * a group, the assessment or times for one person may have changed since they were queued. Someone who has begun
 * was told how long the attempt has, which no change moves.
 */
async function listOutdated(db: Queryable, rows: readonly Pick<OutboxRow, 'id'>[], now: Date) {
  const ids = rows.map(({ id }) => id);
  return (await listDated(db, ids, DATED)).flatMap(({ id, variables, ...of }) => {
    const quiz = withTimesOf(of.quiz, of.times);
    const { durationMinutes, isCutAtEnd, ...dates } = timeParams(
      ...([quiz, of.extraTimeFactor, of.createdAt, now] as const),
    );
    const times = of.hasAttempt
      ? // Where a later attempt may begin, a code works at any age.
        { ...dates, ...(quiz.endDate === null ? { codeUntil: null } : {}) }
      : { ...dates, durationMinutes, isCutAtEnd };
    const known = variables as object;
    // A reminder says nothing of a code, and earlier messages nothing of a latest start.
    const own = Object.entries(times).filter(
      ([name, value]) => name in known || (name === 'startBy' && value !== null),
    );
    const next = { ...known, ...Object.fromEntries(own) };
    return isDeepStrictEqual(next, variables) ? [] : [{ id, variables: next }];
  });
}

/** Messages that are about to be sent, with the times of their readers at this moment, which are stored. */
export async function storeCurrentTimes(
  tx: Tx,
  { keys }: Pick<BaseContext, 'keys'>,
  rows: readonly OutboxRow[],
  now: Date,
): Promise<readonly OutboxRow[]> {
  if ((await listOutdated(tx, rows, now)).length === 0) return rows;
  const ids = rows.map(({ id }) => id);
  await lockMessages(tx, ids);
  const changed = await listOutdated(tx, rows, now);
  await changeSealed(
    ...([tx, keys.integrity, MESSAGES, changed.map(({ id }) => id)] as const),
    () => setParams(tx, changed),
  );
  const stored = new Map((await listMessages(tx, ids)).map((row) => [row.id, row]));
  return rows.map((row) => stored.get(row.id) ?? row);
}

/** A message that waits, as it would be sent at this moment. */
export async function withCurrentTimes(
  { db }: Pick<BaseContext, 'db'>,
  row: OutboxRow,
  now: Date,
): Promise<OutboxRow> {
  const [outdated] = await listOutdated(db, [row], now);
  return { ...row, ...outdated };
}
