import { isDeepStrictEqual } from 'node:util';
import { Id, type NeededPermission, partsOf } from '@invigil/core/contract/definition/endpoint';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import {
  DATA_CLASSES,
  type DataClass,
  type Grant,
  includes,
  isNowhere,
  isOwner,
  isWithin,
  may,
  NOWHERE,
  type Place,
  type Placed,
  type Reach,
  reachOf,
  reachOfClass,
  union,
} from '@invigil/core/domain/rights';
import type { Queryable } from '../db/database.ts';
import { listPlaces } from '../db/queries/places.ts';
import { findQuiz, type QuizView } from '../db/queries/quizzes.ts';
import type { AdminSession } from '../db/queries/sessions.ts';
import { findSessionEnd } from '../db/queries/sessions.ts';
import { AppError } from '../runtime/app-error.ts';

/**
 * Checks a session again after a request has waited for a lock: it may have ended since, and after an
 * erasure nothing more may be written about the person.
 *
 * Throws NOT_SIGNED_IN, SESSION_REPLACED.
 */
export async function requireLive(db: Queryable, sessionId: string, now: Date): Promise<void> {
  const end = await findSessionEnd(db, sessionId, now);
  if (end !== null) throw new AppError(end === 'signed_out' ? 'NOT_SIGNED_IN' : 'SESSION_REPLACED');
}

/**
 * Refuses a sensitive action (product 11) when the password was confirmed too long ago, so that an open
 * page or a stolen session does not suffice. Throws CONFIRM_PASSWORD.
 */
export function requireFreshPassword(
  { passwordAt }: Pick<AdminSession, 'passwordAt'>,
  now: Date,
): void {
  const age = passwordAt === null ? Number.POSITIVE_INFINITY : now.getTime() - passwordAt.getTime();
  if (age > SESSION_LIMITS.passwordFreshMs) throw new AppError('CONFIRM_PASSWORD');
}

/** The permitted part of a call by an administrator. */
export interface Admitted {
  /** The objects that the call may read and change. */
  reach: Reach;
  /** The classes of data in its answer (sessions/show.ts). */
  shows: ReadonlySet<DataClass>;
  /** The objects of which they see people, and so what of someone is shown (db/queries/seen-people.ts). */
  sees: Reach;
}

const ALL_OF_IT: Admitted = { reach: 'all', shows: new Set(DATA_CLASSES), sees: 'all' };
/** Admits a caller for who they are and not by a permission: a candidate, a preview, oneself. */
export const BY_NO_PERMISSION: Admitted = { reach: NOWHERE, shows: new Set(), sees: NOWHERE };

/** The classes of data that grants permit to see at a place. */
export const classesAt = (grants: readonly Grant[], place: Place): ReadonlySet<DataClass> =>
  classesWhere(grants, (reach) => isWithin(reach, place));
const classesWhere = (grants: readonly Grant[], holds: (reach: Reach) => boolean) =>
  new Set(DATA_CLASSES.filter((name) => holds(reachOfClass(grants, name))));

/**
 * Admits an administrator by any of the permissions that an endpoint asks for. An owner of the installation
 * is admitted without a query, as everyone is in an installation without other roles.
 *
 * Throws FORBIDDEN, and NOT_FOUND for an object that they may not even see.
 *
 * @param id of the path
 * @param quizId of the query: what the call returns is of this assessment alone
 */
export async function requirePermission(
  db: Queryable,
  needed: readonly NeededPermission[],
  grants: readonly Grant[],
  id: unknown,
  quizId: unknown,
): Promise<Admitted> {
  const parts = needed.map(partsOf).filter((part) => part !== null);
  if (isOwner(grants)) return ALL_OF_IT;
  if (parts.length < needed.length) return BY_NO_PERMISSION;
  const sees = reachOf(grants, 'people.see');
  const anywhere = parts.filter(({ on }) => on === 'anywhere');
  const all = union(anywhere.map(({ permission }) => reachOf(grants, permission)));
  if (!isNowhere(all)) {
    const shows = classesWhere(grants, (reach) => includes(reach, all));
    const quiz = Id.safeParse(quizId);
    if (shows.size === DATA_CLASSES.length || !quiz.success) return { reach: all, shows, sees };
    const [place = {}] = await listPlaces(db, 'quiz', [quiz.data]);
    return { reach: all, shows: classesAt(grants, place), sees };
  }
  let isUnseen = false;
  for (const { on, permission } of parts) {
    const reach = reachOf(grants, permission);
    if (on === 'anywhere' || isNowhere(reach)) continue;
    if (on === 'installation') {
      if (reach !== 'all') continue;
      return { reach, shows: classesAt(grants, {}), sees };
    }
    const known = Id.safeParse(id);
    const places = known.success ? await listPlaces(db, on, [known.data]) : [];
    // A person who was invited to nothing is the installation's.
    const of = on === 'person' && reach === 'all' && places.length === 0 ? [{}] : places;
    const within = of.filter((one) => isWithin(reach, one));
    if (within.length > 0) {
      // Some places of a person may hide more than others: the handler knows each.
      const isSeen = (one: Reach) => within.some((place) => isWithin(one, place));
      return { reach, shows: classesWhere(grants, isSeen), sees };
    }
    if (!places.some((one) => may(grants, 'quizzes.see', one))) isUnseen = true;
  }
  throw new AppError(isUnseen ? 'NOT_FOUND' : 'FORBIDDEN');
}

/**
 * Refuses objects that a query or a body names and that are out of reach: for this caller there are none.
 * Throws NOT_FOUND.
 */
export async function requireReach(
  db: Queryable,
  reach: Reach,
  what: Placed,
  ids: readonly string[],
): Promise<void> {
  if (reach === 'all' || ids.length === 0) return;
  const places = await listPlaces(db, what, [...new Set(ids)]);
  const within = places.filter((place) => isWithin(reach, place));
  if (within.length < new Set(ids).size) throw new AppError('NOT_FOUND');
}

/** Refuses to create something, or to move it, where it would be out of reach. Throws FORBIDDEN. */
export function requireWithin(reach: Reach, place: Place): void {
  if (!isWithin(reach, place)) throw new AppError('FORBIDDEN');
}

/**
 * Refuses to replace what someone else has changed since it was read as `before`. Throws STALE with what is
 * stored.
 */
export function requireSame<T>(before: T | undefined, stored: T): void {
  if (before === undefined || isDeepStrictEqual(before, stored)) return;
  throw new AppError('STALE', { details: { stored } });
}

/** An assessment, also an archived one: its results stay. Throws NOT_FOUND. */
export async function requireQuiz(db: Queryable, id: string): Promise<QuizView> {
  const quiz = await findQuiz(db, id);
  if (!quiz) throw new AppError('NOT_FOUND');
  return quiz;
}

/** An assessment that is not archived. Throws NOT_FOUND. */
export async function requireUnarchived(db: Queryable, id: string): Promise<QuizView> {
  const quiz = await requireQuiz(db, id);
  if (quiz.archivedAt !== null) throw new AppError('NOT_FOUND');
  return quiz;
}
