#!/usr/bin/env node
/**
 * `npm run attacks`: the long form of the tests that docs/security.md names for each threat. Prints one
 * verdict line for each; the exit code is 0 when all hold. `npm test` runs the short form of the same tests.
 *
 *   npm run attacks -- --seed 7        replays the same requests and actions
 *   npm run attacks -- --requests 500  sends fewer
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { tallyPlaywright } from './tally.mjs';
import { isEntry, requireToolchain, root, run } from './toolchain.mjs';

/** @typedef {{ promise: string, files: string[] }} Promised */

const TESTS = /`([\w/.-]+\.(?:test|spec)\.ts)`/g;
const isEndToEnd = (/** @type {string} */ path) => path.startsWith('e2e/');

/** The threats of docs/security.md, each with the tests that its row names. */
const THREATS = /** @type {Promised[]} */ (
  readFileSync(join(root, 'docs', 'security.md'), 'utf8')
    .split('\n## ')
    .filter((section) => section.startsWith('Threats and countermeasures'))
    .flatMap((section) => section.split('\n').filter((line) => line.startsWith('| ')))
    .map((line) => line.split(' | '))
    .map(([threat = '', , tests = '']) => ({
      promise: threat.slice(2),
      files: [...tests.matchAll(TESTS)].map(([, path = '']) => path),
    }))
);

/** End-to-end tests have one verdict together: Playwright's. */
const SPECS = [...new Set(THREATS.flatMap(({ files }) => files.filter(isEndToEnd)))];

export const PROMISES = THREATS.map(({ promise, files }) => ({
  promise,
  files: files.filter((path) => !isEndToEnd(path)),
})).filter(({ files }) => files.length > 0);

/**
 * Evaluates each promise by the tests of its files. A file that did not run is a failure.
 *
 * @param {any} report the JSON report of Vitest, or undefined when there is none
 * @param {Promised[]} promises
 * @returns {{ promise: string, passed: number, failures: string[] }[]}
 */
export function evaluate(report, promises = PROMISES) {
  const results = new Map(
    (report?.testResults ?? []).map((file) => [relative(root, file.name), file]),
  );
  return promises.map(({ promise, files }) => {
    let passed = 0;
    /** @type {string[]} */
    const failures = [];
    for (const path of files) {
      const tests = results.get(path)?.assertionResults ?? [];
      const good = tests.filter(({ status }) => status === 'passed').length;
      passed += good;
      failures.push(
        ...tests
          .filter(({ status }) => status !== 'passed')
          .map(({ fullName }) => `${path} > ${fullName.trim()}`),
      );
      if (tests.length === 0) failures.push(`${path} did not run`);
    }
    return { promise, passed, failures };
  });
}

if (isEntry(import.meta.url)) await main();

async function main() {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, requests: { type: 'string' } },
  });
  const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
  const requests = values.requests ?? '20000';
  requireToolchain();
  const reports = join(root, 'test-results');
  mkdirSync(reports, { recursive: true });
  const vitestReport = join(reports, 'attacks.json');
  const playwrightReport = join(reports, 'attacks-e2e.json');
  for (const path of [vitestReport, playwrightReport]) rmSync(path, { force: true });
  console.log(`seed ${seed}, ${requests} requests`);
  const slowProgram = findProgram('slowhttptest');

  const env = {
    INVIGIL_TESTS: 'long',
    INVIGIL_FUZZ_SEED: seed,
    INVIGIL_FUZZ_REQUESTS: requests,
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
    ...(slowProgram === undefined ? {} : { INVIGIL_SLOWHTTPTEST: slowProgram }),
  };
  const files = [...new Set(PROMISES.flatMap((one) => one.files))];
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`];
  // One file at a time: some of them measure time.
  const alone = ['--no-file-parallelism', ...report];
  await run('vitest', ['run', ...alone, ...files], { show: true, env });
  const endToEnd = await run('node', ['scripts/e2e.mjs', '--reporter=list,json', ...SPECS], {
    show: true,
    env,
  });
  const { passed, failures } = tallyPlaywright(readReport(playwrightReport), endToEnd.code);
  const verdicts = [
    ...evaluate(readReport(vitestReport)),
    { promise: `in a browser: ${SPECS.join(', ')}`, passed, failures },
    await runOverload(),
  ];

  console.log(`\n── verdicts (seed ${seed})`);
  for (const one of verdicts) {
    const kept = one.failures.length === 0;
    console.log(`${kept ? 'kept  ' : 'BROKEN'} ${one.promise}: ${one.passed} passed`);
    for (const failure of one.failures) console.log(`         ${failure}`);
  }
  if (slowProgram === undefined) {
    console.log('not run: the p99 of others under slow clients (install slowhttptest)');
  }
  console.log(`${await checkAdvisories()}`);
  process.exitCode = verdicts.every((one) => one.failures.length === 0) ? process.exitCode : 1;
}

async function runOverload() {
  const promise = 'floods: honest saves stay fast, no deadline moves, no process is killed';
  const { code } = await run('node', [join(root, 'bench', 'scenarios', 'overload.ts')], {
    show: true,
  });
  const result = readReport(join(root, 'bench', 'results', 'overload.json'));
  const isKept = code === 0 && result?.verdict === 'reached';
  return {
    promise,
    passed: isKept ? 1 : 0,
    failures: isKept ? [] : [result?.summary ?? 'crashed'],
  };
}

/** Queries the registry; without a response the line says "not checked". */
async function checkAdvisories() {
  const { code, output } = await run('npm', ['audit', '--omit=dev', '--loglevel=error']);
  if (/found 0 vulnerabilities/.test(output))
    return 'kept   no known vulnerability in shipped packages (npm audit)';
  if (/audit endpoint|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(output)) {
    return 'not checked: vulnerabilities in shipped packages (npm audit got no response)';
  }
  process.exitCode = code === 0 ? process.exitCode : 1;
  return `BROKEN known vulnerabilities in shipped packages (npm audit):\
${output}`;
}

/**
 * The path of an installed program, or undefined.
 *
 * @param {string} name
 * @param {string} path folders, as in PATH
 */
export function findProgram(name, path = process.env.PATH ?? '') {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
