#!/usr/bin/env node
/**
 * `npm test`: the checks, and the unit, integration, component and end-to-end tests, those of the checks too, in their
 * short form. Every stage runs even when an earlier one failed. The last line is the total: `N passed,
 * N failed`. `-- --shard=1/2` runs a part of the tests; the first part has the checks.
 *
 * `npm run test:all` (`--all`): every test, in its long form, and a tiny run of every benchmark.
 * `npm run test:fast` (`--fast`) for daily work: the checks, and the tests in Node without the slowest.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runChecks } from './check.mjs';
import { findOrInstallChromium } from './chromium.mjs';
import { tallyBenchmarks, tallyPlaywright, tallyVitest, VITEST_FOLDERS } from './tally.mjs';
import { requireToolchain, root, run } from './toolchain.mjs';

const E2E = ['scripts/e2e.mjs', '--forbid-only', '--reporter=list,json'];
const REPORTS = join(root, 'test-results');
const NODE_REPORT = join(REPORTS, 'vitest.json');
const COMPONENTS_REPORT = join(REPORTS, 'vitest-components.json');
const PLAYWRIGHT_REPORT = join(REPORTS, 'playwright.json');

const { all, fast, shard } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
    shard: { type: 'string', default: '1/1' },
  },
}).values;
if (all) process.env.INVIGIL_TESTS = 'long';
if (fast) process.env.INVIGIL_TESTS = 'fast';

requireToolchain();
// A hundred servers and file processes start in a run: a compiled module is loaded in half the time.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');
keepFilesInMemory();
mkdirSync(REPORTS, { recursive: true });
for (const report of [NODE_REPORT, COMPONENTS_REPORT, PLAYWRIGHT_REPORT]) {
  rmSync(report, { force: true });
}

/** @type {[name: string, work: () => Promise<import('./tally.mjs').Tally>][]} */
const stages = [['tests', runVitest]];
if (shard.startsWith('1/')) stages.unshift(['checks', runChecks]);
if (!fast) stages.push(['end-to-end', runPlaywright]);
if (all) stages.push(['benchmarks', runBenchmarks]);
/** Started for the end-to-end tests: the earlier stages leave a processor idle now and then. */
const webBuild = fast ? undefined : run('node', ['server/start.mjs', '--build-web']);
const done = [];
for (const [name, work] of stages) done.push(await stage(name, work));

console.log('\n── summary');
for (const { name, passed, failed, failures, seconds } of done) {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed`;
  console.log(`${name.padEnd(10)} ${counts} ${seconds.toFixed(0).padStart(5)} s`);
  for (const failure of failures) console.log(`         failed: ${failure}`);
}
const total = (key) => done.reduce((sum, one) => sum + one[key], 0);
console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;

/**
 * The component tests run beside those in Node: both wait a third of the time, for a browser or a
 * database. Their output is printed at the end, so that the lines of the two do not mix.
 */
async function runVitest() {
  const inBrowser = all ? ['components', 'translated'] : ['components'];
  const others = inBrowser.map((name) => `--project=!${name}`);
  const runs = [vitest(NODE_REPORT, others, { show: true })];
  if (!fast) {
    // A component test needs a browser and cannot install one itself.
    const env = { CHROMIUM_PATH: findOrInstallChromium() };
    const projects = inBrowser.map((name) => `--project=${name}`);
    runs.push(vitest(COMPONENTS_REPORT, projects, { env }));
  }
  const ended = await Promise.all(runs);
  for (const { output } of ended) console.log(output);
  const reports = ended.map(({ report }) => readReport(report));
  const isWhole = reports.every((report) => report !== undefined);
  return tallyVitest(
    isWhole ? { testResults: reports.flatMap(({ testResults }) => testResults) } : undefined,
    Math.max(...ended.map(({ code }) => code)),
    shard === '1/1' ? VITEST_FOLDERS : [],
  );
}

async function vitest(report, args, options) {
  const reporters = [`--reporter=${fast ? 'dot' : 'default'}`, '--reporter=json'];
  const output = `--outputFile.json=${report}`;
  const shared = ['run', '--allowOnly=false', `--shard=${shard}`, ...reporters, output];
  return { report, ...(await run('vitest', [...shared, ...args], options)) };
}

async function runPlaywright() {
  await webBuild;
  const { code } = await run('node', [...E2E, `--shard=${shard}`], {
    show: true,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT },
  });
  return tallyPlaywright(readReport(PLAYWRIGHT_REPORT), code);
}

async function runBenchmarks() {
  const { code, output } = await run('node', ['bench/run.mjs', '--tiny']);
  console.log(output);
  return tallyBenchmarks(output, code);
}

/**
 * Runs one stage. An exception counts as one failure and does not stop the next stage.
 *
 * @param {string} name
 * @param {() => Promise<import('./tally.mjs').Tally>} work
 */
async function stage(name, work) {
  console.log(`\n── ${name}`);
  const from = performance.now();
  const seconds = () => (performance.now() - from) / 1000;
  try {
    return { name, ...(await work()), seconds: seconds() };
  } catch (error) {
    return { name, passed: 0, failed: 1, failures: [`${name}: ${error}`], seconds: seconds() };
  }
}

/**
 * Databases and browser profiles of tests go to memory where there is plenty of it. They are some
 * hundred thousand small files: on a disk, deleting them alone takes half a minute.
 */
function keepFilesInMemory() {
  const gibibyte = 2 ** 30;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (Math.min(bavail * bsize, freemem()) < 10 * gibibyte) return;
    // Some tests start programs from their folder.
    if (/ \/dev\/shm tmpfs \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))) return;
    const folder = mkdtempSync('/dev/shm/invigil-tests-');
    // PostgreSQL does not run as root, and its user has to get in.
    chmodSync(folder, 0o755);
    process.env.TMPDIR = folder;
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  } catch {
    // No such file system: the usual folder for temporary files.
  }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
