import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../scripts/toolchain.mjs';

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test.each(documents)('every link of %s leads to a file that is there', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);
  const broken = targets.filter(
    (target) => !/^\w+:/.test(target) && !existsSync(join(root, dirname(document), target)),
  );
  expect(broken).toEqual([]);
});
