import { listText } from '@invigil/core/domain/locale';
import { type Grant, type Permission, ROLES, rolesWith } from '@invigil/core/domain/rights';
import { ROLE_WORDS, roleLines } from '@invigil/core/texts/roles';

/** `Only owners and reviewers may see results.` */
export function whoMaySentence(permissions: readonly Permission[], what: string): string {
  const roles = ROLES.filter((role) => permissions.some((one) => rolesWith(one).includes(role)));
  // A blind reviewer may do less than a reviewer: not who one asks.
  return `Only ${listText(roles.filter((role) => role !== 'blind_reviewer').map((role) => ROLE_WORDS[role].many()))} may ${what}.`;
}

/** Names of assessments and categories, by id. */
export interface PlaceNames {
  quizzes: ReadonlyMap<string, string>;
  categories: ReadonlyMap<string, string>;
}

/** Roles in words, those with one place together: `Author and Support in the category Law`. */
export const grantLines = (grants: readonly Grant[], names: PlaceNames): string[] =>
  roleLines(
    grants.map(({ role, quizId, categoryId }) => ({
      role,
      quiz: quizId && (names.quizzes.get(quizId) ?? 'another assessment'),
      category: categoryId && (names.categories.get(categoryId) ?? 'of another assessment'),
    })),
  );
