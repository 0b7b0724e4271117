import { listText } from '@invigil/core/domain/locale';
import { type Grant, type Permission, ROLES, rolesWith } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import { ROLE_WORDS, roleLines } from '@invigil/core/texts/roles';

/** Whole sentences by what someone may do; `roles` is a list such as "owners and reviewers". */
const WHO_MAY = {
  writeQuestions: (roles: string) =>
    t('whoMay.writeQuestions', 'Only {roles} may write questions.', { roles }),
  readAttempts: (roles: string) =>
    t('whoMay.readAttempts', 'Only {roles} may read attempts.', { roles }),
  seePeople: (roles: string) => t('whoMay.seePeople', 'Only {roles} may see people.', { roles }),
  importPeople: (roles: string) =>
    t('whoMay.importPeople', 'Only {roles} may import people.', { roles }),
  watchLive: (roles: string) =>
    t('whoMay.watchLive', 'Only {roles} may watch attempts in progress.', { roles }),
  editCategories: (roles: string) =>
    t('whoMay.editCategories', 'Only {roles} may edit categories.', { roles }),
  addCategories: (roles: string) =>
    t('whoMay.addCategories', 'Only {roles} may add categories, with a role everywhere.', {
      roles,
    }),
  openSettings: (roles: string) =>
    t('whoMay.openSettings', 'Only {roles} may open the settings.', { roles }),
  seeAssessments: (roles: string) =>
    t('whoMay.seeAssessments', 'Only {roles} may see assessments.', { roles }),
  editTheQuestions: (roles: string) =>
    t('whoMay.editTheQuestions', 'Only {roles} may edit the questions.', { roles }),
  seeCandidates: (roles: string) =>
    t('whoMay.seeCandidates', 'Only {roles} may see the candidates.', { roles }),
  seeResults: (roles: string) =>
    t('whoMay.seeResults', 'Only {roles} may see the results.', { roles }),
  changeSettings: (roles: string) =>
    t('whoMay.changeSettings', 'Only {roles} may change the settings.', { roles }),
  editTeam: (roles: string) =>
    t('whoMay.editTeam', 'Only {roles} may see and change who may do what.', { roles }),
  actOnAttempts: (roles: string) =>
    t('whoMay.actOnAttempts', 'Only {roles} may give time, message or end attempts.', { roles }),
  readSingleAttempts: (roles: string) =>
    t('whoMay.readSingleAttempts', 'Only {roles} may read single attempts.', { roles }),
  rescore: (roles: string) =>
    t('whoMay.rescore', 'Only {roles} may score finished attempts again.', { roles }),
  changeDetails: (roles: string) =>
    t('whoMay.changeDetails', 'Only {roles} may change these details.', { roles }),
  inviteCandidates: (roles: string) =>
    t('whoMay.inviteCandidates', 'Only {roles} may invite candidates.', { roles }),
};

/** A thing that only some roles may do. */
export type Purpose = keyof typeof WHO_MAY;

/** `Only owners and reviewers may see results.` */
export function whoMaySentence(permissions: readonly Permission[], what: Purpose): string {
  const roles = ROLES.filter((role) => permissions.some((one) => rolesWith(one).includes(role)));
  // A blind reviewer may do less than a reviewer: not who one asks.
  const asked = roles.filter((role) => role !== 'blind_reviewer');
  return WHO_MAY[what](listText(asked.map((role) => ROLE_WORDS[role].many())));
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
      quiz:
        quizId &&
        (names.quizzes.get(quizId) ??
          t(/* stands in “Author in …” */ 'role.anotherQuiz', 'another assessment')),
      category:
        categoryId &&
        (names.categories.get(categoryId) ??
          t(
            /* stands in “Author in the category …” */ 'role.categoryOfAnotherQuiz',
            'of another assessment',
          )),
    })),
  );
