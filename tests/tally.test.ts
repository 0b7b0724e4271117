import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tallyBenchmarks, tallyPlaywright, tallyVitest } from '../scripts/tally.mjs';
import { root } from '../scripts/toolchain.mjs';

const file = (path: string, ...statuses: string[]) => ({
  name: join(root, path),
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index}` })),
});

const FOLDERS = ['core', 'server', 'web', 'tests', 'bench'];
const FILES = FOLDERS.map((folder) => `${folder}/a.test.ts`);
const green = FILES.map((path) => file(path, 'passed', 'passed'));

describe('the report of Vitest', () => {
  test('passed and failed tests are counted, skipped ones are neither', () => {
    const testResults = [...green, file('core/b.test.ts', 'passed', 'failed', 'skipped')];
    expect(tallyVitest({ testResults }, 1)).toEqual({
      passed: 11,
      failed: 1,
      failures: ['core/b.test.ts > test 1'],
    });
  });

  test('no report is a failure', () => {
    expect(tallyVitest(undefined, 0)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('a file that does not load is a failure', () => {
    const broken = { ...file('core/b.test.ts'), status: 'failed' };
    expect(tallyVitest({ testResults: [...green, broken] }, 1).failures).toEqual([
      'core/b.test.ts did not load',
    ]);
  });

  test('a bad exit code without a failing test is a failure', () => {
    expect(tallyVitest({ testResults: green }, 1)).toMatchObject({ passed: 10, failed: 1 });
    expect(tallyVitest({ testResults: green }, 0)).toMatchObject({ passed: 10, failed: 0 });
  });

  test('a folder without an executed test is a failure', () => {
    const testResults = [...green.slice(1), file('core/a.test.ts', 'skipped')];
    expect(tallyVitest({ testResults }, 0).failures).toEqual(['no test of core/ was executed']);
    expect(tallyVitest({ testResults: [] }, 0).failed).toBe(FILES.length);
  });
});

describe('the report of Playwright', () => {
  const report = (...statuses: string[]) => ({
    suites: [
      {
        title: 'main-job.spec.ts',
        specs: [],
        suites: [
          {
            title: 'main job',
            specs: [{ title: 'runs', tests: statuses.map((status) => ({ status })) }],
          },
        ],
      },
    ],
  });

  test('expected is passed, skipped is neither, anything else is failed', () => {
    expect(tallyPlaywright(report('expected', 'skipped', 'unexpected', 'flaky'), 1)).toEqual({
      passed: 1,
      failed: 2,
      failures: ['main-job.spec.ts > main job > runs', 'main-job.spec.ts > main job > runs'],
    });
  });

  test('no report, no test, and a bad exit code without a failing test are failures', () => {
    expect(tallyPlaywright(undefined, 1).failed).toBe(1);
    expect(tallyPlaywright({ suites: [] }, 0).failures).toEqual([
      'no end-to-end test was executed',
    ]);
    expect(tallyPlaywright(report('expected'), 1)).toMatchObject({ passed: 1, failed: 1 });
    expect(tallyPlaywright(report('expected'), 0)).toMatchObject({ passed: 1, failed: 0 });
  });
});

describe('the output of the benchmarks', () => {
  const output = (...lines: string[]) => `a table\n\n## Verdicts\n\n${lines.join('\n')}\n`;

  test('a benchmark that ran passed, whatever it measured; one that crashed failed', () => {
    const lines = ['- soak: not reached: 3 MB', '- load: crashed (exit code 1), see above'];
    expect(tallyBenchmarks(output(...lines), 1)).toEqual({
      passed: 1,
      failed: 1,
      failures: ['- load: crashed (exit code 1), see above'],
    });
  });

  test('no verdict, or a bad exit code without a crash, is a failure', () => {
    expect(tallyBenchmarks('', 1)).toMatchObject({ passed: 0, failed: 1 });
    expect(tallyBenchmarks(output(), 0)).toMatchObject({ passed: 0, failed: 1 });
    expect(tallyBenchmarks(output('- soak: reached'), 1)).toMatchObject({ passed: 1, failed: 1 });
  });
});
