import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

const TIMEOUT_MS = 4_000;
/**
 * Some browsers never open a database and report no error (private windows, a hung profile). Others
 * only need longer the first time: on a slow disk, or while everything else of the page loads.
 */
const OPENING_TIMEOUT_MS = 10_000;
/**
 * Grace time: on a busy page the timer may fire before a reply that is already queued, which is processed
 * first.
 */
const LAST_MOMENT_MS = 100;

/**
 * Opens a database of this browser, and creates its stores with `create`.
 *
 * @throws when this browser has no usable IndexedDB: private windows of some browsers, blocked
 * storage, a full disk
 */
export async function openDatabase<S extends DBSchema>(
  name: string,
  create: (database: IDBPDatabase<S>) => void,
): Promise<IDBPDatabase<S>> {
  const opening = openDB<S>(name, 1, {
    upgrade: create,
    // Do not block a tab with a later version.
    blocking: (_current, _blocked, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
    },
  });
  return withTimeout(opening, `opening ${name}`, OPENING_TIMEOUT_MS);
}

/** Rejects if the work takes longer than `ms` milliseconds: storage may never respond. */
export function withTimeout<T>(work: Promise<T>, what: string, ms = TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error(`${what} took too long`));
    timer = setTimeout(() => {
      timer = setTimeout(giveUp, LAST_MOMENT_MS);
    }, ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
