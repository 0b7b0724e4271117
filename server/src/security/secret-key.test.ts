import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StartProblem } from '../runtime/app-error.ts';
import { loadSecretKey } from './secret-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'invigil-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['empty', ''],
  ['cut short', 'abc'],
  ['blank', ' \n'],
])('refuses a key file that is %s, and does not change it', (_case, text) => {
  const path = join(folder, 'secret-key');
  writeFileSync(path, text);
  expect(() => loadSecretKey(folder)).toThrow(StartProblem);
  expect(() => loadSecretKey(folder)).toThrow(`${path} does not contain a secret key`);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it('reports a folder that cannot store a key', () => {
  expect(() => loadSecretKey(join(folder, 'missing'))).toThrow(/cannot be stored in .*missing/);
});

it('creates a key once, for its owner only', () => {
  const key = loadSecretKey(folder);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600);
  expect(loadSecretKey(folder)).toBe(key);
  expect(readdirSync(folder)).toEqual(['secret-key']);
});

it('ignores leftovers of an interrupted start', () => {
  writeFileSync(join(folder, 'secret-key.1234.abcd'), '');
  expect(loadSecretKey(folder)).toMatch(/^[0-9a-f]{64}$/);
});

it('creates a different key in another folder', () => {
  const other = mkdtempSync(join(tmpdir(), 'invigil-key-'));
  try {
    expect(loadSecretKey(other)).not.toBe(loadSecretKey(folder));
  } finally {
    rmSync(other, { recursive: true });
  }
});
