/**
 * The browser of component and end-to-end tests: an installed one, or, as root on Debian, one installed
 * with apt-get. Nothing is downloaded from elsewhere.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { canRun, findChromium } from './find-chromium.mjs';
import { root } from './toolchain.mjs';

/** The path of a Chromium; if there is none, prints what to do and returns undefined. */
export function findOrInstallChromium() {
  return findChromium() ?? installChromium();
}

/** Installs Debian's package as root; prints what to do otherwise. */
function installChromium() {
  const hasApt = canRun('/usr/bin/apt-get');
  if (process.getuid?.() !== 0 || !hasApt) {
    const how = hasApt ? ' (Debian: sudo apt-get install chromium)' : '';
    console.error(
      `No Chromium found: install Chromium or Google Chrome${how}, or set CHROMIUM_PATH.`,
    );
    return undefined;
  }
  const log = join(root, 'test-results', 'install-chromium.log');
  console.log(`No Chromium found: installing Debian's package, output in ${log}`);
  mkdirSync(join(root, 'test-results'), { recursive: true });
  const output = openSync(log, 'w');
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    spawnSync('/usr/bin/apt-get', args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  const found = findChromium();
  if (found === undefined) console.error(`Chromium could not be installed: see ${log}`);
  return found;
}
