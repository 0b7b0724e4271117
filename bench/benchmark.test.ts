import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, run } from '../scripts/toolchain.mjs';
import { type Figure, summaryOf, verdictOf } from './benchmark.ts';
import { slopeOf } from './statistics.ts';

const programs = globSync('bench/{scenarios/*,*/main}.ts', { cwd: root });

it('every program can be loaded', async () => {
  const imports = programs.map((path) => `await import(${JSON.stringify(join(root, path))});`);
  const env = { BENCH_LOAD_ONLY: '1' };
  const { code, output } = await run('node', ['--input-type=module', '-e', imports.join('')], {
    env,
  });
  expect([code, output.match(/\S+/g)]).toEqual([0, programs.map(() => 'loaded')]);
});

const within: Figure = { name: 'at its limits', value: 5, most: 5, least: 5 };

it.each<[string, Figure[]]>([
  ['reached', [within, { name: 'without a limit', value: 99 }]],
  ['not reached', [within, { name: 'too much', value: 5.01, most: 5 }]],
  ['not reached', [within, { name: 'too little', value: 4.99, least: 5 }]],
  ['not reached', [{ name: 'not a number', value: Number.NaN, most: 5 }, within]],
  ['not evaluated', [within, { name: 'not measured', value: null, most: 5 }]],
  [
    'not reached',
    [
      { ...within, value: null },
      { name: 'too much', value: 6, most: 5 },
    ],
  ],
])('a verdict is "%s" with %j', (verdict, figures) => {
  expect(verdictOf(figures)).toBe(verdict);
});

it('says beside the verdict what makes it doubtful', () => {
  const figures = [within];
  expect(summaryOf({ figures, otherShare: 0.1 })).toBe('at its limits: 5 (exactly 5)');
  expect(summaryOf({ figures, otherShare: 0.11, warnings: ['pgbench fell'] })).toBe(
    'at its limits: 5 (exactly 5); pgbench fell; under 11 % other load: repeat on an idle machine',
  );
});

it('computes the slope with noise that cancels out in groups of four', () => {
  const points = Array.from({ length: 20 }, (_, x) => ({
    x,
    y: 3 * x + 7 + [1, -1, -1, 1][x % 4]!,
  }));
  expect(slopeOf(points)).toBeCloseTo(3, 1);
});
