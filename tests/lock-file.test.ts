import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingPackages } from '../scripts/complete-lock.mjs';
import { root } from '../scripts/toolchain.mjs';

interface Lock {
  packages: Record<string, { dependencies?: Record<string, string> }>;
}

const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

test('an optional package without an entry is reported, one in a folder above is not', () => {
  const packages = {
    'node_modules/a': {
      optionalDependencies: { 'a-darwin-arm64': '1.0.0', 'a-linux-x64': '1.0.0' },
    },
    'node_modules/a-linux-x64': {},
    'node_modules/a/node_modules/b': {
      dev: true,
      optionalDependencies: { 'b-win32-x64': '2.0.0', 'a-linux-x64': '1.0.0' },
    },
    server: { optionalDependencies: { 'a-linux-x64': '1.0.0' } },
  };
  expect(missingPackages(packages)).toEqual([
    { name: 'a-darwin-arm64', version: '1.0.0', dev: false },
    { name: 'b-win32-x64', version: '2.0.0', dev: true },
  ]);
});

test('the lock file has the packages of every platform, so that npm ci accepts it', () => {
  expect(missingPackages(lock.packages), 'run: node scripts/complete-lock.mjs').toEqual([]);
});

test('the lock file has every declared dependency', () => {
  for (const folder of ['', 'core', 'server', 'web']) {
    const declared = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    expect(lock.packages[folder]?.dependencies, folder).toEqual(declared.dependencies);
  }
});
