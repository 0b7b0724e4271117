#!/usr/bin/env node
/**
 * `npm run check`: everything that can be checked without running the product. Two steps at a time, one
 * line per step, with the output of failed steps.
 */
import { isEntry, requireToolchain, run } from './toolchain.mjs';

/** The compiler options differ, so each has its own run; testkit is in the server's, e2e in that of bench. */
const TYPED = ['core', 'server', 'web', 'web/tsconfig.tests.json', 'bench', 'tests'];

/** @type {{ name: string, command: string, args: string[] }[]} */
const STEPS = [
  ...TYPED.map((project) => ({
    name: `types of ${project.replace('/tsconfig.tests.json', ', tests')}`,
    command: 'tsc',
    args: ['-p', project, '--pretty', 'false'],
  })),
  {
    name: 'format and lint',
    command: 'biome',
    args: ['ci', '--error-on-warnings', '--max-diagnostics=40', '--colors=off'],
  },
  { name: 'import rules', command: 'node', args: ['scripts/import-rules.mjs'] },
  {
    name: 'unused code',
    command: 'knip',
    args: ['--no-progress'],
  },
  { name: 'conformance', command: 'node', args: ['scripts/conformance.mjs'] },
  { name: 'references', command: 'node', args: ['scripts/references.mjs'] },
  { name: 'migrations', command: 'node', args: ['scripts/migration-rules.mjs'] },
  { name: 'contrast', command: 'node', args: ['scripts/check-contrast.mjs'] },
  {
    name: 'texts and translations',
    command: 'vitest',
    args: ['run', '--project', 'repository', 'tests/texts.test.ts'],
  },
];

const SHOWN_LINES = 150;

const CONCURRENCY = 2;

/**
 * Runs every step and prints as it goes.
 *
 * @returns {Promise<{ passed: number, failed: number, failures: string[] }>}
 */
export async function runChecks() {
  const waiting = [...STEPS];
  /** @type {string[]} */
  const failures = [];
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const { code, output, seconds } = await run(step.command, step.args);
      const verdict = code === 0 ? 'ok    ' : 'FAILED';
      console.log(`${verdict} ${step.name.padEnd(22)} ${seconds.toFixed(1).padStart(5)} s`);
      if (code !== 0) {
        failures.push(step.name);
        console.log(shorten(output).replace(/^/gm, '       '));
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { passed: STEPS.length - failures.length, failed: failures.length, failures };
}

function shorten(output) {
  const lines = output.trimEnd().split('\n');
  if (lines.length <= SHOWN_LINES) return lines.join('\n');
  const hidden = lines.length - SHOWN_LINES;
  return [...lines.slice(0, SHOWN_LINES), `… and ${hidden} more lines`].join('\n');
}

if (isEntry(import.meta.url)) {
  requireToolchain();
  const { passed, failed } = await runChecks();
  console.log(`check: ${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
