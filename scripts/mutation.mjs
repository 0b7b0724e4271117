#!/usr/bin/env node
/**
 * `npm run mutation`: mutates the code of each area, one place at a time (Stryker), and checks that its
 * tests fail. Prints the survivors and one verdict line per run; the exit code is 0 when all reach the limit.
 * See docs/testing.md.
 *
 *   npm run mutation -- codes scoring     these areas only
 *   npm run mutation -- --incremental     only changes since the last run with this flag
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LEAST_SCORE, RUNS } from './mutation-runs.mjs';
import { requireToolchain, run } from './toolchain.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { incremental: { type: 'boolean', default: false } },
});
const areaOf = (/** @type {string} */ name) => name.split('/')[0] ?? '';
const known = new Set(Object.keys(RUNS).map(areaOf));
const unknown = positionals.filter((one) => !known.has(one));
if (unknown.length > 0) {
  console.error(`no such area: ${unknown.join(', ')}. Areas: ${[...known].join(', ')}`);
  process.exit(2);
}
requireToolchain();

const verdicts = [];
for (const name of Object.keys(RUNS)) {
  if (positionals.length > 0 && !positionals.includes(areaOf(name))) continue;
  console.log(`\n── ${name}`);
  // Stryker ends its workers before their cleanup: their databases are removed here.
  const scratch = mkdtempSync(join(tmpdir(), 'mutation-'));
  const flags = values.incremental ? ['--incremental'] : [];
  const { code, seconds } = await run('stryker', ['run', ...flags, 'stryker.config.mjs'], {
    show: true,
    env: { INVIGIL_MUTATION_RUN: name, TMPDIR: scratch },
  });
  rmSync(scratch, { recursive: true, force: true });
  const verdict = code === 0 ? 'kept  ' : `BROKEN, below ${LEAST_SCORE} %:`;
  verdicts.push(`${verdict} ${name}, ${(seconds / 60).toFixed(1)} min`);
  if (code !== 0) process.exitCode = 1;
}
console.log(`\n── verdicts\n${verdicts.join('\n')}`);
