import { PEOPLE_LIMITS } from '../domain/limits.ts';
import type { CellProblem, FieldProblem } from '../domain/people.ts';
import { isolated, NOT_VISIBLE } from '../domain/typed-text.ts';
import { addressText } from './addresses.ts';

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

const TEXTS = {
  not_number: 'Not a number',
  not_date: 'Enter a date as 2026-05-14',
  not_choice: ({ choices }: { choices: readonly string[] }) => `One of: ${choices.join(', ')}`,
  too_long: `At most ${PEOPLE_LIMITS.textMaxCharacters} characters`,
  not_visible: NOT_VISIBLE,
  no_email: 'Enter an email address',
  not_percentage: `A percentage from 0 to ${PEOPLE_LIMITS.extraTimeMaxPercent}`,
  shortened: 'A spreadsheet has shortened this number: type all of its digits',
  factor_or_percent: ({ typed, percent }: { typed: string; percent: number }) =>
    `As a factor this is ${percent} % more time. Type ${percent} %, or ${typed} % if that is meant`,
  not_language: 'A language code such as “en” or “pt-BR”',
  too_many_groups: `At most ${PEOPLE_LIMITS.groupsMax} groups`,
  number_unknown: 'No one has this number: enter an email address',
  number_repeated: 'Another row has this number',
  number_taken: ({ email }: { email: string | null }) => `${email} has this number already`,
  person_repeated: ({ row }: { row: number }) => `The same person as in row ${row}`,
  address_repeated: ({ row }: { row: number }) => `The same address as in row ${row}`,
  field_unknown: 'There is no such field',
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
      return `${isolated(problem.name)}: ${rowText(problem.problem)}`;
    default:
      return TEXTS[problem.code];
  }
}
