#!/usr/bin/env node
/**
 * `npm test`: the checks, then the tests in Node, then the stories in a real browser, then a tiny run
 * of every benchmark. Every ring runs even when an earlier one failed. The last line is
 * `N passed, N failed` over all of them.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { tallyBenchmarks, tallyPlaywright, tallyVitest } from './tally.mjs';
import { requireToolchain, root, run } from './toolchain.mjs';

const REPORTS = join(root, 'test-results');
const VITEST_REPORT = join(REPORTS, 'vitest.json');
const PLAYWRIGHT_REPORT = join(REPORTS, 'playwright.json');

requireToolchain();
mkdirSync(REPORTS, { recursive: true });
for (const report of [VITEST_REPORT, PLAYWRIGHT_REPORT]) rmSync(report, { force: true });

const rings = [
  await ring('checks', runChecks),
  await ring('tests', async () => {
    const { code } = await run(
      'vitest',
      [
        'run',
        '--allowOnly=false',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${VITEST_REPORT}`,
      ],
      { show: true },
    );
    return tallyVitest(readReport(VITEST_REPORT), code);
  }),
  await ring('stories', async () => {
    const { code } = await run(
      'node',
      ['scripts/e2e.mjs', '--forbid-only', '--reporter=list,json'],
      { show: true, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT } },
    );
    return tallyPlaywright(readReport(PLAYWRIGHT_REPORT), code);
  }),
  await ring('benchmarks', async () => {
    const { code, output } = await run('node', ['bench/run.mjs', '--tiny']);
    console.log(output);
    return tallyBenchmarks(output, code);
  }),
];

console.log('\n── summary');
for (const { name, passed, failed, failures, seconds } of rings) {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed`;
  console.log(`${name.padEnd(10)} ${counts} ${seconds.toFixed(0).padStart(5)} s`);
  for (const failure of failures) console.log(`         failed: ${failure}`);
}
const total = (key) => rings.reduce((sum, one) => sum + one[key], 0);
console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;

/**
 * Runs one ring. A ring that throws has failed once and does not keep the next from running.
 *
 * @param {string} name
 * @param {() => Promise<import('./tally.mjs').Tally>} work
 */
async function ring(name, work) {
  console.log(`\n── ${name}`);
  const from = performance.now();
  const seconds = () => (performance.now() - from) / 1000;
  try {
    return { name, ...(await work()), seconds: seconds() };
  } catch (error) {
    return { name, passed: 0, failed: 1, failures: [`${name}: ${error}`], seconds: seconds() };
  }
}

/** The report a runner left, or undefined when it left none that can be read. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
