import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { findChromium } from './scripts/find-chromium.mjs';
import { LongestFirst } from './tests/longest-first.ts';
import { COMPONENT_TESTS, componentBrowser, componentBuild } from './web/component-tests.ts';

/**
 * Unit, integration and component tests, and those of benchmarks and the fault harness: see
 * docs/testing.md. End-to-end tests run in Playwright: playwright.config.ts.
 */
const everywhere: UserWorkspaceConfig['test'] = {
  environment: 'node',
  setupFiles: ['./tests/fail-on-console.ts'],
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
  // Generous: a test waits for what it checks, and a busy machine takes ten times as long.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
};

/** Replaced by the build with the URLs of the detectors' files (web/detector-files.ts). */
const define = {
  __DETECTOR_FILES__: JSON.stringify({
    face: { folder: '/assets/face/', bytes: 1 },
    voice: { folder: '/assets/voice/', bytes: 1 },
    thirdParty: '/assets/third-party.txt',
  }),
};

export default defineConfig({
  test: {
    // Twice the two cores of our smallest machine: the long tests mostly wait for processes.
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
          // Starts PostgreSQL and creates the template database that each test file clones.
          globalSetup: ['./server/src/testing/global-setup.ts'],
          pool: 'forks',
          execArgv: ['--import', './server/quick-imports.mjs'],
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
          // One page for all files: one page each takes nearly twice as long.
          isolate: false,
          fileParallelism: false,
          // One worker, while the others have four: Vitest requires such projects to run sequentially.
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
        },
      },
      {
        test: {
          ...everywhere,
          name: 'repository',
          include: ['tests/**/*.test.ts'],
        },
      },
    ],
  },
});
