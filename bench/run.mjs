#!/usr/bin/env node
/**
 * `npm run bench`: all benchmarks except the long ones, each in its own process, with one verdict line
 * per benchmark at the end. `npm run bench -- web-size` runs the named ones; options are theirs. With
 * `--tiny` all of them run for a few seconds each, three at a time, which only shows that they run.
 *
 * A target that is not reached is printed, not enforced: the exit code is 1 only after a crash, or with
 * `--enforce`, as in `npm run load`.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { childEnvironment, requireToolchain, root, run } from '../scripts/toolchain.mjs';

requireToolchain();
const programs = new Map(
  globSync('bench/{scenarios/*,*/main}.ts', { cwd: root }).map((path) => [
    path.endsWith('main.ts') ? basename(dirname(path)) : basename(path, '.ts'),
    path,
  ]),
);
/** Skipped with `--tiny`: scenarios.long.test.ts runs them with stricter checks. */
const TESTED = ['load', 'overload'];
/** They take long, up to an hour each, and run only when named. */
const LONG = ['growth', 'load', 'soak'];
const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('--'));
const positionals = firstOption < 0 ? args : args.slice(0, firstOption);
const options = args.slice(positionals.length);
const isTiny = options.includes('--tiny');
const isEnforced = options.includes('--enforce');
const own = options.filter((option) => !['--tiny', '--enforce'].includes(option));
const left = isTiny ? TESTED : LONG;
const names =
  positionals.length > 0
    ? positionals
    : [...programs.keys()].filter((name) => !left.includes(name)).sort();
const unknown = names.filter((name) => !programs.has(name));
if (unknown.length > 0) {
  const known = [...programs.keys()].sort().join(', ');
  console.error(`No benchmark named ${unknown.join(', ')}. Benchmarks: ${known}.`);
  process.exit(2);
}

/** Tiny runs mostly wait for servers and browsers to start. */
const AT_ONCE = isTiny ? 3 : 1;
/** @type {{ name: string, code: number, verdict: string }[]} */
const ended = [];
const waiting = [...names];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (!isTiny) console.log(`\n## ${name}\n`);
      ended.push({ name, ...(await runBenchmark(name)) });
    }
  }),
);
// The results are checked in, so they are formatted like everything else.
if (!isTiny) await run('biome', ['format', '--write', join('bench', 'results')]);

console.log('\n## Verdicts\n');
for (const { name, verdict } of ended) console.log(`- ${name}: ${verdict}`);
const isBad = ({ code, verdict }) => code !== 0 || (isEnforced && !verdict.startsWith('reached'));
process.exitCode = ended.some(isBad) ? 1 : 0;

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
    const shown = isTiny ? 'pipe' : 'inherit';
    const child = spawn('node', [join(root, programs.get(name)), ...own], {
      cwd: root,
      env: { ...childEnvironment(), ...(isTiny ? { BENCH_TINY: '1' } : {}) },
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
