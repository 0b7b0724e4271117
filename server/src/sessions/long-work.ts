import type { BaseContext } from '../app-context.ts';
import type { Queryable } from '../db/database.ts';
import { changeWork, insertWork, type NewWork, type WorkRow } from '../db/queries/works.ts';
import { AppError } from '../runtime/app-error.ts';

/** Work says so often that it goes on … */
const BEAT_MS = 1_000;
/** … and has stopped with its server when it was silent for so long. */
const SILENT_MS = 20_000;

/** Long work under way, whose caller may leave. */
export interface LongWork {
  /** Aborts when it is canceled. */
  signal: AbortSignal;
  /** Items that are read or scored, and of how many where that was not known before. */
  report(done: number, total?: number): void;
  /** Stores the result with what it tells of. Throws UNAVAILABLE where it was canceled. */
  finish(tx: Queryable, result: WorkRow['result'], now: Date): Promise<void>;
}

/**
 * Does work that goes on when its caller leaves. How far it is and how it ended is in the database, so that any
 * process tells it, and a process that dies leaves a silence and not a wait. Throws what the work throws, and
 * WORK_BEGUN for an id that was used.
 */
export async function doLongWork<T>(
  { db, clock }: Pick<BaseContext, 'db' | 'clock'>,
  work: NewWork,
  run: (under: LongWork) => Promise<T>,
): Promise<T> {
  const { id } = work;
  if (!(await insertWork(db, work, clock.now()))) throw new AppError('WORK_BEGUN');
  const canceled = new AbortController();
  let done = 0;
  let { total } = work;
  const beat = async () => {
    const isThere = await changeWork(db, id, { done, total, aliveAt: clock.now() });
    if (!isThere) canceled.abort(new AppError('UNAVAILABLE'));
  };
  // A beat that the database does not take is followed by the next.
  const beats = setInterval(() => void beat().catch(() => undefined), BEAT_MS);
  try {
    return await run({
      signal: canceled.signal,
      report: (items, of) => {
        done = items;
        total = of ?? total;
      },
      finish: async (tx, result, now) => {
        if (!(await changeWork(tx, id, { done, total, result, endedAt: now }))) {
          throw new AppError('UNAVAILABLE');
        }
      },
    });
  } catch (error) {
    const failure = error instanceof AppError ? error.code : 'INTERNAL';
    // The silence of the work tells where the database does not take it.
    const ended = changeWork(db, id, { done, total, failure, endedAt: clock.now() });
    await ended.catch(() => undefined);
    throw error;
  } finally {
    clearInterval(beats);
  }
}

/** How work stands at a time. */
export function stateOf({ endedAt, aliveAt, failure }: WorkRow, now: Date) {
  if (endedAt !== null) return failure === null ? 'done' : 'failed';
  return now.getTime() - aliveAt.getTime() > SILENT_MS ? 'lost' : 'running';
}
