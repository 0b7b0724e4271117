import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AREAS, evaluateArea, reportOf, runNamed } from '../scripts/mutation-areas.mjs';
import { root } from '../scripts/toolchain.mjs';

const area = {
  area: 'codes',
  runs: [
    { workspace: 'core' as const, mutate: ['core/a.ts'], tests: [] },
    { workspace: 'server' as const, mutate: ['server/b.ts'], tests: [] },
  ],
};

/** Stryker's report of a file with mutants of these statuses. */
const report = (path: string, ...statuses: string[]) => ({
  files: {
    [path]: {
      mutants: statuses.map((status, i) => ({
        status,
        mutatorName: 'BooleanLiteral',
        replacement: 'false\n  ',
        location: { start: { line: i + 1, column: 7 } },
      })),
    },
  },
});
const good = report('server/b.ts', ...Array<string>(17).fill('Killed'));

describe('the verdict over an area', () => {
  test('counts killed and timed out mutants against all that count', () => {
    const core = report('core/a.ts', 'Killed', 'Timeout', 'Survived', 'NoCoverage');
    expect(evaluateArea(area, [core, good])).toEqual({
      killed: 19,
      timedOut: 1,
      all: 21,
      score: expect.closeTo(90.476, 3),
      survived: [
        'core/a.ts:3:7 BooleanLiteral: false ',
        'core/a.ts:4:7 BooleanLiteral (not covered): false ',
      ],
      failures: [],
    });
  });

  test('ignores mutants that did not run or are excused in the source', () => {
    const core = report('core/a.ts', 'Killed', 'Ignored', 'CompileError', 'RuntimeError');
    expect(evaluateArea(area, [core, good])).toMatchObject({ killed: 18, all: 18, failures: [] });
  });

  test('fails below 85 %, not at 85 %', () => {
    const missed = Array<string>(3).fill('Survived');
    expect(evaluateArea(area, [report('core/a.ts', ...missed), good])).toMatchObject({
      score: 85,
      failures: [],
    });
    expect(evaluateArea(area, [report('core/a.ts', ...missed, 'Survived'), good]).failures).toEqual(
      ['below 85 %'],
    );
  });

  test('fails without a report, and for a file without mutants', () => {
    expect(evaluateArea(area, [undefined, good]).failures).toEqual(['codes/core has no report']);
    for (const other of [report('core/other.ts', 'Killed'), report('core/a.ts', 'Ignored')]) {
      expect(evaluateArea(area, [other, good]).failures).toEqual(['core/a.ts has no mutants']);
    }
    expect(evaluateArea(area, [undefined, undefined])).toMatchObject({ score: 0, all: 0 });
  });
});

test('every mutated file and every test of an area exists', () => {
  const files = AREAS.flatMap(({ runs }) => runs.flatMap((run) => [...run.mutate, ...run.tests]));
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const changed = AREAS.flatMap(({ runs }) => runs.flatMap((run) => run.mutate));
  expect(new Set(changed).size).toBe(changed.length);
});

test('a run is found by its name, and has its own report', () => {
  expect(() => runNamed('poetry/core')).toThrow('no such run: poetry/core');
  expect(runNamed('answer writer/server')).toMatchObject(AREAS.at(-1)?.runs[0] ?? {});
  expect(reportOf('answer writer/server')).toBe('test-results/mutation/answer-writer-server.json');
});
