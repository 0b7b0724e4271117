import { availableParallelism } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { IS_LONG } from '@invigil/testkit/test-form';
import { defineConfig } from '@playwright/test';

/**
 * End-to-end tests in an installed Chromium with a fake camera and microphone. Started by scripts/e2e.mjs,
 * which finds the browser; each worker starts its own server and database (see e2e/).
 */
const chromium = process.env.CHROMIUM_PATH ?? 'CHROMIUM_PATH is not set: use "npm run e2e"';
const isRoot = process.getuid?.() === 0;

/**
 * Only the last `--disable-features` applies, so Playwright's own list is repeated here. The last two
 * are ours: they disable two invisible pages of the address bar, which cost more processor time than
 * many tests.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

export default defineConfig({
  testDir: 'e2e',
  ...(process.env.INVIGIL_README_PICTURES ? { testMatch: 'readme-pictures.ts' } : {}),
  globalSetup: ['./e2e/support/face-video.ts', './e2e/support/prepared-data.ts'],
  outputDir: 'test-results/e2e',
  workers: availableParallelism(),
  retries: 0,
  fullyParallel: false,
  ...(IS_LONG
    ? { timeout: 600_000 }
    : {
        grepInvert: /@long/,
        // Hangs cost minutes, not a run. A test has longer for each screen that it checks.
        timeout: 300_000,
        globalTimeout: 2_700_000,
        maxFailures: 5,
      }),
  // Generous: on a busy machine detectors load for long, and analyze only part of the sound. Tests of
  // speed set their own limit.
  expect: { timeout: 90_000, toPass: { timeout: 90_000 } },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // A trace costs a tenth of the run: enable it with `npm run e2e -- --trace retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: [
        // Chromium's own sandbox needs a user other than root.
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${DISABLED_FEATURES.join(',')}`,
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${fileURLToPath(new URL('test-results/face.y4m', import.meta.url))}`,
      ],
    },
  },
});
