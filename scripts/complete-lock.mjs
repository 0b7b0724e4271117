#!/usr/bin/env node
/**
 * Adds the packages of other platforms to package-lock.json. With a registry mirror that lacks them,
 * `npm install` leaves them out, and `npm ci` then refuses the lock file on every machine ("Missing: …
 * from lock file"). Run it after adding or upgrading a dependency.
 *
 *   node scripts/complete-lock.mjs [--check]   --check: change nothing, exit 1 when some are missing
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEntry, root } from './toolchain.mjs';

const OPERATING_SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'wasi', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/**
 * Optional dependencies of locked packages that have no entry themselves.
 *
 * @param {Record<string, any>} packages the `packages` of a lock file
 * @returns {{ name: string, version: string, dev: boolean }[]}
 */
export function missingPackages(packages) {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(packages, path, name))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  );
}

/** Whether `name`, required by the package at `path`, has an entry there or in a folder above. */
function isLocked(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    if (`${folder}/node_modules/${name}` in packages) return true;
    if (!folder.includes('/node_modules/')) return `node_modules/${name}` in packages;
  }
}

/** The lock file entry of a package for another platform. */
function entryOf({ name, version, dev }) {
  const words = name.split(/[/-]/);
  const os = OPERATING_SYSTEMS.find((word) => words.includes(word));
  const cpu = PROCESSORS.find((word) => words.includes(word));
  if (os === undefined || cpu === undefined || !/^\d+\.\d+\.\d+/.test(version)) {
    throw new Error(`${name}@${version} is not a package for one platform: install it`);
  }
  return {
    version,
    cpu: [cpu],
    ...(dev ? { dev } : {}),
    // The field keeps npm from installing a package for musl on every Linux.
    ...(words.includes('musl') ? { libc: ['musl'] } : {}),
    optional: true,
    os: [os],
  };
}

if (isEntry(import.meta.url)) {
  const path = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  const missing = missingPackages(lock.packages);
  if (process.argv.includes('--check')) {
    for (const { name, version } of missing) console.log(`missing: ${name}@${version}`);
    process.exitCode = missing.length === 0 ? 0 : 1;
  } else {
    for (const one of missing) lock.packages[`node_modules/${one.name}`] = entryOf(one);
    const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
    lock.packages = Object.fromEntries(sorted);
    if (missing.length > 0) writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  }
  console.log(`${missing.length} packages of other platforms were missing`);
}
