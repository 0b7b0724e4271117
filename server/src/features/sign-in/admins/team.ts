import { isDeepStrictEqual } from 'node:util';
import {
  type Grant,
  isNowhere,
  isOwner,
  isWithin,
  type Place,
  type Reach,
  reachOf,
} from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import type { BaseContext } from '../../../app-context.ts';
import type { Queryable } from '../../../db/database.ts';
import {
  type AdminRow,
  findAdmin,
  listAdmins,
  lockAdmins,
  setAdmin,
} from '../../../db/queries/admins.ts';
import { listNamedGrants, listPlaces } from '../../../db/queries/places.ts';
import { rolesChanged } from '../../../deliveries/mails/roles-changed.ts';
import { queueMail, toAdmin } from '../../../deliveries/queue-mail.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { Write } from '../../../sessions/command.ts';
import { guardOf } from '../../../sessions/session-reader.ts';
import { readInstitution, type ShownInstitution } from '../../../trust/institution.ts';
import { ADMINS, changeSealed } from '../../../trust/sealed-kinds.ts';

/** An administrator with the roles that a reader may see. */
export type TeamMember = AdminRow;

/**
 * Everyone with a role that reaches into `reach`, oldest first, with those roles. Those who may
 * give roles on everything see all.
 */
export async function listTeam(db: Queryable, reach: Reach): Promise<TeamMember[]> {
  const rows = await listAdmins(db);
  const placeOf = await readPlaces(
    db,
    rows.flatMap(({ grants }) => grants),
  );
  const categoryIds = await categoriesOf(db, reach);
  const isSeen = (grant: Grant) => isInReach(reach, placeOf, grant) || isAbove(categoryIds, grant);
  return rows
    .map((row) => ({ ...row, grants: row.grants.filter(isSeen) }))
    .filter(({ grants }) => reach === 'all' || grants.length > 0);
}

/** The place that a grant is for; undefined if its assessment or category is deleted. */
type PlaceOf = (grant: Grant) => Place | undefined;

async function readPlaces(db: Queryable, grants: readonly Grant[]): Promise<PlaceOf> {
  const quizIds = [...new Set(grants.flatMap(({ quizId }) => quizId ?? []))];
  const ids = [...new Set(grants.flatMap(({ categoryId }) => categoryId ?? []))];
  const quizzes = quizIds.length === 0 ? [] : await listPlaces(db, 'quiz', quizIds);
  const categories = ids.length === 0 ? [] : await listPlaces(db, 'category', ids);
  return ({ quizId, categoryId }) =>
    quizId
      ? quizzes.find((place) => place.quizId === quizId)
      : categoryId
        ? categories.find((place) => place.categoryId === categoryId)
        : {};
}

/** Whether an administrator whose `team.edit` has this reach can give or take a grant. */
function isInReach(reach: Reach, placeOf: PlaceOf, grant: Grant): boolean {
  const place = placeOf(grant);
  return reach === 'all' || (place !== undefined && isWithin(reach, place));
}

async function categoriesOf(db: Queryable, reach: Reach): Promise<ReadonlySet<string>> {
  if (reach === 'all') return new Set();
  const places = await listPlaces(db, 'quiz', reach.quizIds);
  return new Set(places.flatMap(({ categoryId }) => categoryId ?? []));
}

/** Whether a grant is for the installation or the category of an assessment in reach, and so holds there. */
const isAbove = (categoryIds: ReadonlySet<string>, { quizId, categoryId }: Grant) =>
  quizId === undefined && (categoryId === undefined || categoryIds.has(categoryId));

/**
 * Replaces the roles of an administrator as far as they are the caller's to give; the others stay. Both are
 * read again under the lock of all administrators, so that of two owners who demote each other one remains.
 * With the roles `before`, as they were read, only what differs from them is given and taken.
 *
 * Throws NOT_FOUND, FORBIDDEN for a role out of reach, LAST_OWNER, NOT_SIGNED_IN.
 */
export async function replaceGrants(
  ctx: BaseContext,
  write: Write<'admin.roles_changed'>,
  id: string,
  { grants: wanted, before }: { grants: readonly Grant[]; before?: readonly Grant[] | undefined },
): Promise<TeamMember> {
  const change = (stored: readonly Grant[]) =>
    before === undefined
      ? wanted
      : [
          ...stored.filter((grant) => isIn(wanted, grant) || !isIn(before, grant)),
          ...wanted.filter((grant) => !isIn(before, grant)),
        ];
  await lockAdmins(write.tx);
  const member = await changeGrants(ctx, write, id, change);
  write.afterCommit(() => ctx.wakeMail());
  return member;
}

/** The facts of a mail about roles that someone gave. */
export async function givenRoles(
  { tx, actor, now }: Pick<Write<'admin.roles_changed'>, 'tx' | 'actor' | 'now'>,
  grants: readonly Grant[],
  { publicUrl, name: institution, timeZone }: ShownInstitution,
) {
  const { name = '', email = '' } = (await findAdmin(tx, actor.id)) ?? {};
  return {
    ...{ publicUrl, institution, timeZone },
    by: name === '' ? email : `${isolated(name)} (${email})`,
    grants: await listNamedGrants(tx, grants, now),
  };
}

/**
 * The same for administrators that are locked; the new roles are made from those in reach. Someone else who
 * had an account gets a message where anything changes.
 */
export async function changeGrants(
  ctx: BaseContext,
  write: Write<'admin.roles_changed'>,
  id: string,
  change: (inReach: readonly Grant[]) => readonly Grant[],
  { isNew = false } = {},
): Promise<TeamMember> {
  const { tx, actor, now, record } = write;
  const own = (await guardOf(ctx).readAdmins(tx, [actor.id])).get(actor.id);
  if (!own) throw new AppError('NOT_SIGNED_IN');
  const reach = reachOf(own.grants, 'team.edit');
  if (isNowhere(reach)) throw new AppError('FORBIDDEN');
  const row = await findAdmin(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  const before = row.grants;
  const placeOf = await readPlaces(tx, before);
  const kept = before.filter((grant) => !isInReach(reach, placeOf, grant));
  const wanted = change(before.filter((grant) => !kept.includes(grant))).map(plain);
  const changed = unique(wanted).filter((grant) => !isIn(kept, grant));
  const wantedPlace = await readPlaces(tx, changed);
  // A grant that was held already may be for an object that is deleted since then.
  for (const grant of changed.filter((one) => !isIn(before, one))) {
    if (!wantedPlace(grant)) throw new AppError('NOT_FOUND');
    if (!isInReach(reach, wantedPlace, grant)) throw new AppError('FORBIDDEN');
  }
  const grants = unique([...kept, ...changed]);
  const added = grants.filter((grant) => !isIn(before, grant));
  const removed = before.filter((grant) => !isIn(grants, grant));
  // Before the change: one's own may be among those that are taken.
  await record('admin.roles_changed', ['admin', id], { added, removed });
  await changeSealed(tx, ctx.keys.integrity, ADMINS, [id], () => setAdmin(tx, id, { grants }));
  const all = await listAdmins(tx);
  if (!all.some((admin) => isOwner(admin.grants))) throw new AppError('LAST_OWNER');
  if (!isNew && id !== actor.id && added.length + removed.length > 0) {
    const institution = await readInstitution(ctx, tx);
    const params = await givenRoles(write, grants, institution);
    const messages = [{ ...toAdmin(row, institution), params }];
    await queueMail(tx, ctx, params.publicUrl, rolesChanged, messages, now);
  }
  return { ...row, grants: changed };
}

/** A grant without undefined members, and with keys in one order: equal ones are stored alike. */
function plain({ role, quizId, categoryId }: Grant): Grant {
  return { role, ...(quizId ? { quizId } : {}), ...(categoryId ? { categoryId } : {}) };
}

const isIn = (grants: readonly Grant[], grant: Grant) =>
  grants.some((one) => isDeepStrictEqual(plain(one), plain(grant)));

const unique = (grants: readonly Grant[]) => [
  ...new Map(grants.map((grant) => [JSON.stringify(plain(grant)), plain(grant)])).values(),
];
