#!/usr/bin/env node
/**
 * `npm run e2e [-- <playwright arguments>]`: the stories in an installed Chromium. No browser is
 * downloaded: a packaged one is found, or on a Debian machine, as root, installed with apt-get.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, openSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { plain, requireToolchain, root, run } from './toolchain.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
const MACOS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

requireToolchain();
const chromium = findChromium() ?? installChromium();
if (chromium === undefined) {
  process.exitCode = 1;
} else {
  const { code } = await run('playwright', ['test', ...process.argv.slice(2)], {
    show: true,
    env: {
      CHROMIUM_PATH: chromium,
      // Playwright gives its workers FORCE_COLOR, and Node warns when NO_COLOR stands beside it.
      ...(plain ? { NO_COLOR: undefined, FORCE_COLOR: '0' } : {}),
    },
  });
  process.exitCode = code;
}

/** The Chromium that CHROMIUM_PATH names, else the first installed one. */
function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (canRun(named)) return named;
    console.error(`CHROMIUM_PATH is ${named}, which is no program that can be run.`);
    process.exit(1);
  }
  const folders = [...FOLDERS, ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...installed, ...MACOS].find(canRun);
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

function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
