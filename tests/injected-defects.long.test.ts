import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ALL_DEFECTS } from '../bench/faults/defects.mjs';
import { run } from '../scripts/toolchain.mjs';

const reports = mkdtempSync(join(tmpdir(), 'invigil-defects-'));
afterAll(() => rmSync(reports, { recursive: true, force: true }));

it.each(ALL_DEFECTS)('`npm test` fails in a build that $name', async ({ name, testedBy }) => {
  // One each: a run without a report must not be judged by the one before.
  const report = join(reports, `${name}.json`);
  const { code, output } = await run(
    'vitest',
    ['run', '--project=server', '--reporter=json', `--outputFile.json=${report}`, testedBy],
    { env: { INJECTED_DEFECTS: name, INVIGIL_TESTS: undefined } },
  );
  expect(code, output).toBe(1);
  // Tests failed: the defect did not merely keep the file from loading.
  const { numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  expect(numFailedTests, output).toBeGreaterThan(0);
});
