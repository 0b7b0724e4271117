import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../scripts/toolchain.mjs';

/** Requirements of levels 1 and 2 per chapter of ASVS 5.0.0. */
const PER_CHAPTER = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];
const OF_LEVEL_1 = 69;

const text = readFileSync(join(root, 'docs/asvs.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line) => {
    const [, id = '', level = '', , status = '', by = ''] = line.split('|').map((c) => c.trim());
    return { id, level, status, by };
  });

test('no requirement is missing or listed twice', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const chapters = PER_CHAPTER.map(
    (_, i) => rows.filter(({ id }) => id.startsWith(`V${i + 1}.`)).length,
  );
  expect(chapters).toEqual(PER_CHAPTER);
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(OF_LEVEL_1);
  expect(rows.filter(({ level }) => level !== '1' && level !== '2')).toEqual([]);
});

test('every row has a status and a reason, and every file it names exists', () => {
  for (const { id, status, by } of rows) {
    expect(['holds', 'partly', 'not', 'n/a'], id).toContain(status);
    expect(by, id).not.toBe('');
    const files = [...by.matchAll(/`([\w./-]+\/[\w./-]+\.\w+)`/g)].map(([, file = '']) => file);
    for (const file of files) expect(existsSync(join(root, file)), `${id}: ${file}`).toBe(true);
  }
});

test('the summary above the tables matches them', () => {
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  expect(text).toContain(
    `${rows.length} requirements: ${count('holds')} hold, ${count('partly')} partly, ${count('not')} not, ${count('n/a')} do not apply.`,
  );
});
