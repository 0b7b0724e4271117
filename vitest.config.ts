import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { findChromium } from './scripts/find-chromium.mjs';
import { LongestFirst } from './tests/longest-first.ts';
import { COMPONENT_TESTS, componentBrowser, componentBuild } from './web/component-tests.ts';

/**
 * Three rings of tests share this file, and those of components, benchmarks and fault harness;
 * docs/testing.md says which ring holds what.
 * The stories in a real browser are Playwright's: playwright.config.ts.
 */
const everywhere: UserWorkspaceConfig['test'] = {
  environment: 'node',
  setupFiles: ['./tests/fail-on-console.ts'],
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
};

/** The build puts the addresses of the detectors' files here (web/detector-files.ts). */
const define = {
  __DETECTOR_FILES__: JSON.stringify({
    face: { folder: '/assets/face/', bytes: 1 },
    voice: { folder: '/assets/voice/', bytes: 1 },
    thirdParty: '/assets/third-party.txt',
  }),
};

export default defineConfig({
  test: {
    // Twice the two cores of the smallest machine of ours: the long tests mostly wait for processes.
    maxWorkers: 4,
    passWithNoTests: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: { ...everywhere, name: 'core', include: ['core/src/**/*.test.ts'] },
      },
      {
        test: {
          ...everywhere,
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          // Starts a PostgreSQL and makes the template database that each test file clones.
          globalSetup: ['./server/src/testing/global-setup.ts'],
          pool: 'forks',
          execArgv: ['--import', './server/quick-imports.mjs'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        define,
        test: {
          ...everywhere,
          name: 'web',
          include: ['web/src/**/*.test.ts'],
        },
      },
      {
        define,
        ...componentBuild,
        test: {
          ...everywhere,
          name: 'components',
          include: [COMPONENT_TESTS],
          setupFiles: [...(everywhere.setupFiles ?? []), './web/src/testing/browser-setup.ts'],
          // One page for all files: a page for each took nearly twice as long.
          isolate: false,
          fileParallelism: false,
          // One worker, while the others have four: Vitest asks that they run one after the other.
          sequence: { groupOrder: 1 },
          browser: componentBrowser(findChromium()),
        },
      },
      {
        test: {
          ...everywhere,
          name: 'faults',
          include: ['bench/**/*.test.ts'],
          pool: 'forks',
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...everywhere,
          name: 'repository',
          include: ['tests/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
    ],
  },
});
