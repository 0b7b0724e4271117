import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { currentRun } from './scripts/mutation-runs.mjs';
import everything from './vitest.config.ts';

const { workspace, tests } = currentRun();

const project = everything.test?.projects?.find(
  (one) => typeof one === 'object' && 'test' in one && one.test?.name === workspace,
);
if (typeof project !== 'object' || !('test' in project)) throw new Error(`no project ${workspace}`);

/**
 * The tests of one run of `npm run mutation`, with the settings of its workspace. Many mutants hang, and
 * each costs the full timeout.
 */
export default defineConfig({
  resolve: {
    alias: [
      {
        // Its link in node_modules leads out of Stryker's sandbox, to code without mutants.
        find: /^@invigil\/testkit\/(.*)$/,
        replacement: fileURLToPath(new URL('testkit/$1.ts', import.meta.url)),
      },
    ],
  },
  test: {
    ...project.test,
    tags: everything.test?.tags ?? [],
    include: tests,
    testTimeout: 10_000,
    hookTimeout: 20_000,
  },
});
