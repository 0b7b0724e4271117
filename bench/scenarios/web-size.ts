import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { isPseudo } from '@invigil/core/texts/languages';
import { conclude, print, printRows } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';

/** All script of a page, compressed as the server sends it, without the detectors. */
const MOST_BYTES = 150_000;
/** The test screen, as far as it must be here before the first question is shown, in any language. */
const MOST_TO_SHOW = 155_000;
const WEB = fileURLToPath(new URL('../../web/', import.meta.url));
const CANDIDATE = 'src/candidate';
const LOGIN = 'src/public/login/login-screen.tsx';

/**
 * Pages by the screens that they mount (web/src/app/routes.tsx). Sign-in leads to the instructions
 * without a reload, so the first screen is both; the test screen is measured as after a reload, which
 * loads the most.
 */
const PAGES: { name: string; screens: string[]; most?: number }[] = [
  {
    name: 'first screen: `/login`, then `/quiz/instructions`',
    screens: [LOGIN, `${CANDIDATE}/entry/instructions-screen.tsx`],
    most: MOST_BYTES,
  },
  {
    name: 'test screen: `/quiz/assessment`',
    screens: [`${CANDIDATE}/test/attempt-layout.tsx`, `${CANDIDATE}/test/assessment-screen.tsx`],
    most: MOST_BYTES,
  },
  {
    name: 'the whole session: sign-in to end',
    screens: [
      LOGIN,
      ...[
        'entry/instructions-screen',
        'device-check/permissions-screen',
        'test/assessment-screen',
        'test/review-screen',
        'outcome/thank-you-screen',
        'test/attempt-layout',
      ].map((screen) => `${CANDIDATE}/${screen}.tsx`),
    ],
  },
];
/** Chunks that only these load come after the page can be used, with the models. */
const MONITORING = [
  'src/proctoring/engines/load-engines.ts',
  'src/proctoring/device-trial.ts',
  'src/candidate/monitoring/monitoring.ts',
];
/** Loaded only with a paper that has more than plain texts and options, or before an opening time. */
const RICHER = [
  'src/question-view/content/markdown-content.tsx',
  'src/question-view/content/mathematics.ts',
  'node_modules/katex/dist/contrib/mhchem.mjs',
  'src/question-view/richer-answers.tsx',
  'src/question-view/row-answers.tsx',
  'src/candidate/device-check/waiting.tsx',
];
/** Only administrators may load these. */
const ADMIN_ONLY = [
  /\/web\/src\/admin\//,
  /\/web\/src\/app\/frame\/admin-/,
  /\/node_modules\/(react-hook-form|@hookform|recharts|csv-parse|csv-stringify)\//,
];

/** Texts of a part of the screens in a language (web/texts.ts). */
const CATALOGUE = /^\0catalogues:([\w-]+)\/(test|candidate|portal)$/;

/** One script of the build, as Vite returns it. */
interface Chunk {
  fileName: string;
  code: string;
  /** Absolute paths of the sources in it. */
  moduleIds: string[];
  isEntry: boolean;
  /** File names loaded with it, and those that it may load later. */
  imports: string[];
  dynamicImports: string[];
  viteMetadata?: { importedAssets: Set<string> };
}

await conclude('web-size', async () => {
  const chunks = await buildWeb();
  const modules = [...chunks.values()].flatMap(({ moduleIds }) => moduleIds);
  for (const pattern of ADMIN_ONLY.slice(0, 2)) {
    if (modules.some((module) => pattern.test(module))) continue;
    throw new Error(`no module of the build matches ${pattern}: has the folder moved?`);
  }
  const ofRoutes = routeChunks(chunks);
  const pages = PAGES.map((page) => ({ ...page, ...scriptOf(chunks, page.screens, ofRoutes) }));
  const rows = pages.map(({ name, most, needed, languages, all, monitoring, richer }) => ({
    page: name,
    'brotli bytes': brotliOf(all),
    target: most === undefined ? '' : `< ${most}`,
    'to show it': brotliOf(needed),
    'in the longest language': Math.max(...languages.map(brotliOf)),
    'fetched later': brotliOf(all) - brotliOf(needed),
    plain: [...all].reduce((sum, { code }) => sum + Buffer.byteLength(code), 0),
    files: all.size,
    'admin modules': intrudersOf(all).length,
    monitoring: brotliOf(monitoring),
    'richer questions': brotliOf(richer),
  }));
  printRows(rows);
  const intruders = pages.flatMap(({ most, all }) => (most ? intrudersOf(all) : []));
  for (const module of intruders) print(`admin code: ${module}`);
  return {
    figures: [
      ...rows.map(({ page, 'brotli bytes': value }, i) => {
        const most = PAGES[i]?.most;
        return { name: page, value, ...(most === undefined ? {} : { most }) };
      }),
      {
        name: 'to show the test screen, in the longest language',
        value:
          rows.find(({ page }) => page.startsWith('test screen'))?.['in the longest language'] ?? 0,
        most: MOST_TO_SHOW,
      },
      { name: 'admin modules in them', value: intruders.length, most: 0 },
    ],
    machine: describeMachine(),
  };
});

async function buildWeb(): Promise<Map<string, Chunk>> {
  const vite = createRequire(`${WEB}package.json`).resolve('vite');
  const { build } = await import(pathToFileURL(vite).href);
  process.env.NODE_ENV = 'production';
  const options = { root: WEB, configLoader: 'native', logLevel: 'error', build: { write: false } };
  const { output } = await build(options);
  const chunks = new Map<string, Chunk>();
  // Workers and scripts referenced by URL are assets, with a source.
  for (const file of output as (Partial<Chunk> & { fileName: string; source?: string })[]) {
    if (!/\.m?js$/.test(file.fileName)) continue;
    const asset = { isEntry: false, moduleIds: [], imports: [], dynamicImports: [] };
    chunks.set(file.fileName, { ...asset, code: String(file.source), ...file });
  }
  return chunks;
}

/** The files of every screen that the route table loads on navigation. */
function routeChunks(chunks: Map<string, Chunk>): Set<Chunk> {
  const routes = readFileSync(`${WEB}src/app/routes.tsx`, 'utf8');
  const paths = [...routes.matchAll(/import\('(\.[^']+)'\)/g)].map(([, path = '']) => path);
  if (paths.length === 0) throw new Error('no screen imports in routes.tsx: pattern outdated');
  const keys = paths.map((path) => new URL(path, 'file:///src/app/').pathname.slice(1));
  return new Set(keys.map((key) => chunkWith(chunks, key)));
}

/**
 * All script that a browser can load for a page, except the screens of other pages, which the route
 * table loads on navigation. Prefetched screens and all dynamic imports count: whether they run is
 * unknown here. Monitoring and what only richer questions need are counted separately, and must not be
 * imported by anything else.
 *
 * @param ofRoutes the files of every screen of the route table
 */
function scriptOf(
  chunks: Map<string, Chunk>,
  screens: readonly string[],
  ofRoutes: ReadonlySet<Chunk>,
) {
  const named = (names: Iterable<string>) => [...names].flatMap((name) => chunks.get(name) ?? []);
  const withKeys = (keys: readonly string[]) => keys.map((key) => chunkWith(chunks, key));
  const later = (chunk: Chunk) =>
    named([...chunk.dynamicImports, ...(chunk.viteMetadata?.importedAssets ?? [])]);
  const entries = [...chunks.values()].filter(({ isEntry }) => isEntry);
  const texts = textChunks(chunks, screens);
  const isText = ({ moduleIds }: Chunk) => CATALOGUE.test(moduleIds[0] ?? '');
  const apart = new Set(withKeys([...MONITORING, ...RICHER]));
  /** To show the page: the entry file, its screens and their imports. */
  const shown = closure([...entries, ...withKeys(screens)], ({ imports }) => named(imports));
  // A page loads the texts of one language.
  const languages = [...texts.values()].map((own) => new Set([...shown, ...own]));
  const needed = new Set([...shown, ...(texts.get('en') ?? [])]);
  const all = closure(needed, (chunk) => [
    ...named(chunk.imports),
    ...later(chunk).filter(
      (to) => !apart.has(to) && !(chunk.isEntry && ofRoutes.has(to)) && !isText(to),
    ),
  ]);
  for (const chunk of apart) {
    if (!all.has(chunk)) continue;
    throw new Error(`${chunk.fileName} is loaded with a screen: import() it only`);
  }
  // Not through what the page has anyway: the entry leads to the screens of administrators.
  const besides = (keys: readonly string[]) => {
    const found = closure(withKeys(keys), (chunk) =>
      all.has(chunk) ? [] : [...named(chunk.imports), ...later(chunk)],
    );
    return [...found].filter((chunk) => !all.has(chunk));
  };
  return { needed, languages, all, monitoring: besides(MONITORING), richer: besides(RICHER) };
}

/** The texts of a page by language: those of the test, and with other screens the rest of the candidate's. */
function textChunks(chunks: Map<string, Chunk>, screens: readonly string[]): Map<string, Chunk[]> {
  const isTest = screens.every((screen) => screen.startsWith(`${CANDIDATE}/test/`));
  const parts = isTest ? ['test'] : ['test', 'candidate'];
  const found = Object.groupBy(
    [...chunks.values()].filter(({ moduleIds: [id = ''] }) => {
      const [, tag = '', part = ''] = CATALOGUE.exec(id) ?? [];
      return parts.includes(part) && !isPseudo(tag);
    }),
    ({ moduleIds: [id = ''] }) => CATALOGUE.exec(id)?.[1] ?? '',
  );
  if (found.en?.length !== parts.length) throw new Error('the build has no texts in English');
  return new Map(Object.entries(found).map(([tag, own = []]) => [tag, own]));
}

function closure(from: Iterable<Chunk>, follow: (chunk: Chunk) => Chunk[]): Set<Chunk> {
  const found = new Set(from);
  // A set returns what is added during the loop as well.
  for (const chunk of found) for (const next of follow(chunk)) found.add(next);
  return found;
}

function chunkWith(chunks: Map<string, Chunk>, key: string): Chunk {
  const holds = ({ moduleIds }: Chunk) => moduleIds.some((id) => id.endsWith(`/${key}`));
  const chunk = [...chunks.values()].find(holds);
  if (!chunk) throw new Error(`the build has no file for ${key}`);
  return chunk;
}

function intrudersOf(chunks: Iterable<Chunk>): string[] {
  const modules = [...chunks].flatMap(({ moduleIds }) => moduleIds);
  return modules.filter((module) => ADMIN_ONLY.some((pattern) => pattern.test(module)));
}

function brotliOf(chunks: Iterable<Chunk>): number {
  const sizes = [...chunks].map(({ code }) => {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(code),
    };
    return brotliCompressSync(code, { params }).length;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
