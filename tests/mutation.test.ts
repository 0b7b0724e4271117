import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RUNS } from '../scripts/mutation-runs.mjs';
import { root } from '../scripts/toolchain.mjs';

test('every path of a run of mutations finds a file, and no file is in two runs', () => {
  const found = (glob: string) => globSync(glob, { cwd: root });
  const globs = Object.values(RUNS).flatMap(({ mutate, tests }) => [...mutate, ...tests]);
  expect(globs.filter((glob) => found(glob).length === 0)).toEqual([]);
  const changed = Object.values(RUNS).flatMap(({ mutate }) => mutate.flatMap(found));
  expect(changed.filter((path) => path.endsWith('.test.ts'))).toEqual([]);
  expect(new Set(changed).size).toBe(changed.length);
});
