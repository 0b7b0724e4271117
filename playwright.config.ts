import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

/**
 * Stories in an installed Chromium with a fake camera and microphone. Started by scripts/e2e.mjs,
 * which finds the browser; each worker starts its own server and database (see e2e/).
 */
const chromium = process.env.CHROMIUM_PATH ?? 'CHROMIUM_PATH is not set: use "npm run e2e"';
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/face-film.ts',
  outputDir: 'test-results/stories',
  // Two cores; many stories mostly wait, for a minute to pass or a network to come back.
  workers: 2,
  retries: 0,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // The page as it was, without a film and a picture of each step: those cost more than the stories.
    trace: {
      mode: 'retain-on-failure',
      screenshots: false,
      snapshots: { dom: true, aria: false, screen: false },
    },
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
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${fileURLToPath(new URL('test-results/face.y4m', import.meta.url))}`,
      ],
    },
  },
});
