import { brotliCompressSync, constants } from 'node:zlib';
import { type BenchmarkResult, CannotRun, conclude, print, printTable } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import { rounded } from '../statistics.ts';
import { routeChunks, scriptOf } from './screen-chunks.ts';
import { type Build, buildWeb, type Chunk, WebBuildFailed } from './web-build.ts';

/** All script of a page, compressed as the server sends it, without the detectors. */
const MOST_BYTES = 150_000;
const SHOWN_FILES = 8;

const CANDIDATE = 'src/candidate';

/**
 * Pages by the screens that they mount (web/src/app/routes.tsx). Sign-in leads to the instructions
 * without a reload, so the first screen is both; the test screen is measured as after a reload, which
 * loads the most.
 */
const PAGES = [
  {
    key: 'firstScreen',
    name: 'first screen: `/login`, then `/quiz/instructions`',
    screens: ['src/public/login/login-screen.tsx', `${CANDIDATE}/entry/instructions-screen.tsx`],
  },
  {
    key: 'testScreen',
    name: 'test screen: `/quiz/assessment`',
    screens: [`${CANDIDATE}/test/attempt-layout.tsx`, `${CANDIDATE}/test/assessment-screen.tsx`],
  },
  {
    key: 'wholeWay',
    name: 'the whole session: sign-in to end',
    screens: [
      'src/public/login/login-screen.tsx',
      ...[
        'entry/instructions',
        'device-check/permissions',
        'test/assessment',
        'test/review',
        'outcome/thank-you',
      ].map((screen) => `${CANDIDATE}/${screen}-screen.tsx`),
      `${CANDIDATE}/test/attempt-layout.tsx`,
    ],
  },
] as const;

/** Only administrators may load these. */
const ADMIN_ONLY = [
  /\/web\/src\/admin\//,
  /\/web\/src\/app\/frame\/admin-/,
  /\/node_modules\/(react-hook-form|@hookform|recharts|csv-parse|csv-stringify)\//,
  /\/node_modules\/@tanstack\/(react-table|table-core)\//,
];

await conclude('web-size', async (): Promise<BenchmarkResult> => {
  await using build = await buildWeb().catch((error: unknown) => {
    if (error instanceof WebBuildFailed) throw new CannotRun(error.message);
    throw error;
  });
  requireAdminCode(build);
  const ofRoutes = routeChunks(build);
  const pages = PAGES.map((page) => {
    const { needed, later, monitoring, richer } = scriptOf(build, page.screens, ofRoutes);
    const files = [...needed, ...later].map((chunk) => ({ chunk, ...sizeOf(chunk) }));
    const bytes = (chunks: Chunk[], which: 'raw' | 'brotli') =>
      files.filter((f) => chunks.includes(f.chunk)).reduce((sum, f) => sum + f[which], 0);
    const intruders = files.flatMap(({ chunk }) => chunk.modules.filter(isAdminOnly));
    return {
      ...page,
      files: files.sort((a, b) => b.brotli - a.brotli),
      needed: bytes(needed, 'brotli'),
      later: bytes(later, 'brotli'),
      brotli: bytes([...needed, ...later], 'brotli'),
      raw: bytes([...needed, ...later], 'raw'),
      monitoring: brotliOf(monitoring),
      richer: brotliOf(richer),
      intruders: [...new Set(intruders.map(shortName))],
    };
  });

  printTable(
    [
      'page',
      'brotli bytes',
      'target',
      'to show it',
      'fetched later',
      'plain',
      'files',
      'admin modules',
    ],
    pages.map((p) => [
      p.name,
      p.brotli,
      p.key === 'wholeWay' ? '' : `< ${MOST_BYTES}`,
      p.needed,
      p.later,
      p.raw,
      p.files.length,
      p.intruders.length,
    ]),
  );
  const [first, test] = pages;
  if (!first || !test) throw new Error('there are no pages');
  print(`\nMonitoring adds ${kilobytes(test.monitoring)} to the test screen, without the models.`);
  print(
    `\nFormatted texts, formulas and other answers than one option add ${kilobytes(test.richer)}, with a paper that has them.`,
  );
  print('\nThe largest files of the test screen, and what is in them:\n');
  printTable(
    ['file', 'brotli bytes', 'holds'],
    test.files.slice(0, SHOWN_FILES).map((f) => [f.chunk.file, f.brotli, contents(f.chunk)]),
  );
  const withTarget = [first, test];
  for (const { name, intruders } of withTarget) {
    for (const module of intruders) print(`admin code on the ${name}: ${module}`);
  }

  const clean = withTarget.every((p) => p.intruders.length === 0);
  return {
    reached: clean && withTarget.every((p) => p.brotli < MOST_BYTES),
    summary:
      `first screen ${kilobytes(first.brotli)}, test screen ${kilobytes(test.brotli)} ` +
      `(target: under ${kilobytes(MOST_BYTES)} each), ${clean ? 'no admin code' : 'ADMIN CODE'} in them`,
    machine: describeMachine(),
    figures: Object.fromEntries(
      pages.map((p) => [
        p.key,
        {
          brotliBytes: p.brotli,
          ratioToAim: rounded(p.brotli / MOST_BYTES, 2),
          toShowIt: p.needed,
          fetchedLater: p.later,
          monitoring: p.monitoring,
          richerQuestions: p.richer,
          plainBytes: p.raw,
          files: p.files.length,
          adminModules: p.intruders,
        },
      ]),
    ),
  };
});

function brotliOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + sizeOf(chunk).brotli, 0);
}

/** Fails when a pattern matches no module of the build, because it would then check nothing. */
function requireAdminCode(build: Build): void {
  const modules = [...build.chunks.values()].flatMap((chunk) => chunk.modules);
  for (const pattern of ADMIN_ONLY.slice(0, 2)) {
    if (!modules.some((module) => pattern.test(module))) {
      throw new Error(`no module of the build matches ${pattern}: has the folder moved?`);
    }
  }
}

function isAdminOnly(module: string): boolean {
  return ADMIN_ONLY.some((pattern) => pattern.test(module));
}

function sizeOf({ code }: Chunk): { raw: number; brotli: number } {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: code.length,
  };
  return { raw: code.length, brotli: brotliCompressSync(code, { params }).length };
}

/** Packages by their names, our own folders once each. */
function contents({ modules }: Chunk): string {
  const names = modules.map((module) => {
    const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
    return (
      inPackage ?? /\/((?:web|core)\/src(?:\/(?:admin|candidate|public))?\/[^/]+)/.exec(module)?.[1]
    );
  });
  const counts = new Map<string, number>();
  for (const name of names) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return common.length > 6 ? `${common.slice(0, 6).join(', ')}, …` : common.join(', ');
}

function shortName(module: string): string {
  return module.replace(/^.*\/(node_modules|web)\//, '$1/');
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} KB`;
}
