import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../scripts/toolchain.mjs';

/** The product's own files of some kinds, without tests. */
const filesOf = (folders: readonly string[], kinds: RegExp): string[] =>
  execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((path) => kinds.test(path) && !/\.test\.tsx?$|\/testing\//.test(path));

/** The lines of all files with something that the pattern finds, without those on the list. */
function found(paths: string[], find: (text: string) => string[], allowed: Record<string, RegExp>) {
  const used = new Set<string>();
  const lines = paths.flatMap((path) =>
    find(readFileSync(join(root, path), 'utf8')).flatMap((line) => {
      if (!allowed[path]?.test(line)) return [`${path}: ${line}`];
      used.add(path);
      return [];
    }),
  );
  return { lines, unused: Object.keys(allowed).filter((path) => !used.has(path)) };
}

const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const linesWith = (pattern: RegExp) => (text: string) =>
  withoutComments(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => pattern.test(line));

describe('numbers, dates and lists are written in one place', () => {
  const DOOR = 'core/src/domain/locale.ts';
  const formats = linesWith(
    /['"`]en-(?:GB|US)\b|\.toLocale(?:Date|Time)?String\(|\.localeCompare\(|\bIntl\.\w+\(|new Intl\./,
  );

  /** Formats that programs read, or that are the same in every language. */
  const ALLOWED: Record<string, RegExp> = {
    // Whether a time zone exists.
    'core/src/contract/installation/institution.ts': /'en', \{ timeZone: name \}/,
    'server/src/runtime/config.ts': /resolvedOptions\(\)\.timeZone/,
    'web/src/lib/format.ts': /resolvedOptions\(\)\.timeZone/,
    'web/src/admin/installation/settings/institution-card.tsx': /supportedValuesOf/,
    // Parts of a time for spreadsheets and file names.
    'server/src/runtime/wall-time.ts': /new Intl\.DateTimeFormat\('en-GB', \{/,
    // A day in ISO 8601.
    'server/src/features/results/certificates.ts': /'sv-SE', \{ timeZone \}/,
    // Graphemes.
    'server/src/formats/certificate/print-certificate.ts': /new Intl\.Segmenter\(/,
    'server/src/formats/certificate/print-thread-main.ts': /new Intl\.Segmenter\(/,
  };

  test.each([
    "const day = new Intl.DateTimeFormat('de').format(at);",
    'const n = count.toLocaleString();',
    'const day = at.toLocaleDateString(locale);',
    "const locale = 'en-GB';",
    'names.sort((a, b) => a.localeCompare(b));',
    'const zone = Intl.DateTimeFormat();',
  ])('%s is found', (line) => {
    expect(formats(`// new Intl.\n/* 'en-GB' */\nconst a = 1;\n  ${line}`)).toEqual([line]);
  });

  test('there is no other', () => {
    const files = filesOf(['core/src', 'server/src', 'web/src'], /\.tsx?$/);
    expect(files).toContain(DOOR);
    const others = files.filter((path) => path !== DOOR);
    expect(found(others, formats, ALLOWED)).toEqual({ lines: [], unused: [] });
  });
});
