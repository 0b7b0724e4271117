import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../scripts/toolchain.mjs';

/** The comments of a text that begin without their subject; lines of `//` in a row are one comment. */
function withoutSubject(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, i) => {
    if (line.startsWith('//') && lines[i - 1]?.startsWith('//')) return [];
    const [, words] = /^(?:\/\/|\{?\/\*+)\s*(.*)$/.exec(line) ?? [];
    const opening = words === '' ? (lines[i + 1] ?? '').replace(/^\*\s*/, '') : (words ?? '');
    return /^(What|Of|Its|Those|For|Without|As|In|Where)\b/.test(opening) ? [opening] : [];
  });
}

test('a comment that begins without its subject is found', () => {
  const line = '// Names go first.\n// Of others what is known.\nconst a = 1; // In a line of code';
  expect(
    withoutSubject(`${line}\n// Where it is.\n/**\n * Its name. */\n{/* As it is */}`),
  ).toEqual(['Where it is.', 'Its name. */', 'As it is */}']);
});

test('comments begin with their subject or a verb', () => {
  const folders = ['core', 'server', 'web', 'testkit', 'bench', 'e2e', 'scripts'];
  const files = execFileSync('git', ['ls-files', '--', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.(tsx?|mjs|css)$/.test(path));
  const found = files.flatMap((path) =>
    withoutSubject(readFileSync(join(root, path), 'utf8')).map((words) => `${path}: ${words}`),
  );
  expect(found).toEqual([]);
});
