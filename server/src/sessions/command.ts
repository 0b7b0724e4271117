import { isDeepStrictEqual } from 'node:util';
import { type Grant, OWNER } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import type { AfterCommit, Database, Tx } from '../db/database.ts';
import { isConflict } from '../db/database-away.ts';
import { findLastChange, insertAudits } from '../db/queries/audit.ts';
import { inTrial } from '../db/transaction.ts';
import { AppError } from '../runtime/app-error.ts';
import { type Admitted, requireSame } from './guards.ts';
import type { RequireActing } from './session-reader.ts';

/** An administrator who acts, and what they were admitted to. */
export interface Administrator extends Pick<Admitted, 'reach' | 'sees'> {
  kind: 'admin';
  id: string;
  grants: readonly Grant[];
  /** When the password was last confirmed; `null`: not recorded. */
  passwordAt: Date | null;
}

/** The installation itself: a job, or a command of its operator. */
export const SYSTEM = { kind: 'system', id: null } as const;

export type Actor = Administrator | typeof SYSTEM;

/** An owner who acts outside of a request: in the demonstration, or before there is a session. */
export const ownerOf = (id: string): Administrator => ({
  ...{ kind: 'admin', id, grants: OWNER, passwordAt: null, reach: 'all', sees: 'all' },
});

export type AuditSubject = readonly [type: string, id: string];

interface AuditedSubject {
  id: string | null;
  details?: Record<string, unknown> | undefined;
}

/** The only way to a transaction in which an administrator changes something. */
export interface Write<Action extends string, By extends Actor = Administrator> {
  tx: Tx;
  actor: By;
  now: Date;
  /**
   * Stores who did what to whom, by which the change is kept: without an entry all of it is rolled back, as a
   * dry run is. Details are ids and numbers only, no names or addresses (product 9).
   *
   * Throws NOT_SIGNED_IN or FORBIDDEN where the session has ended or lost a permission since: the change
   * waited for a lock, read a file or is the last of a thousand.
   */
  record: (
    action: Action,
    subject?: AuditSubject | null,
    details?: Record<string, unknown>,
  ) => Promise<void>;
  /** The same action on many subjects. */
  recordAll: (
    action: Action,
    type: string | null,
    subjects: readonly AuditedSubject[],
  ) => Promise<void>;
  /**
   * Refuses to replace what someone else has changed since the caller read it as `before`. Throws STALE.
   *
   * @param next is stored already where the request is repeated, or both want the same: nothing is lost
   */
  requireRead(stored: unknown, next?: unknown): void;
  /** The same of the fields that `before` has, at any depth: a change of others stands beside this one. */
  requireReadPart(stored: unknown, next?: unknown): void;
  afterCommit: AfterCommit;
}

/**
 * Does a change: in one transaction with its entry in the audit log, by someone who is still there and still
 * allowed. What loses against another transaction (a deadlock, a unique value that it has stored) is tried
 * again: `work` must do the same each time, and refuses by its own checks what is taken by then.
 */
export type Command<Action extends string, By extends Actor = Administrator> = <T>(
  work: (write: Write<Action, By>) => Promise<T>,
  /** When it is done, if not at the time of the request. */
  at?: Date,
) => Promise<T>;

interface Request<By extends Actor> {
  actor: By;
  now: Date;
  /** Asks again whether the actor may still act. Throws NOT_SIGNED_IN, FORBIDDEN. */
  requireActing?: RequireActing;
  /** The state that the caller read before the change; absent: the change replaces whatever is stored. */
  before?: unknown;
  /** The entries that record a change of the same object: they name who made what is STALE. */
  changes?: { actions: readonly string[]; id: string | null };
}

/** The fields of a value that another one names. */
function partOf(value: unknown, named: unknown): unknown {
  if (!isFields(value) || !isFields(named)) return value;
  return Object.fromEntries(Object.keys(named).map((key) => [key, partOf(value[key], named[key])]));
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Times a change is tried again that lost against another one. */
const RETRIES = 3;

/** The command of one request. Throws what its work throws, after a rollback. */
export function commandOf<By extends Actor>(
  db: Database,
  { actor, now, requireActing, before, changes }: Request<By>,
): Command<string, By> {
  return async (work, at = now) => {
    for (let left = RETRIES; ; left -= 1) {
      try {
        return await once(work, at);
      } catch (error) {
        if (error instanceof AppError && error.code === 'STALE') throw await saidBy(error);
        if (left === 0 || !isConflict(error)) throw error;
      }
    }
  };

  /** A refusal with who changed what is stored, as far as the log knows. */
  async function saidBy(error: AppError): Promise<AppError> {
    const last = changes && (await findLastChange(db, changes));
    if (!last || last.adminId === actor.id) return error;
    const by = isolated(last.name || last.email);
    const message = t(
      /* {by} is the name or address of an administrator */ 'server.stale.by',
      '{by} has changed this. Reload it to see their version',
      { by },
    );
    return new AppError('STALE', { message, details: { ...error.details, by } });
  }

  function once<T>(work: (write: Write<string, By>) => Promise<T>, at: Date): Promise<T> {
    let entries = 0;
    let isCompared = before === undefined;
    const change = (tx: Tx, afterCommit: AfterCommit) => {
      const recordAll: Write<string, By>['recordAll'] = async (action, type, subjects) => {
        await requireActing?.(tx, at);
        await insertAudits(tx, at, actor.id, action, type, subjects);
        entries += subjects.length;
      };
      const requireRead: Write<string, By>['requireRead'] = (stored, next) => {
        isCompared = true;
        if (!isDeepStrictEqual(next, stored)) requireSame(before, stored);
      };
      return work({
        ...{ tx, actor, now: at, afterCommit, recordAll, requireRead },
        record: (action, subject, details) =>
          recordAll(action, subject?.[0] ?? null, [{ id: subject?.[1] ?? null, details }]),
        requireReadPart: (stored, next) =>
          requireRead(partOf(stored, before), partOf(next, before)),
      });
    };
    return inTrial(db, change, () => {
      if (entries > 0 && !isCompared) throw new Error('what was read before was not compared');
      return entries > 0;
    });
  }
}
