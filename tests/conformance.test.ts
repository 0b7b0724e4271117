import { expect, test } from 'vitest';
import { judge } from '../scripts/conformance.mjs';

const HEADER = '<!-- rows: S0=1, S1=2, S2=1, S3=1, S4=1, S5=1, S6=1, S7=1, S8=1, S9=1 -->';
const ROWS = [
  'S0.1',
  'S1.1',
  'S1.2',
  'S2.1',
  'S3.1',
  'S4.1',
  'S5.1',
  'S6.1',
  'S7.1',
  'S8.1',
  'S9.1',
];

const tree = {
  exists: (path: string) => ['core/src/a.ts', 'core/src/a.test.ts'].includes(path),
  read: () => "test('adds one and one', () => {});",
};

/** A document in which every row belongs to a later part, apart from the cells given for S1.1. */
function document(held = '', owner = 'part 2', place = '`core/src/a.ts`'): string {
  return [
    HEADER,
    ...ROWS.map((id) =>
      id === 'S1.1'
        ? `| ${id} | it adds | ${place} | ${held} | ${owner} | |`
        : `| ${id} | it does | | | part 6 | a note |`,
    ),
  ].join('\n');
}

const problems = (text: string, finishedPart = 1): string[] =>
  judge(text, tree, finishedPart).problems;

test('a row of the part under way may wait for its test, one of a finished part may not', () => {
  expect(problems(document())).toEqual([]);
  expect(judge(document(), tree, 1).open).toContainEqual({ part: 2, rows: 1 });
  expect(problems(document(), 2)).toEqual(['S1.1: part 2 is finished, but no test holds this row']);
});

test('a row bound to a test that is there passes, by file and by title', () => {
  expect(problems(document('`core/src/a.test.ts` "adds one"'), 2)).toEqual([]);
  expect(problems(document('`core/src/a.test.ts`'), 2)).toEqual([]);
  expect(judge(document('`core/src/a.test.ts`'), tree, 2).bound).toBe(1);
});

test('a file, a title or a place that is not there fails', () => {
  expect(problems(document('`core/src/b.test.ts` "adds one"'))).toEqual([
    'S1.1: held by core/src/b.test.ts, which does not exist',
  ]);
  expect(
    problems(document('`core/src/a.test.ts` "adds one"; `core/src/a.test.ts` "adds two"')),
  ).toEqual(['S1.1: core/src/a.test.ts holds no test titled "adds two"']);
  expect(problems(document('`core/src/a.test.ts`', 'part 2', '`core/src/c.ts`'))).toEqual([
    'S1.1: lives in core/src/c.ts, which does not exist',
  ]);
});

test('a row without an owner fails, and so does an owner that is no part', () => {
  expect(problems(document('', ''))).toEqual(['S1.1: no owner (part 2 to part 6)']);
  expect(problems(document('', 'part 7'))).toEqual(['S1.1: no owner (part 2 to part 6)']);
});

test('a row that is missing, doubled, surplus or malformed fails', () => {
  const lines = document().split('\n');
  expect(problems(lines.filter((line) => !line.includes('S1.2')).join('\n'))).toEqual([
    'S1.2: missing',
  ]);
  expect(problems([...lines, '| S1.2 | again | | | part 6 | |'].join('\n'))).toEqual([
    'S1.2: there twice',
  ]);
  expect(problems([...lines, '| S1.3 | more | | | part 6 | |'].join('\n'))).toEqual([
    'S1.3: the header states only 2 rows',
  ]);
  expect(problems(document().replace('| it adds |', '| it | adds |'))).toEqual([
    'S1.1: a row has six columns, this one 7',
    'S1.1: missing',
  ]);
  expect(problems(document('a.test.ts'))).toEqual([
    'S1.1: "held by" is `path` "title", not a.test.ts',
    'S1.1: missing',
  ]);
});

test('a document without its numbers fails in every section', () => {
  expect(problems(document().replace(HEADER, ''))).toHaveLength(10);
});
