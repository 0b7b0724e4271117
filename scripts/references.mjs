#!/usr/bin/env node
/**
 * Checks that references resolve inside the repository: links, anchors, pictures and file names of
 * documents; "(I5)" in docs/invariants.md, "product 4.1" in docs/product.md,
 * "specification 9" in docs/conformance.md. Checks the length of documents, and that the pictures of README.md are up to
 * date.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { isEntry, root } from './toolchain.mjs';

/** Most lines of a document; more for tables with one row per requirement. */
const MOST_LINES = [
  { path: /^docs\/decisions\//, lines: 40 },
  { path: /^README\.md$/, lines: 120 },
  { path: /^CONTRIBUTING\.md$/, lines: 80 },
  { path: /^docs\/architecture\.md$/, lines: 130 },
  { path: /^docs\/(?:conformance|asvs|benchmarks)\.md$/, lines: 650 },
  { path: /^docs\//, lines: 450 },
];

/** Changed lines of the screens' code after which the pictures are out of date. */
const MOST_CHANGED_LINES = 2_000;
const PICTURES = 'docs/pictures';

/** The pattern of a reference, the document it refers to, and the pattern of its target there. */
const REFERENCES = [
  {
    pattern: /\bI(\d{1,2})\b/g,
    name: 'I',
    document: 'docs/invariants.md',
    target: /^\| I(\d+) \|/gm,
  },
  {
    pattern: /\bproduct (\d{1,2}(?:\.\d{1,2})?)\b/g,
    name: 'product ',
    document: 'docs/product.md',
    target: /^##+ (\d+(?:\.\d+)?)\.? /gm,
  },
  {
    pattern: /\b(?:specification|seed) (\d)\b(?!\d)/g,
    name: 'specification ',
    document: 'docs/conformance.md',
    target: /^## (\d+)\. /gm,
  },
];

/**
 * @typedef {object} Tree
 * @property {readonly string[]} files of the repository, by their paths from its root
 * @property {(path: string) => string} read
 * @property {(path: string) => boolean} exists
 *
 * @param {Tree} tree
 * @returns {string[]} a line for each problem
 */
export function findDangling({ files, read, exists }) {
  const targets = REFERENCES.map(({ document, target }) =>
    exists(document)
      ? new Set([...read(document).matchAll(target)].map((match) => match[1]))
      : new Set(),
  );
  return files.flatMap((path) => {
    if (!/\.(?:md|ts|tsx|mjs|sql|yml)$/.test(path)) return [];
    const text = read(path);
    const dangling = REFERENCES.flatMap(({ pattern, name, document }, i) =>
      [...text.matchAll(pattern)]
        .filter(([, number]) => !targets[i]?.has(number))
        .map(
          ({ index, 1: number }) => `${at(path, text, index)}: ${document} has no ${name}${number}`,
        ),
    );
    if (!path.endsWith('.md')) return dangling;
    return [
      ...dangling,
      ...linksOf(path, text, { read, exists }),
      ...pathsOf(path, text, files),
      ...sizeOf(path, text),
    ];
  });
}

/**
 * @param {string} path
 * @param {string} text
 * @param {Pick<Tree, 'read' | 'exists'>} tree
 */
function linksOf(path, text, { read, exists }) {
  return [...text.matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|srcset)="([^"]+)"/g)].flatMap((match) => {
    const link = match[1] ?? match[2] ?? '';
    if (/^\w+:/.test(link)) return [];
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file));
    const where = at(path, text, match.index);
    if (!exists(target)) return [`${where}: ${link} does not exist`];
    if (anchor === undefined || !target.endsWith('.md')) return [];
    return anchorsOf(read(target)).has(anchor)
      ? []
      : [`${where}: ${target} has no heading #${anchor}`];
  });
}

/**
 * Checks files and folders named as code, by their path or the end of it: `db/pool.ts`, `server/src/`.
 *
 * @param {string} path
 * @param {string} text
 * @param {readonly string[]} files
 */
function pathsOf(path, text, files) {
  const named = /`((?:[\w@.-]+\/)*[\w@.-]+\.(?:tsx?|mjs|sql|ya?ml|css)|(?:[\w@.-]+\/){2,})`/g;
  return [...text.matchAll(named)].flatMap(({ 1: name = '', index }) => {
    const isThere = files.some(
      (file) => `/${file}`.includes(`/${name}`) && (name.endsWith('/') || file.endsWith(name)),
    );
    return isThere ? [] : [`${at(path, text, index)}: ${name} does not exist`];
  });
}

/**
 * Anchors of headings, as GitHub makes them.
 *
 * @param {string} text
 */
function anchorsOf(text) {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/**
 * @param {string} path
 * @param {string} text
 */
function sizeOf(path, text) {
  const most = MOST_LINES.find((one) => one.path.test(path))?.lines;
  const lines = text.trimEnd().split('\n').length;
  return most === undefined || lines <= most ? [] : [`${path}: ${lines} lines, at most ${most}`];
}

/**
 * @param {string} commit the pictures were made from
 * @param {string} numstat output of `git diff --numstat` since then
 * @returns {string[]}
 */
export function findOldPictures(commit, numstat) {
  const lines = numstat
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, , path]) => path !== undefined && !/\.test\.tsx?$/.test(path))
    .reduce((sum, [added]) => sum + Number(added), 0);
  return lines <= MOST_CHANGED_LINES
    ? []
    : [
        `${PICTURES}: ${lines} lines of web/src changed since ${commit.slice(0, 7)}: npm run screenshots -- --readme`,
      ];
}

/**
 * Finds pictures that are older than the screens, since the commit that made them; in a shallow clone that is
 * the only one. Nothing while new ones are not committed.
 *
 * @returns {string[]}
 */
function oldPictures() {
  /** @param {string[]} args */
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  if (git('status', '--porcelain', '--', PICTURES) !== '') return [];
  const commit = git('log', '-1', '--format=%H', '--', PICTURES).trim();
  return findOldPictures(commit, git('diff', '--numstat', commit, '--', 'web/src'));
}

/**
 * @param {string} path
 * @param {string} text
 * @param {number} index
 */
const at = (path, text, index) => `${path}:${text.slice(0, index).split('\n').length}`;

if (isEntry(import.meta.url)) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root });
  const files = listed
    .toString()
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));
  const dangling = findDangling({
    files,
    // The examples in its own test are not references.
    read: (path) =>
      path === 'tests/references.test.ts' ? '' : readFileSync(join(root, path), 'utf8'),
    exists: (path) => existsSync(join(root, path)),
  });
  const problems = [...dangling, ...oldPictures()];
  for (const problem of problems) console.log(problem);
  console.log(`${files.length} files, ${problems.length} dangling, too long or out of date`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
