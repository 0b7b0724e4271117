/**
 * The browser of end-to-end and component tests and of benchmarks: an installed one, or, for end-to-end
 * tests as root on Debian, one installed with apt-get. Nothing is downloaded from elsewhere.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, openSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './toolchain.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
const MACOS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The Chromium at CHROMIUM_PATH, else the first installed one, if any. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (canRun(named)) return named;
    console.error(`CHROMIUM_PATH is ${named}, which is not an executable.`);
    process.exit(1);
  }
  const folders = [...FOLDERS, ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...installed, ...MACOS].find(canRun);
}

/** @param {string} path */
function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

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
