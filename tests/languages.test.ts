import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TEXT_TESTS } from '../scripts/check.mjs';
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
    'core/src/domain/local-time.ts': /new Intl\.DateTimeFormat\('en-GB', \{/,
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

describe('screens are laid out from start to end', () => {
  const SIDES = 'm[lr]|p[lr]|scroll-[mp][lr]|left|right|border-[lr]|rounded-(?:[lr]|[tb][lr])';
  const WORDS = '(?:text|float|clear|origin|object|bg-(?:linear|gradient)-to)-(?:left|right|[lr])';
  const AXIS = 'translate-x-';
  const classes = linesWith(
    new RegExp(`["'\`\\s:]-?(?:(?:${SIDES})-[\\w(\\[]|(?:border-[lr]|${WORDS})\\b|${AXIS})`),
  );
  const values = linesWith(
    /\b(?:(?:margin|padding|border)(?:Left|Right)|textAlign)\b|\b(?:left|right): [`'"\d]|\bstyle\.(?:left|right)\b/,
  );
  const styles = linesWith(
    /(?:^|[\s;{-])(?:left|right)(?:-[\w-]+)?\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)|to (?:left|right)\b|safe-area-inset-(?:left|right)|\[data-(?:left|right)\]|:dir\(/,
  );

  /** Places that are on one side in every language. */
  const ALLOWED: Record<string, RegExp> = {
    // Placed in pixels of the window, and the corner that points at its control.
    'web/src/ui/place-beside.ts': /element\.style\.left|return \{ side|left: 'right'/,
    'web/src/ui/tooltip.tsx': /fixed top-0 left-0|group-data-\[side=/,
    // In the middle.
    'web/src/candidate/device-check/device-cards.tsx': /left-1\/2 .*-translate-x-1\/2/,
    // The author of a table says where its columns stand.
    'web/src/question-view/content/text-blocks.tsx': /^const ALIGN = /,
    // Charts run from left to right.
    'web/src/ui/bar-chart.tsx': /left: `\$\{mark\.at\}%`/,
    'web/src/admin/attempts/record/record-timeline.tsx': /-translate-x-(?:full|1\/2)/,
    // A phone on its side has its camera left or right, and a box has more content left or right.
    'web/src/main.css': /safe-area-inset-|&(?:\[data-(?:left|right)\])+ \{|\[data-holds\]/,
  };

  const looks = (path: string) =>
    path.endsWith('.css') ? styles : (text: string) => [...classes(text), ...values(text)];

  test.each([
    ['a.tsx', '<p className="flex ml-2">'],
    ['a.tsx', "const side = open ? 'lg:pl-4' : '';"],
    ['a.tsx', 'className={`-mr-1 flex`}'],
    ['a.tsx', '<th className="text-left">'],
    ['a.tsx', '<p className="absolute right-0">'],
    ['a.tsx', '<p className="border-l border-line">'],
    ['a.tsx', '<p className="rounded-tl-md">'],
    ['a.tsx', 'style={{ marginLeft: 4 }}'],
    ['a.tsx', "style={{ left: '4px' }}"],
    ['a.css', 'padding-left: 1rem;'],
    ['a.css', 'text-align: right;'],
    ['a.css', 'left: 0;'],
    ['a.css', '.sign:dir(rtl) {'],
    ['a.css', 'background: linear-gradient(to right, red, blue);'],
  ])('in %s, %s is found', (path, line) => {
    expect(looks(path)(`/* ml-2 */\n${line}\n`)).toEqual([line]);
  });

  test.each([
    ['a.tsx', '<p className="ms-2 pe-4 start-0 text-start border-s">'],
    ['a.tsx', "side === 'left' ? anchor.left : copyright"],
    ['a.css', 'margin-inline-start: 1rem; inset-inline: 0; text-align: start;'],
  ])('in %s, %s is not', (path, line) => {
    expect(looks(path)(line)).toEqual([]);
  });

  test('there is nothing else', () => {
    const paths = filesOf(['web/src'], /\.(?:tsx?|css)$/);
    const pathsOf = (isStyle: boolean) => paths.filter((path) => path.endsWith('.css') === isStyle);
    expect(pathsOf(true)).toContain('web/src/main.css');
    const all = [pathsOf(true), pathsOf(false)].map((some) =>
      found(some, looks(some[0] ?? ''), ALLOWED),
    );
    expect(all.flatMap(({ lines }) => lines)).toEqual([]);
    const isUnusedInBoth = (path: string) => all.every(({ unused }) => unused.includes(path));
    expect(Object.keys(ALLOWED).filter(isUnusedInBoth)).toEqual([]);
  });
});

describe('npm run check', () => {
  test('runs tests of texts that are there', () => {
    // Vitest leaves out a file that has another name by now, without a word.
    expect(TEXT_TESTS.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(TEXT_TESTS).toContain('tests/languages.test.ts');
  });

  test('shows every screen of which there is a picture', () => {
    const specs = globSync('e2e/*screens*.spec.ts', { cwd: root });
    const code = (path: string) => readFileSync(join(root, path), 'utf8');
    const shown = specs.filter((path) => /\bcheckScreen\(|\bvisit\(/.test(code(path)));
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((path) => code(path).includes('@long'))).toEqual([]);
  });
});
