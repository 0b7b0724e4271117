import { listText } from '../domain/locale.ts';
import { ROLES, type Role } from '../domain/rights.ts';
import { isolated } from '../domain/typed-text.ts';

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

/** The names of the roles in some grants, each once: `Author and Support`. */
export const roleNames = (grants: readonly { role: Role }[]): string =>
  listText(
    ROLES.filter((role) => grants.some((grant) => grant.role === role)).map(
      (role) => ROLE_WORDS[role].name,
    ),
  );

/** A role, and the name of the assessment or category that it is for; without either it is for everything. */
export interface NamedGrant {
  role: Role;
  quiz?: string | undefined;
  category?: string | undefined;
}

/** The reach of a role in words: `everywhere`, `in the category Law`, `in Network Fundamentals`. */
function placeText({ quiz, category }: NamedGrant): string {
  if (quiz !== undefined) return `in ${isolated(quiz)}`;
  return category === undefined ? 'everywhere' : `in the category ${isolated(category)}`;
}

/** Roles in words, those with one place together: `Author and Support in the category Law`. */
export function roleLines(grants: readonly NamedGrant[]): string[] {
  const places = [...new Set(grants.map(placeText))];
  return places.map(
    (place) => `${roleNames(grants.filter((grant) => placeText(grant) === place))} ${place}`,
  );
}
