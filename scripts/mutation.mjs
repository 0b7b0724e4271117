#!/usr/bin/env node
/**
 * `npm run mutation`: mutates the code of each area, one place at a time (Stryker), and checks that its
 * tests fail. Prints one verdict line per area; the exit code is 0 when all reach the limit. See
 * docs/testing.md.
 *
 *   npm run mutation -- codes scoring     these areas only
 *   npm run mutation -- --incremental     only changes since the last run with this flag
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AREAS, evaluateArea, reportOf } from './mutation-areas.mjs';
import { requireToolchain, root, run } from './toolchain.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { incremental: { type: 'boolean', default: false } },
});
const known = AREAS.map(({ area }) => area);
const unknown = positionals.filter((one) => !known.includes(one));
if (unknown.length > 0) {
  console.error(`no such area: ${unknown.join(', ')}. Areas: ${known.join(', ')}`);
  process.exit(2);
}
requireToolchain();
mkdirSync(join(root, 'test-results', 'mutation'), { recursive: true });

const lines = [];
for (const area of AREAS.filter(
  ({ area }) => positionals.length === 0 || positionals.includes(area),
)) {
  const reports = [];
  const from = performance.now();
  for (const { workspace } of area.runs) {
    const name = `${area.area}/${workspace}`;
    const report = join(root, reportOf(name));
    rmSync(report, { force: true });
    console.log(`\n── ${name}`);
    // Stryker ends its workers before their cleanup: their databases are removed here.
    const scratch = mkdtempSync(join(tmpdir(), 'mutation-'));
    const flags = values.incremental ? ['--incremental'] : [];
    await run('stryker', ['run', ...flags, 'stryker.config.mjs'], {
      show: true,
      env: { INVIGIL_MUTATION_RUN: name, TMPDIR: scratch },
    });
    rmSync(scratch, { recursive: true, force: true });
    reports.push(readReport(report));
  }
  const { killed, timedOut, all, score, survived, failures } = evaluateArea(area, reports);
  for (const one of survived) console.log(`survived  ${one}`);
  const minutes = (performance.now() - from) / 60_000;
  const verdict = failures.length === 0 ? 'kept  ' : 'BROKEN';
  lines.push(
    `${verdict} ${area.area.padEnd(13)} ${score.toFixed(1).padStart(5)} %  ` +
      `${killed} of ${all} mutants killed, ${timedOut} of them by timeout, ${minutes.toFixed(1)} min` +
      failures.map((one) => `\n         ${one}`).join(''),
  );
  if (failures.length > 0) process.exitCode = 1;
}
console.log(`\n── verdicts\n${lines.join('\n')}`);

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
