import { defineConfig } from 'vitest/config';
import { askedRun } from './scripts/mutation-areas.mjs';
import everything from './vitest.config.ts';

const { ring, tests } = askedRun();

const project = everything.test?.projects?.find(
  (one) => typeof one === 'object' && 'test' in one && one.test?.name === ring,
);
if (typeof project !== 'object' || !('test' in project)) throw new Error(`no project ${ring}`);

/**
 * The tests of one run of `npm run mutation`, as its ring runs them. Many changes make something hang,
 * and each of those costs the whole time limit.
 */
export default defineConfig({
  test: { ...project.test, include: tests, testTimeout: 10_000, hookTimeout: 20_000 },
});
