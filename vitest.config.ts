import { availableParallelism } from 'node:os';
import { IS_FAST, IS_LONG, inForm } from '@invigil/testkit/test-form';
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { withDefects } from './bench/faults/defects.mjs';
import { findChromium } from './scripts/chromium.mjs';
import { LongestFirst } from './tests/longest-first.ts';
import { SLOWEST } from './tests/slowest-tests.mjs';
import { COMPONENT_TESTS, componentBrowser, componentBuild } from './web/component-tests.ts';
import { texts } from './web/texts.ts';

/**
 * Unit, integration and component tests, and those of benchmarks and the fault harness: see
 * docs/testing.md. End-to-end tests run in Playwright: playwright.config.ts.
 */
/** A test of the long form may repeat something for many minutes. */
const TIMEOUT_MS = inForm({ short: 120_000, long: 1_200_000 });

const everywhere: UserWorkspaceConfig['test'] = {
  environment: 'node',
  // Loading the modules again for every file takes as long as the tests. So a test must leave no module
  // state behind.
  isolate: false,
  exclude: [
    ...configDefaults.exclude,
    ...(IS_LONG ? [] : ['**/*.long.test.ts']),
    ...(IS_FAST ? SLOWEST : []),
  ],
  setupFiles: ['./tests/fail-on-console.ts'],
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
  // Generous: a test waits for what it checks, and a busy machine takes ten times as long.
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
  expect: { poll: { timeout: 30_000 } },
};

/** Writes the defects named in INJECTED_DEFECTS into the sources (bench/faults/defects.mjs). */
const injected = process.env.INJECTED_DEFECTS?.split(';');
const plugins = injected && [
  {
    name: 'injected-defects',
    enforce: 'pre' as const,
    transform: (code: string, id: string) => withDefects(injected, id, () => code),
  },
];

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
    maxWorkers: availableParallelism(),
    // Vitest's cache of transformed files knows nothing of injected defects.
    fsModuleCache: injected === undefined,
    passWithNoTests: false,
    tags: [{ name: 'long', description: 'Only in the long form' }],
    // Hangs cost minutes, not a run.
    ...(IS_LONG ? {} : { tagsFilter: ['!long'], bail: 5 }),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: { ...everywhere, name: 'core', include: ['core/src/**/*.test.ts'] },
      },
      {
        ...(plugins ? { plugins } : {}),
        test: {
          ...everywhere,
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          // Starts PostgreSQL and creates the template database that each test file clones.
          globalSetup: ['./testkit/global-setup.ts'],
          pool: 'forks',
          execArgv: ['--import', './server/quick-imports.mjs'],
        },
      },
      {
        define,
        plugins: texts(),
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
          fileParallelism: false,
          // One worker, while the others have four: Vitest requires such projects to run sequentially.
          sequence: { groupOrder: 1 },
          browser: componentBrowser(findChromium()),
        },
      },
      ...(IS_LONG
        ? [
            {
              define,
              ...componentBuild,
              test: {
                ...everywhere,
                name: 'translated',
                include: [COMPONENT_TESTS],
                // It makes changes of its own.
                exclude: [...(everywhere.exclude ?? []), '**/foreign-changes.component.test.tsx'],
                setupFiles: [
                  ...(everywhere.setupFiles ?? []),
                  './web/src/testing/browser-setup.ts',
                  './web/src/testing/translated-setup.ts',
                ],
                fileParallelism: false,
                sequence: { groupOrder: 2 },
                browser: componentBrowser(findChromium()),
              },
            },
          ]
        : []),
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
