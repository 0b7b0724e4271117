#!/usr/bin/env node
/**
 * Checks docs/conformance.md: every sentence of the specification has a row, and every row a place and a test
 * that exist.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEntry, root } from './toolchain.mjs';

const SECTIONS = Array.from({ length: 10 }, (_, section) => section);
const DOCUMENT = 'docs/conformance.md';

/**
 * @typedef {object} Row
 * @property {string} id
 * @property {number} section
 * @property {string[]} places
 * @property {{ path: string, title: string | undefined }[]} holders
 *
 * @typedef {object} Tree the repository that rows refer to
 * @property {(path: string) => boolean} exists
 * @property {(path: string) => string} read
 */

/**
 * @param {string} text the document
 * @param {Tree} tree
 */
export function evaluate(text, tree) {
  /** @type {string[]} */
  const problems = [];
  const rows = text.split('\n').flatMap((line) => {
    if (!/^\| *S\d/.test(line)) return [];
    const row = parse(line);
    if (typeof row !== 'string') return [row];
    problems.push(row);
    return [];
  });

  problems.push(...missing(rows, stated(text)));
  for (const row of rows) {
    if (row.holders.length === 0) problems.push(`${row.id}: no test covers this row`);
    for (const path of row.places.filter((place) => !tree.exists(place))) {
      problems.push(`${row.id}: lives in ${path}, which does not exist`);
    }
    for (const { path, title } of row.holders) {
      if (!tree.exists(path)) problems.push(`${row.id}: held by ${path}, which does not exist`);
      else if (title !== undefined && !tree.read(path).includes(title)) {
        problems.push(`${row.id}: ${path} has no test titled "${title}"`);
      }
    }
  }

  return { rows: rows.length, problems };
}

/**
 * Parses a table line; returns what is wrong if it is malformed.
 *
 * @param {string} line
 * @returns {Row | string}
 */
function parse(line) {
  const cells = line.split('|').map((cell) => cell.trim());
  const [, id = '', sentence, places = '', holders = ''] = cells;
  const key = /^S(\d)\.\d+$/.exec(id);
  if (key === null) return `${id}: an id is S, the section, a dot and a number`;
  if (cells.length !== 7) return `${id}: a row has five columns, this one ${cells.length - 2}`;
  if (!sentence) return `${id}: the sentence is missing`;
  /** @type {Row['holders']} */
  const held = [];
  for (const holder of holders.split(';').map((part) => part.trim())) {
    if (holder === '') continue;
    const parts = /^`([^`]+)`(?: +"(.+)")?$/.exec(holder);
    if (parts === null) return `${id}: "held by" is \`path\` "title", not ${holder}`;
    held.push({ path: parts[1] ?? '', title: parts[2] });
  }
  return {
    id,
    section: Number(key[1]),
    places: [...places.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    holders: held,
  };
}

/** How many rows each section must have, from the document's own header. */
function stated(text) {
  const header = /<!-- rows: (.*?) -->/.exec(text)?.[1] ?? '';
  return new Map(
    [...header.matchAll(/S(\d)=(\d+)/g)].map(([, section, rows]) => [
      Number(section),
      Number(rows),
    ]),
  );
}

/**
 * Finds rows that are not exactly 1, 2, 3 … of each section, up to the stated count.
 *
 * @param {Row[]} rows
 * @param {Map<number, number>} counts
 */
function missing(rows, counts) {
  const due = SECTIONS.flatMap((section) =>
    Array.from({ length: counts.get(section) ?? 0 }, (_, i) => `S${section}.${i + 1}`),
  );
  const ids = rows.filter(({ section }) => counts.has(section)).map(({ id }) => id);
  return [
    ...SECTIONS.filter((section) => !counts.has(section)).map(
      (section) => `section ${section}: the header does not state its number of rows`,
    ),
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${id}: duplicate`),
    ...due.filter((id) => !ids.includes(id)).map((id) => `${id}: missing`),
    ...ids.filter((id) => !due.includes(id)).map((id) => `${id}: beyond the header's count`),
  ];
}

if (isEntry(import.meta.url)) {
  const { rows, problems } = evaluate(readFileSync(join(root, DOCUMENT), 'utf8'), {
    exists: (path) => existsSync(join(root, path)),
    read: (path) => readFileSync(join(root, path), 'utf8'),
  });
  for (const problem of problems) console.log(problem);
  console.log(`${rows} rows, ${problems.length} problem(s) in ${DOCUMENT}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
