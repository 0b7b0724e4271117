/**
 * The rules for administrators: which permission they have on which object. A grant gives an administrator a
 * role in the installation, a category or one assessment; several add up. The server admits calls by it and
 * selects the rows of lists, and the web shows what it permits: there is no second rule.
 */

export const ROLES = [
  ...(['owner', 'author', 'invigilator', 'reviewer', 'blind_reviewer', 'analyst'] as const),
  'support',
] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
  // Titles, times and state of assessments, and how many people have come how far.
  'quizzes.see',
  'quizzes.edit',
  'questions.edit',
  'categories.edit',
  // Names and addresses of candidates, and how far each is.
  'people.see',
  // Invite, remind, revoke, accommodations.
  'people.invite',
  'passwords.print',
  'live.watch',
  // Messages, time, end now, another attempt.
  'attempts.act',
  'scores.see',
  // Apply another key to attempts that have ended.
  'scores.correct',
  // Answers and violations.
  'records.see',
  // Pictures of candidates.
  'evidence.see',
  'verdicts.give',
  'figures.see',
  'reports.export',
  'mail.see',
  // Add administrators and give them roles.
  'team.edit',
  // Settings of the installation, its audit log, what is stored about a person.
  'installation.manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Data of an object that not everyone who sees it may know, with the permissions for it: any of these. */
const CLASSES = {
  /** The identity of a person: name, address, number, pictures, device. */
  person: ['people.see'],
  score: ['scores.see'],
  /** Right answers. */
  key: ['questions.edit', 'records.see', 'figures.see'],
} as const satisfies Record<string, readonly Permission[]>;
export type DataClass = keyof typeof CLASSES;
export const DATA_CLASSES = Object.keys(CLASSES) as DataClass[];

const PERMITTED: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(PERMISSIONS),
  author: new Set(['quizzes.see', 'quizzes.edit', 'questions.edit', 'categories.edit']),
  invigilator: new Set([
    ...(['quizzes.see', 'people.see', 'passwords.print', 'live.watch', 'attempts.act'] as const),
  ]),
  reviewer: new Set([
    ...(['quizzes.see', 'people.see', 'scores.see', 'records.see'] as const),
    ...(['evidence.see', 'verdicts.give', 'reports.export'] as const),
  ]),
  // Neither name nor address nor picture.
  blind_reviewer: new Set(['quizzes.see', 'scores.see', 'records.see', 'verdicts.give']),
  analyst: new Set(['quizzes.see', 'scores.see', 'figures.see', 'reports.export']),
  support: new Set(['quizzes.see', 'people.see', 'people.invite', 'mail.see']),
};

/** A role and where it holds: in one assessment, in those of a category, or, with neither, everywhere. */
export interface Grant {
  role: Role;
  quizId?: string | undefined;
  categoryId?: string | undefined;
}

/** The objects of permissions; each belongs to an assessment or a category, a person to several. */
export type Placed = 'quiz' | 'category' | 'question' | 'invitation' | 'participant' | 'person';

/**
 * The assessment or category of an object. An object without both is the installation's: only a grant for
 * everything reaches it.
 */
export interface Place {
  quizId?: string | null | undefined;
  categoryId?: string | null | undefined;
}

/** The objects on which something is permitted: all, or those of some assessments and categories. */
export type Reach = 'all' | { quizIds: string[]; categoryIds: string[] };

/** The grants of an owner of everything: every permission there is. */
export const OWNER: readonly Grant[] = [{ role: 'owner' }];

/** The reach of a permission under these grants. */
export function reachOf(grants: readonly Grant[], permission: Permission): Reach {
  const giving = grants.filter(({ role }) => PERMITTED[role].has(permission));
  if (giving.some(({ quizId, categoryId }) => (quizId ?? categoryId) === undefined)) return 'all';
  return {
    quizIds: [...new Set(giving.flatMap(({ quizId }) => quizId ?? []))],
    categoryIds: [...new Set(giving.flatMap(({ categoryId }) => categoryId ?? []))],
  };
}

/** The reach within which grants permit to see a class of data. */
export const reachOfClass = (grants: readonly Grant[], name: DataClass): Reach =>
  union(CLASSES[name].map((permission) => reachOf(grants, permission)));

/** Whether a place is in reach. */
export function isWithin(reach: Reach, { quizId, categoryId }: Place): boolean {
  if (reach === 'all') return true;
  return (
    (typeof quizId === 'string' && reach.quizIds.includes(quizId)) ||
    (typeof categoryId === 'string' && reach.categoryIds.includes(categoryId))
  );
}

/** Whether all of a reach is in another one. */
export function includes(outer: Reach, inner: Reach): boolean {
  if (outer === 'all') return true;
  return (
    inner !== 'all' &&
    inner.quizIds.every((quizId) => isWithin(outer, { quizId })) &&
    inner.categoryIds.every((categoryId) => isWithin(outer, { categoryId }))
  );
}

/** The reach of an administrator who has no grants. */
export const NOWHERE: Reach = { quizIds: [], categoryIds: [] };

export const isNowhere = (reach: Reach): boolean =>
  reach !== 'all' && reach.quizIds.length + reach.categoryIds.length === 0;

/** Joins several reaches. */
export function union(reaches: readonly Reach[]): Reach {
  const some = reaches.filter((reach) => reach !== 'all');
  if (some.length < reaches.length) return 'all';
  return {
    quizIds: [...new Set(some.flatMap(({ quizIds }) => quizIds))],
    categoryIds: [...new Set(some.flatMap(({ categoryIds }) => categoryIds))],
  };
}

/** Whether grants permit something at a place. */
export const may = (grants: readonly Grant[], permission: Permission, place: Place = {}): boolean =>
  isWithin(reachOf(grants, permission), place);

/** Whether grants permit the same at two places. */
export const permitTheSame = (grants: readonly Grant[], one: Place, other: Place): boolean =>
  PERMISSIONS.every((each) => may(grants, each, one) === may(grants, each, other));

/** Whether grants permit all that others permit. */
export const permitAllOf = (grants: readonly Grant[], others: readonly Grant[]): boolean =>
  PERMISSIONS.every((each) => includes(reachOf(grants, each), reachOf(others, each)));

/** Whether these are the grants of an owner of the installation, of whom one always remains. */
export const isOwner = (grants: readonly Grant[]): boolean => may(grants, 'installation.manage');

/** The roles that have a permission, for a screen that says who can help. */
export const rolesWith = (permission: Permission): Role[] =>
  ROLES.filter((role) => PERMITTED[role].has(permission));
