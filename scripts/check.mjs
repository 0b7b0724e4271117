#!/usr/bin/env node
/**
 * `npm run check`: everything that can be checked without knowing what the product is to do, its texts and the
 * languages of its screens included. Two steps at a time, one line per step, with the output of failed steps.
 */
import { isEntry, requireToolchain, run } from './toolchain.mjs';

/** The compiler options differ, so each has its own run; testkit is in the server's, e2e in that of bench. */
const TYPED = ['core', 'server', 'web', 'web/tsconfig.tests.json', 'bench', 'tests'];

/** Mails, workbooks, certificates and slips beside the catalogues. */
export const TEXT_TESTS = [
  'tests/texts.test.ts',
  'tests/languages.test.ts',
  'server/src/deliveries/mails.test.ts',
  'server/src/http/table-languages.test.ts',
  'server/src/formats/certificate/print-certificate.test.ts',
  'server/src/features/invitations/invite/make-passwords.test.ts',
];

/** @typedef {{ name: string, command: string, args: string[] }} Step */

/** @type {Step[]} */
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
];

/**
 * Steps that are tests, and run with the others in `npm test`. The longest is first.
 *
 * @type {Step[]}
 */
const TESTS = [
  {
    // Shows every screen in two languages that nobody speaks.
    name: 'languages of screens',
    command: 'node',
    args: ['scripts/e2e.mjs', 'screens', '--reporter=dot'],
  },
  {
    name: 'texts and translations',
    command: 'vitest',
    args: ['run', '--project', 'repository', '--project', 'server', ...TEXT_TESTS],
  },
];

const SHOWN_LINES = 150;

const CONCURRENCY = 2;

/**
 * Runs the steps and prints as it goes.
 *
 * @param {readonly Step[]} [steps] without those that are tests
 * @returns {Promise<{ passed: number, failed: number, failures: string[] }>}
 */
export async function runChecks(steps = STEPS) {
  const waiting = [...steps];
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
  return { passed: steps.length - failures.length, failed: failures.length, failures };
}

function shorten(output) {
  const lines = output.trimEnd().split('\n');
  if (lines.length <= SHOWN_LINES) return lines.join('\n');
  const hidden = lines.length - SHOWN_LINES;
  return [...lines.slice(0, SHOWN_LINES), `… and ${hidden} more lines`].join('\n');
}

if (isEntry(import.meta.url)) {
  requireToolchain();
  const { passed, failed } = await runChecks([...TESTS, ...STEPS]);
  console.log(`check: ${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
