import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_DEFECTS, DEFECTS, GROUPS } from './defects.mjs';
import { FAULTS } from './injected/faults.ts';
import { type DefectiveBuilds, openDefectiveBuilds } from './run-defects.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['core/src', 'server/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
    join(root, folder, path),
  ),
);

it.each(DEFECTS)('"$name" is played during a fault that exists', ({ during }) => {
  expect(FAULTS.one.map(({ name }) => name)).toContain(during);
});

it.each(ALL_DEFECTS)('"$name" can still be injected', ({ edits, testedBy }) => {
  expect(existsSync(join(root, testedBy))).toBe(true);
  for (const { file, honest } of edits) {
    const paths = sources.filter((path) => path.endsWith(file));
    expect(paths).toHaveLength(1);
    expect(readFileSync(paths[0]!, 'utf8').split(honest)).toHaveLength(2);
  }
});

it('every defect is in one group, and no group has two with the same counterexample', () => {
  expect(GROUPS.flat().toSorted()).toEqual(DEFECTS.map(({ name }) => name).toSorted());
  for (const names of GROUPS) {
    const words = DEFECTS.filter(({ name }) => names.includes(name)).map((one) => one.caughtBy);
    expect(new Set(words).size).toBe(names.length);
  }
});

// Concurrently, each with its own database: most of the time is waiting.
describe.concurrent('on a real server', { tags: 'long' }, () => {
  let builds: DefectiveBuilds;
  beforeAll(async () => {
    builds = await openDefectiveBuilds();
  });
  afterAll(() => builds[Symbol.asyncDispose]());

  const groups = GROUPS.map((names) => ({ names, title: names.join('; ') }));
  it.each(groups)('detects a build that $title', async ({ names }) => {
    const caught = await builds.play(...names);
    expect(caught.filter(({ counterexample }) => counterexample.length === 0)).toEqual([]);
    expect(caught).toHaveLength(names.length);
  });

  it('finds nothing in the unmodified build under the same faults', async () => {
    expect(await builds.playUnmodified()).toEqual([]);
  });
});
