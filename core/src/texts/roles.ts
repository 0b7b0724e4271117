import { listText } from '../domain/locale.ts';
import { ROLES, type Role } from '../domain/rights.ts';
import { isolated } from '../domain/typed-text.ts';
import { t } from './i18n.ts';

export const ROLE_WORDS: Record<
  Role,
  { name: () => string; many: () => string; sentence: () => string }
> = {
  owner: {
    name: () => t(/* a role of administrators */ 'role.owner.name', 'Owner'),
    many: () =>
      t(/* stands in a list: “Only owners and reviewers may …” */ 'role.owner.many', 'owners'),
    sentence: () =>
      t(
        /* said of a role */ 'role.owner.sentence',
        'Does everything, and decides who may do what.',
      ),
  },
  author: {
    name: () => t(/* a role of administrators */ 'role.author.name', 'Author'),
    many: () =>
      t(/* stands in a list: “Only owners and reviewers may …” */ 'role.author.many', 'authors'),
    sentence: () =>
      t(
        /* said of a role */ 'role.author.sentence',
        'Writes questions and sets up assessments. Sees no candidates and no results.',
      ),
  },
  invigilator: {
    name: () => t(/* a role of administrators */ 'role.invigilator.name', 'Invigilator'),
    many: () =>
      t(
        /* stands in a list: “Only owners and reviewers may …” */ 'role.invigilator.many',
        'invigilators',
      ),
    sentence: () =>
      t(
        /* said of a role */ 'role.invigilator.sentence',
        'Watches live, sends messages, gives time, ends attempts, prints passwords.',
      ),
  },
  reviewer: {
    name: () => t(/* a role of administrators */ 'role.reviewer.name', 'Reviewer'),
    many: () =>
      t(
        /* stands in a list: “Only owners and reviewers may …” */ 'role.reviewer.many',
        'reviewers',
      ),
    sentence: () =>
      t(
        /* said of a role */ 'role.reviewer.sentence',
        'Reads attempts with answers and evidence, records verdicts, downloads reports.',
      ),
  },
  blind_reviewer: {
    name: () => t(/* a role of administrators */ 'role.blindReviewer.name', 'Blind reviewer'),
    many: () =>
      t(
        /* stands in a list: “Only owners and reviewers may …” */ 'role.blindReviewer.many',
        'blind reviewers',
      ),
    sentence: () =>
      t(
        /* said of a role */ 'role.blindReviewer.sentence',
        'Reads answers and violations without names, addresses and pictures, records verdicts.',
      ),
  },
  analyst: {
    name: () => t(/* a role of administrators */ 'role.analyst.name', 'Analyst'),
    many: () =>
      t(/* stands in a list: “Only owners and reviewers may …” */ 'role.analyst.many', 'analysts'),
    sentence: () =>
      t(
        /* said of a role */ 'role.analyst.sentence',
        'Sees figures and downloads reports, without personal data.',
      ),
  },
  support: {
    name: () => t(/* a role of administrators */ 'role.support.name', 'Support'),
    many: () =>
      t(
        /* stands in a list: “Only owners and reviewers may …” */ 'role.support.many',
        'people in support',
      ),
    sentence: () =>
      t(
        /* said of a role */ 'role.support.sentence',
        'Invites candidates, sees how far they are and which emails arrived.',
      ),
  },
};

/** The names of the roles in some grants, each once: `Author and Support`. */
export const roleNames = (grants: readonly { role: Role }[]): string =>
  listText(
    ROLES.filter((role) => grants.some((grant) => grant.role === role)).map((role) =>
      ROLE_WORDS[role].name(),
    ),
  );

/** A role, and the name of the assessment or category that it is for; without either it is for everything. */
export interface NamedGrant {
  role: Role;
  quiz?: string | undefined;
  category?: string | undefined;
}

/** Roles in words, those with one place together: `Author and Support in the category Law`. */
export function roleLines(grants: readonly NamedGrant[]): string[] {
  const places = Map.groupBy(grants, ({ quiz, category }) => JSON.stringify([quiz, category]));
  return [...places.values()].map((ofPlace) => {
    const [{ quiz, category } = {}] = ofPlace;
    const roles = roleNames(ofPlace);
    if (quiz !== undefined) {
      return t(/* {quiz} is the title of an assessment */ 'role.inQuiz', '{roles} in {quiz}', {
        roles,
        quiz: isolated(quiz),
      });
    }
    return category === undefined
      ? t(/* for all assessments */ 'role.everywhere', '{roles} everywhere', { roles })
      : t('role.inCategory', '{roles} in the category {category}', {
          roles,
          category: isolated(category),
        });
  });
}
