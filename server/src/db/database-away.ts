import { codeOf } from '../runtime/app-error.ts';

/** The database took longer than the caller waits. Whether it was done is not known. */
export class DatabaseTooSlow extends Error {
  override name = 'DatabaseTooSlow';
}

/** How long callers of a batch wait, and the error that then refuses them. */
export function timeoutOf(ms: number, whatIsLate: string) {
  return { ms, tooSlow: () => new DatabaseTooSlow(whatIsLate) };
}

/**
 * SQLSTATE classes (40: serialization and deadlock; 25006: a server that has become a standby) and
 * system errors that mean: try again.
 */
const AWAY =
  /^(08|40|53|57|55P03|25P03|25006)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const AWAY_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|has encountered a connection error/;

/** Lock timeout and deadlock. */
const HELD = /^(55P03|40P01)$/;

/** Whether an error means that the database is away or busy. */
export function isDatabaseAway(error: unknown): boolean {
  return chainOf(error).some(
    (e) => e instanceof DatabaseTooSlow || AWAY.test(codeOf(e)) || AWAY_MESSAGES.test(e.message),
  );
}

/** Whether a statement failed because another transaction held a lock that it needed. */
export function isHeld(error: unknown): boolean {
  return chainOf(error).some((e) => HELD.test(codeOf(e)));
}

/** Another transaction changed what this one had read, before it was locked. */
export class ChangedConcurrently extends Error {}

/** Deadlock, serialization failure, and a unique value that another transaction has stored. */
const CONFLICT = /^(40P01|40001|23505)$/;

/**
 * Whether a transaction lost against another one and may be tried again, which then finds what that has
 * stored.
 */
export function isConflict(error: unknown): boolean {
  return chainOf(error).some((e) => e instanceof ChangedConcurrently || CONFLICT.test(codeOf(e)));
}

/** An error and its causes: Drizzle wraps the driver's error. */
function chainOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : [];
}
