import { type AfterCommit, type Database, type Tx, transaction } from './database.ts';

/**
 * Runs `work` in one transaction (read committed) and its after-commit tasks when, and only when,
 * the commit succeeded. Throws what `work` throws, after a rollback.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>,
): Promise<T> {
  const tasks: (() => void)[] = [];
  const result = await transaction(db, (tx) => work(tx, (task) => tasks.push(task)));
  for (const task of tasks) task();
  return result;
}

/**
 * Runs `work` in one transaction, which is rolled back at its end unless its result is to be kept: the result
 * then says exactly what would have happened.
 */
export async function inTrial<T>(
  db: Database,
  work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>,
  isKept: (result: T) => boolean,
): Promise<T> {
  const done: { result: T }[] = [];
  const undo = new Error('the end of a trial');
  try {
    return await inTransaction(db, async (tx, afterCommit) => {
      const result = await work(tx, afterCommit);
      if (isKept(result)) return result;
      done.push({ result });
      throw undo;
    });
  } catch (error) {
    const [only] = done;
    if (error === undo && only) return only.result;
    throw error;
  }
}
