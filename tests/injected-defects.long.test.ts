import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ALL_DEFECTS } from '../bench/faults/defects.mjs';
import { run } from '../scripts/toolchain.mjs';

const reports = mkdtempSync(join(tmpdir(), 'invigil-defects-'));
afterAll(() => rmSync(reports, { recursive: true, force: true }));

it.each(ALL_DEFECTS)('`npm test` fails in a build that $name', async ({ name, testedBy }) => {
  const report = join(reports, 'vitest.json');
  const { code, output } = await run(
    'vitest',
    ['run', '--project=server', '--reporter=json', `--outputFile.json=${report}`, testedBy],
    { env: { INJECTED_DEFECTS: name, INVIGIL_TESTS: undefined } },
  );
  expect(code, output).toBe(1);
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));
  // Tests noticed it, and it did not merely keep the file from loading.
  expect(numFailedTests, output).toBeGreaterThan(0);
  expect(numFailedTests + numPassedTests, output).toBeGreaterThan(0);
});
