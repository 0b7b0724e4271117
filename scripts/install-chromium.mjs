/**
 * The browser of component and end-to-end tests. None is downloaded: a packaged one is found, or on a
 * Debian machine, as root, installed with apt-get.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { canRun, findChromium } from './find-chromium.mjs';
import { root } from './toolchain.mjs';

/** The path of a Chromium, or undefined where there is none: then it has been said what to do. */
export function findOrInstallChromium() {
  return findChromium() ?? installChromium();
}

/** Installs Debian's package where that can be done without asking; says what to do elsewhere. */
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
