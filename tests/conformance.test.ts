import { expect, test } from 'vitest';
import { evaluate } from '../scripts/conformance.mjs';

const HEADER = '<!-- rows: S0=1, S1=2, S2=1, S3=1, S4=1, S5=1, S6=1, S7=1, S8=1, S9=1 -->';
const ROWS = [...Array.from({ length: 10 }, (_, section) => `S${section}.1`), 'S1.2'];

const tree = {
  exists: (path: string) => ['core/src/a.ts', 'core/src/a.test.ts'].includes(path),
  read: () => "test('adds one and one', () => {});",
};

const HELD = '`core/src/a.test.ts`';

/** A document in which every row has a test, except for the cells given for S1.1. */
function document(held = HELD, place = '`core/src/a.ts`'): string {
  return [
    HEADER,
    ...ROWS.map((id) =>
      id === 'S1.1'
        ? `| ${id} | it adds | ${place} | ${held} | |`
        : `| ${id} | it does | | ${HELD} | a note |`,
    ),
  ].join('\n');
}

const problems = (text: string): string[] => evaluate(text, tree).problems;

test('a row without a test fails', () => {
  expect(problems(document(''))).toEqual(['S1.1: no test covers this row']);
});

test('a row with an existing test passes, by file and by title', () => {
  expect(problems(document('`core/src/a.test.ts` "adds one"'))).toEqual([]);
  expect(problems(document())).toEqual([]);
  expect(evaluate(document(), tree).rows).toBe(ROWS.length);
});

test('a missing file, title or place fails', () => {
  expect(problems(document('`core/src/b.test.ts` "adds one"'))).toEqual([
    'S1.1: held by core/src/b.test.ts, which does not exist',
  ]);
  expect(
    problems(document('`core/src/a.test.ts` "adds one"; `core/src/a.test.ts` "adds two"')),
  ).toEqual(['S1.1: core/src/a.test.ts has no test titled "adds two"']);
  expect(problems(document(HELD, '`core/src/c.ts`'))).toEqual([
    'S1.1: lives in core/src/c.ts, which does not exist',
  ]);
});

test('a missing, duplicate, surplus or malformed row fails', () => {
  const lines = document().split('\n');
  expect(problems(lines.filter((line) => !line.includes('S1.2')).join('\n'))).toEqual([
    'S1.2: missing',
  ]);
  expect(problems([...lines, `| S1.2 | again | | ${HELD} | |`].join('\n'))).toEqual([
    'S1.2: duplicate',
  ]);
  expect(problems([...lines, `| S1.3 | more | | ${HELD} | |`].join('\n'))).toEqual([
    "S1.3: beyond the header's count",
  ]);
  expect(problems(document().replace('| it adds |', '| it | adds |'))).toEqual([
    'S1.1: a row has five columns, this one 6',
    'S1.1: missing',
  ]);
  expect(problems(document('a.test.ts'))).toEqual([
    'S1.1: "held by" is `path` "title", not a.test.ts',
    'S1.1: missing',
  ]);
});

test('a document without row counts fails in every section', () => {
  expect(problems(document().replace(HEADER, ''))).toHaveLength(10);
});
