import { atMostCharactersText, PEOPLE_LIMITS, QUIZ_LIMITS } from '../domain/limits.ts';
import { listText } from '../domain/locale.ts';
import type { CellProblem, FieldProblem } from '../domain/people.ts';
import { isolated, notVisible } from '../domain/typed-text.ts';
import { addressText, enterAddressText } from './addresses.ts';
import { t } from './i18n.ts';

/* Reasons about rows of a list of people, by their codes. */

/** Why a row is refused: for its own cells, for the other rows, or for the people who are known. */
export type RowProblem =
  | CellProblem
  | { code: 'number_unknown' | 'number_repeated' }
  | { code: 'number_taken'; email: string | null }
  /** `row`: counted from 1 */
  | { code: 'person_repeated' | 'address_repeated'; row: number }
  | { code: 'field_unknown' }
  /** `name`: of the field that the value is for */
  | { code: 'field'; name: string; problem: FieldProblem };

export const atMostGroups = (): string =>
  t('peopleRow.groups', '{max, plural, one {At most # group} other {At most # groups}}', {
    max: PEOPLE_LIMITS.groupsMax,
  });

export const languageCode = (): string =>
  t('peopleRow.language', 'A language code such as “en” or “pt-BR”');

const TEXTS = {
  not_number: () => t('peopleRow.number', 'Not a number'),
  not_date: () => t('peopleRow.date', 'Enter a date as 2026-05-14'),
  not_choice: ({ choices }: { choices: readonly string[] }) =>
    t(/* {choices} is a list of what can be entered */ 'peopleRow.choice', 'One of: {choices}', {
      choices: listText(choices, 'unit'),
    }),
  too_long: () => atMostCharactersText(PEOPLE_LIMITS.textMaxCharacters),
  not_visible: notVisible,
  no_email: enterAddressText,
  not_percentage: () =>
    t('peopleRow.percentage', 'A percentage from 0 to {max}', {
      max: PEOPLE_LIMITS.extraTimeMaxPercent,
    }),
  shortened: () =>
    t('peopleRow.shortened', 'A spreadsheet has shortened this number: type all of its digits'),
  factor_or_percent: ({ typed, percent }: { typed: string; percent: number }) =>
    t(
      /* {typed} is the number as it was typed, such as 1.25; {percent} what it means as a factor: 25 */ 'peopleRow.factorOrPercent',
      'As a factor this is {percent} % more time. Type {percent} %, or {typed} % if that is meant',
      { percent, typed },
    ),
  not_language: languageCode,
  not_time: () => t('peopleRow.time', 'Enter a date and a time as 2026-05-14 10:00'),
  day_or_month: () =>
    t(
      /* of a date such as 5/6/2026 */ 'peopleRow.dayOrMonth',
      'Day and month cannot be told apart: enter 2026-05-14 10:00',
    ),
  skipped_time: () =>
    t(
      /* clocks go forward for summer time */ 'peopleRow.skippedTime',
      'The clocks go forward over this time: enter another one',
    ),
  opens_too_late: () =>
    t(/* of the opening */ 'server.quiz.opensTooLate', 'Select a time before the end date'),
  not_minutes: () =>
    t(
      'field.duration',
      '{max, plural, one {Duration must be {min} to {max} minute} other {Duration must be {min} to {max} minutes}}',
      { min: QUIZ_LIMITS.durationMinMinutes, max: QUIZ_LIMITS.durationMaxMinutes },
    ),
  too_many_groups: atMostGroups,
  number_unknown: () =>
    t(
      /* the number of a student or employee */ 'peopleRow.numberUnknown',
      'No one has this number: enter an email address',
    ),
  number_repeated: () => t('peopleRow.numberRepeated', 'Another row has this number'),
  number_taken: ({ email }: { email: string | null }) =>
    t(
      /* {email} is the address of another person */ 'peopleRow.numberTaken',
      '{email} has this number already',
      { email: String(email) },
    ),
  person_repeated: ({ row }: { row: number }) =>
    t('peopleRow.personRepeated', 'The same person as in row {row}', { row }),
  address_repeated: ({ row }: { row: number }) =>
    t('peopleRow.addressRepeated', 'The same address as in row {row}', { row }),
  field_unknown: () =>
    t(/* a field that all people can have */ 'peopleRow.fieldUnknown', 'There is no such field'),
};

/** A reason in words. */
export function rowText(problem: RowProblem): string {
  switch (problem.code) {
    case 'not_email':
    case 'not_deliverable':
      return addressText(problem);
    case 'not_choice':
      return TEXTS.not_choice(problem);
    case 'factor_or_percent':
      return TEXTS.factor_or_percent(problem);
    case 'number_taken':
      return TEXTS.number_taken(problem);
    case 'person_repeated':
    case 'address_repeated':
      return TEXTS[problem.code](problem);
    case 'field':
      return t(
        /* {field} is the name of a field, {problem} says what is wrong with its value */ 'peopleRow.field',
        '{field}: {problem}',
        { field: isolated(problem.name), problem: rowText(problem.problem) },
      );
    default:
      return TEXTS[problem.code]();
  }
}
