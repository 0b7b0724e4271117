import { expect, test } from 'vitest';
import { findDangling, findOldPictures } from '../scripts/references.mjs';

/** A repository in which every reference resolves. */
const TREE: Record<string, string> = {
  'README.md':
    '[architecture](docs/architecture.md#the-path-of-one-answer)\n<img src="docs/a.png">',
  'docs/architecture.md': '# Architecture\n\n## The path of one answer\n',
  'docs/invariants.md': '| I1 | One. |\n| I2 | Two. |',
  'docs/product.md': '## 4. Who decides\n\n### 4.1 Clock\n',
  'docs/conformance.md': '## 0. Preamble\n\n## 9. Limits\n',
  'docs/a.png': '',
  'server/a.ts':
    '// Never moves back (I2), see product 4.1, product 4 and specification 9; seed 20261123 is a number.',
};

function problems(change: Record<string, string> = {}): string[] {
  const tree = { ...TREE, ...change };
  return findDangling({
    files: Object.keys(tree),
    read: (path) => tree[path] ?? '',
    exists: (path) => path in tree,
  });
}

test('a repository without broken references passes', () => {
  expect(problems()).toEqual([]);
});

test.each([
  ['server/a.ts', '\n// (I3)', 'server/a.ts:2: docs/invariants.md has no I3'],
  ['server/a.ts', '// product 4.2', 'server/a.ts:1: docs/product.md has no product 4.2'],
  [
    'server/a.ts',
    '// specification 3',
    'server/a.ts:1: docs/conformance.md has no specification 3',
  ],
  ['README.md', '[gone](docs/gone.md)', 'README.md:1: docs/gone.md does not exist'],
  ['README.md', '![shot](docs/shot.png)', 'README.md:1: docs/shot.png does not exist'],
  ['README.md', '<img src="docs/b.png">', 'README.md:1: docs/b.png does not exist'],
  [
    'docs/architecture.md',
    'x\n[a](invariants.md#nothing)',
    'docs/architecture.md:2: docs/invariants.md has no heading #nothing',
  ],
  ['README.md', 'see `server/b.ts`', 'README.md:1: server/b.ts does not exist'],
  ['README.md', 'see `core/src/`', 'README.md:1: core/src/ does not exist'],
  ['README.md', 'line\n'.repeat(121), 'README.md: 121 lines, at most 120'],
  ['docs/decisions/001-x.md', 'line\n'.repeat(41), 'docs/decisions/001-x.md: 41 lines, at most 40'],
])('reports in %s: %j', (path, text, problem) => {
  expect(problems({ [path]: text })).toContain(problem);
});

test('pictures are out of date after 2,000 changed lines of screens, not counting tests', () => {
  const screens = '1500\t3\tweb/src/app/guards.tsx\n';
  const pictured = 'b1f96b1a';
  expect(findOldPictures(pictured, `${screens}900\t0\tweb/src/app/guards.test.tsx\n`)).toEqual([]);
  expect(findOldPictures(pictured, `${screens}501\t0\tweb/src/main.tsx\n`)).toEqual([
    expect.stringMatching(/^docs\/pictures: 2001 lines .* since b1f96b1:/),
  ]);
});
