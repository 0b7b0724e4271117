import { currentRun, reportOf } from './scripts/mutation-areas.mjs';

/* Settings of Stryker for one run of scripts/mutation-areas.mjs, named in the environment. */
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
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: reportOf(name) },
  incrementalFile: reportOf(name).replace('.json', '.incremental.json'),
  tempDirName: 'test-results/mutation/sandbox',
  cleanTempDir: 'always',
  ignorePatterns: ['/web', '/e2e', '/bench', '/docs', '/deploy', '/data', '/test-results'],
  // A busy machine is not a change that was detected.
  timeoutMS: 10_000,
  timeoutFactor: 2,
  allowConsoleColors: false,
};
