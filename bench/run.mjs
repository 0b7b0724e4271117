#!/usr/bin/env node
/**
 * `npm run bench`: every benchmark in turn, each in a process of its own, and one verdict line per
 * benchmark at the end, without the long ones. `npm run bench -- web-size` runs the named ones. Runs under any Node from 20
 * on; the benchmarks get the Node 24 that `npm ci` brought.
 *
 * An aim that is not reached is printed, not enforced: the exit code is 1 only after a crash.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment, requireToolchain, root, run } from '../scripts/toolchain.mjs';

requireToolchain();
const folder = join(root, 'bench');
const known = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'main.ts')))
  .sort();
/** An hour each, so only when they are asked for. */
const LONG = ['growth', 'soak'];
const names =
  process.argv.length > 2 ? process.argv.slice(2) : known.filter((name) => !LONG.includes(name));
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  process.exit(2);
}

/** @type {{ name: string, code: number, verdict: string }[]} */
const ended = [];
for (const name of names) {
  console.log(`\n## ${name}\n`);
  ended.push({ name, ...(await runBenchmark(name)) });
}
// The results are checked in, so they stand as the formatter of the house writes them.
await run('biome', ['format', '--write', join('bench', 'results')]);

console.log('\n## Verdicts\n');
for (const { name, verdict } of ended) console.log(`- ${name}: ${verdict}`);
process.exitCode = ended.some(({ code }) => code !== 0) ? 1 : 0;

/**
 * Shows what the benchmark prints; its verdict comes as a message (benchmark.ts sends it).
 *
 * @param {string} name
 * @returns {Promise<{ code: number, verdict: string }>}
 */
function runBenchmark(name) {
  return new Promise((resolve) => {
    let verdict = '';
    const child = spawn('node', [join(folder, name, 'main.ts')], {
      cwd: root,
      env: childEnvironment(),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message) => {
      verdict = String(message);
    });
    child.on('error', (error) => resolve({ code: 1, verdict: `crashed: ${error.message}` }));
    child.on('close', (code, signal) => {
      if (code === 0 && verdict !== '') resolve({ code, verdict });
      else resolve({ code: 1, verdict: `crashed (${signal ?? `exit code ${code}`}), see above` });
    });
  });
}
