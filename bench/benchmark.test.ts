import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, run } from '../scripts/toolchain.mjs';

const programs = globSync('bench/*/main.ts', { cwd: root }).map((path) => [path]);

it.concurrent.each(programs)('%s can be loaded', async (path) => {
  const env = { BENCH_LOAD_ONLY: '1' };
  const { code, output } = await run('node', [join(root, path)], { env });
  expect([code, output.trim()]).toEqual([0, 'loaded']);
});
