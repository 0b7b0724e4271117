#!/usr/bin/env node
/** `npm run e2e [-- <playwright arguments>]`: the end-to-end tests in an installed Chromium. */
import { findOrInstallChromium } from './install-chromium.mjs';
import { plain, requireToolchain, run } from './toolchain.mjs';

requireToolchain();
const chromium = findOrInstallChromium();
if (chromium === undefined) {
  process.exitCode = 1;
} else {
  const { code } = await run('playwright', ['test', ...process.argv.slice(2)], {
    show: true,
    env: {
      CHROMIUM_PATH: chromium,
      // Playwright gives its workers FORCE_COLOR, and Node warns when both it and NO_COLOR are set.
      ...(plain ? { NO_COLOR: undefined, FORCE_COLOR: '0' } : {}),
    },
  });
  process.exitCode = code;
}
