#!/usr/bin/env node
/**
 * `npm run e2e [-- <playwright arguments>]`: the end-to-end tests in an installed Chromium.
 *
 * `npm run screenshots`: those of every screen, in both sizes, light and dark, with pictures under
 * screenshots/. `-- --readme` takes those of README.md instead.
 */
import { findOrInstallChromium } from './chromium.mjs';
import { plain, requireToolchain, run } from './toolchain.mjs';

requireToolchain();
let args = process.argv.slice(2);
if (args[0] === 'screenshots') {
  process.env.INVIGIL_TESTS = 'long';
  const isReadme = args.includes('--readme');
  process.env[isReadme ? 'INVIGIL_README_PICTURES' : 'INVIGIL_SCREENSHOTS'] = '1';
  args = args.slice(1).filter((arg) => arg !== '--readme');
  if (!isReadme) args.push('screens');
}
const chromium = findOrInstallChromium();
if (chromium === undefined) {
  process.exitCode = 1;
} else {
  const { code } = await run('playwright', ['test', ...args], {
    show: true,
    env: {
      CHROMIUM_PATH: chromium,
      // Playwright gives its workers FORCE_COLOR, and Node warns when both it and NO_COLOR are set.
      ...(plain ? { NO_COLOR: undefined, FORCE_COLOR: '0' } : {}),
    },
  });
  process.exitCode = code;
}
