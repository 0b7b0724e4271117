/**
 * Turns the report of a test runner into three facts: how many passed, how many failed, and the names of
 * those that failed. A runner that crashed, exited with an error without a failing test, or ran nothing
 * counts as failed.
 *
 * @typedef {{ passed: number, failed: number, failures: string[] }} Tally
 */
import { relative } from 'node:path';
import { root } from './toolchain.mjs';

/** Each of these must have run at least one test. */
export const VITEST_FOLDERS = ['core/', 'server/', 'web/', 'tests/', 'bench/'];

/**
 * @param {any} report the JSON report of Vitest, or undefined when there is none
 * @param {number} code its exit code
 * @param {readonly string[]} [expected] folders with at least one executed test
 * @returns {Tally}
 */
export function tallyVitest(report, code, expected = VITEST_FOLDERS) {
  if (report === undefined) return crashed('vitest', code);
  let passed = 0;
  /** @type {string[]} */
  const failures = [];
  const executed = new Set();
  for (const file of report.testResults) {
    const path = relative(root, file.name);
    const results = file.assertionResults;
    const failing = results.filter(({ status }) => status === 'failed');
    passed += results.filter(({ status }) => status === 'passed').length;
    failures.push(...failing.map(({ fullName }) => `${path} > ${fullName.trim()}`));
    if (file.status === 'failed' && failing.length === 0) failures.push(`${path} did not load`);
    if (results.some(({ status }) => status === 'passed' || status === 'failed')) {
      executed.add(VITEST_FOLDERS.find((folder) => path.startsWith(folder)));
    }
  }
  for (const folder of expected) {
    if (!executed.has(folder)) failures.push(`no test of ${folder} was executed`);
  }
  return closed('vitest', passed, failures, code);
}

/**
 * @param {any} report the JSON report of Playwright, or undefined when there is none
 * @param {number} code its exit code
 * @returns {Tally}
 */
export function tallyPlaywright(report, code) {
  if (report === undefined) return crashed('playwright', code);
  let passed = 0;
  /** @type {string[]} */
  const failures = [];
  const walk = (suite, path) => {
    for (const spec of suite.specs ?? []) {
      for (const { status } of spec.tests) {
        if (status === 'expected') passed += 1;
        else if (status !== 'skipped') failures.push([...path, spec.title].join(' > '));
      }
    }
    for (const inner of suite.suites ?? []) walk(inner, [...path, inner.title]);
  };
  walk(report, []);
  if (passed + failures.length === 0) failures.push('no end-to-end test was executed');
  return closed('playwright', passed, failures, code);
}

/**
 * @param {string} output of `bench/run.mjs`, which ends with one line per benchmark
 * @param {number} code its exit code
 * @returns {Tally}
 */
export function tallyBenchmarks(output, code) {
  const verdicts = output.split('## Verdicts')[1]?.match(/^- .+$/gm) ?? [];
  const failures = verdicts.filter((line) => /^- [^ ]+ crashed/.test(line));
  if (verdicts.length === 0) return crashed('bench', code);
  return closed('bench', verdicts.length - failures.length, failures, code);
}

/** @returns {Tally} */
function crashed(runner, code) {
  return { passed: 0, failed: 1, failures: [`${runner} ended with code ${code} and no report`] };
}

/** @returns {Tally} */
function closed(runner, passed, failures, code) {
  if (code !== 0 && failures.length === 0) {
    failures.push(`${runner} ended with code ${code} although no test failed`);
  }
  return { passed, failed: failures.length, failures };
}
