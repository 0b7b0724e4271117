#!/usr/bin/env node
/**
 * `npm run bench`: all benchmarks except the long ones, each in its own process, with one verdict line
 * per benchmark at the end. `npm run bench -- web-size` runs the named ones. With `--tiny` all of them
 * run for a few seconds each, three at a time, which only shows that they run. Needs Node 20 or later;
 * the benchmarks get the Node 24 installed by `npm ci`.
 *
 * A target that is not reached is printed, not enforced: the exit code is 1 only after a crash.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { childEnvironment, requireToolchain, root, run } from '../scripts/toolchain.mjs';

requireToolchain();
const folder = join(root, 'bench');
const known = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'main.ts')))
  .sort();
/** Skipped with `--tiny`: run-overload.long.test.ts runs it with stricter checks. */
const TESTED = ['overload'];
/** They take an hour each and run only when named. */
const LONG = ['growth', 'soak'];
const { values, positionals } = parseArgs({
  options: { tiny: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const left = values.tiny ? TESTED : LONG;
const usual = known.filter((name) => !left.includes(name));
const names = positionals.length > 0 ? positionals : usual;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark named ${unknown.join(', ')}. Benchmarks: ${known.join(', ')}.`);
  process.exit(2);
}

/** Tiny runs mostly wait for servers and browsers to start. */
const AT_ONCE = values.tiny ? 3 : 1;
/** @type {{ name: string, code: number, verdict: string }[]} */
const ended = [];
const waiting = [...names];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (!values.tiny) console.log(`\n## ${name}\n`);
      ended.push({ name, ...(await runBenchmark(name)) });
    }
  }),
);
// The results are checked in, so they are formatted like everything else.
if (!values.tiny) await run('biome', ['format', '--write', join('bench', 'results')]);

console.log('\n## Verdicts\n');
for (const { name, verdict } of ended) console.log(`- ${name}: ${verdict}`);
process.exitCode = ended.some(({ code }) => code !== 0) ? 1 : 0;

/**
 * Runs a benchmark; its verdict comes as a message from benchmark.ts.
 *
 * @param {string} name
 * @returns {Promise<{ code: number, verdict: string }>}
 */
function runBenchmark(name) {
  return new Promise((resolve) => {
    let verdict = '';
    let output = '';
    const shown = values.tiny ? 'pipe' : 'inherit';
    const child = spawn('node', [join(folder, name, 'main.ts')], {
      cwd: root,
      env: { ...childEnvironment(), ...(values.tiny ? { BENCH_TINY: '1' } : {}) },
      stdio: ['ignore', shown, shown, 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('message', (message) => {
      verdict = String(message);
    });
    child.on('error', (error) => resolve({ code: 1, verdict: `crashed: ${error.message}` }));
    child.on('close', (code, signal) => {
      if (code === 0 && verdict !== '') resolve({ code, verdict });
      else {
        console.log(output);
        resolve({ code: 1, verdict: `crashed (${signal ?? `exit code ${code}`}), see above` });
      }
    });
  });
}
