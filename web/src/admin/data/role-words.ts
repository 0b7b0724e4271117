import {
  type Grant,
  type Permission,
  ROLES,
  type Role,
  rolesWith,
} from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';

export const ROLE_WORDS: Record<Role, { name: string; many: string; sentence: string }> = {
  owner: {
    name: 'Owner',
    many: 'owners',
    sentence: 'Does everything, and decides who may do what.',
  },
  author: {
    name: 'Author',
    many: 'authors',
    sentence: 'Writes questions and sets up assessments. Sees no candidates and no results.',
  },
  invigilator: {
    name: 'Invigilator',
    many: 'invigilators',
    sentence: 'Watches live, sends messages, gives time, ends attempts, prints passwords.',
  },
  reviewer: {
    name: 'Reviewer',
    many: 'reviewers',
    sentence: 'Reads attempts with answers and evidence, records verdicts, downloads reports.',
  },
  blind_reviewer: {
    name: 'Blind reviewer',
    many: 'blind reviewers',
    sentence:
      'Reads answers and violations without names, addresses and pictures, records verdicts.',
  },
  analyst: {
    name: 'Analyst',
    many: 'analysts',
    sentence: 'Sees figures and downloads reports, without personal data.',
  },
  support: {
    name: 'Support',
    many: 'people in support',
    sentence: 'Invites candidates, sees how far they are and which emails arrived.',
  },
};

const listText = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words);

/** `Only owners and reviewers may see results.` */
export function whoMaySentence(permissions: readonly Permission[], what: string): string {
  const roles = ROLES.filter((role) => permissions.some((one) => rolesWith(one).includes(role)));
  // A blind reviewer may do less than a reviewer: not who one asks.
  return `Only ${listText(roles.filter((role) => role !== 'blind_reviewer').map((role) => ROLE_WORDS[role].many))} may ${what}.`;
}

/** Names of assessments and categories, by id. */
export interface PlaceNames {
  quizzes: ReadonlyMap<string, string>;
  categories: ReadonlyMap<string, string>;
}

/** The reach of a role in words: `everywhere`, `in the category Law`, `in Network Fundamentals`. */
function placeText({ quizId, categoryId }: Omit<Grant, 'role'>, names: PlaceNames): string {
  if (quizId !== undefined)
    return `in ${isolated(names.quizzes.get(quizId) ?? 'another assessment')}`;
  if (categoryId === undefined) return 'everywhere';
  return `in the category ${isolated(names.categories.get(categoryId) ?? 'of another assessment')}`;
}

/** Roles in words, those with one place together: `Author and Support in the category Law`. */
export function grantLines(grants: readonly Grant[], names: PlaceNames): string[] {
  const places = [...new Set(grants.map((grant) => placeText(grant, names)))];
  return places.map((place) => {
    const isHeld = (role: Role) =>
      grants.some((grant) => grant.role === role && placeText(grant, names) === place);
    return `${listText(ROLES.filter(isHeld).map((role) => ROLE_WORDS[role].name))} ${place}`;
  });
}
