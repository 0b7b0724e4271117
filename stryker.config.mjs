import { currentRun, LEAST_SCORE } from './scripts/mutation-runs.mjs';

/* Settings of Stryker for one run of scripts/mutation-runs.mjs, named in the environment. */
const { name, workspace, mutate } = currentRun();

export default {
  mutate,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // The run names its tests itself: those related by imports would be nearly all of the server's.
  vitest: {
    configFile: 'vitest.mutation.config.ts',
    related: false,
    pool: workspace === 'server' ? 'forks' : 'threads',
  },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { reportTests: false, logTests: false },
  thresholds: { high: LEAST_SCORE, low: LEAST_SCORE, break: LEAST_SCORE },
  incrementalFile: `test-results/mutation/${name.replace('/', '-')}.json`,
  tempDirName: 'test-results/mutation/sandbox',
  cleanTempDir: 'always',
  ignorePatterns: [
    '/web/src',
    '/web/dist',
    '/e2e',
    '/bench/data',
    '/docs',
    '/deploy',
    '/data',
    '/test-results',
  ],
  // A busy machine is not a change that was detected.
  timeoutMS: 10_000,
  timeoutFactor: 2,
  allowConsoleColors: false,
};
