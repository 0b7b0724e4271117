import { expect, test } from 'vitest';
import { type RowProblem, rowText } from './people-rows.ts';

test.each<[RowProblem, string]>([
  [{ code: 'not_email' }, 'Not an email address'],
  [
    { code: 'not_deliverable', sign: 'ö' },
    '“ö” before the @: mail servers do not deliver to such addresses. Ask for another address',
  ],
  [{ code: 'not_choice', choices: ['North', 'South'] }, 'One of: North, South'],
  [{ code: 'too_many_groups' }, 'At most 50 groups'],
  [{ code: 'not_percentage' }, 'A percentage from 0 to 900'],
  [{ code: 'number_taken', email: 'ada@example.org' }, 'ada@example.org has this number already'],
  [{ code: 'person_repeated', row: 3 }, 'The same person as in row 3'],
  [{ code: 'address_repeated', row: 3 }, 'The same address as in row 3'],
  [
    { code: 'field', name: 'Born', problem: { code: 'not_date' } },
    'Born: Enter a date as 2026-05-14',
  ],
])('%j in words', (problem, sentence) => {
  expect(rowText(problem)).toBe(sentence);
});
