import { readFileSync } from 'node:fs';
import type { Build, Chunk } from './web-build.ts';

const ENTRY = 'index.html';
/** Chunks that only these load come after the page can be used, with the models. */
const MONITORING = [
  'src/proctoring/engines/load-engines.ts',
  'src/proctoring/device-trial.ts',
  'src/candidate/monitoring/invigilation.ts',
];
/** Loaded only with a paper that has formatted texts, formulas, or answers other than one option. */
const RICHER = [
  'src/question-view/content/markdown-content.tsx',
  'src/question-view/content/mathematics.ts',
  'src/question-view/richer-answers.tsx',
];
const ROUTES = new URL('../../web/src/app/routes.tsx', import.meta.url);

/** The files of every screen that the route table loads on navigation. */
export function routeChunks(build: Build): Set<Chunk> {
  const imports = readFileSync(ROUTES, 'utf8').matchAll(/import\('(\.[^']+)'\)/g);
  const screens = [...imports].map(([, path = '']) => new URL(path, 'file:///src/app/').pathname);
  if (screens.length === 0)
    throw new Error('found no screen imports in routes.tsx: the pattern is outdated');
  return new Set(screens.map((path) => chunkOf(build, path.slice(1))));
}

/** The script of a page, in loading order. */
export interface PageScript {
  /** Needed to show the page: the entry file, its screens and their imports. */
  needed: Chunk[];
  /** What these may import dynamically while the page is shown, with its imports. */
  later: Chunk[];
  /** Monitoring, in addition: never needed to show the page. */
  monitoring: Chunk[];
  /** What questions beyond plain texts with one right option need, in addition. */
  richer: Chunk[];
}

/**
 * All script that a browser can load for a page, except the screens of other pages, which the route
 * table loads on navigation. Prefetched screens and all dynamic imports count: whether they run is
 * unknown here. Monitoring and what only richer questions need are counted separately, and must not be
 * imported by anything else.
 *
 * @param ofRoutes the files of every screen of the route table
 */
export function scriptOf(
  build: Build,
  screens: readonly string[],
  ofRoutes: ReadonlySet<Chunk>,
): PageScript {
  const chunksOf = (keys: readonly string[]) => keys.map((key) => chunkOf(build, key));
  const entry = chunkOf(build, ENTRY);
  const apart = new Set(chunksOf([...MONITORING, ...RICHER]));
  const needed = closure([entry, ...chunksOf(screens)], ({ imports }) => chunksOf(imports));
  const all = closure(needed, (chunk) => [
    ...chunksOf(chunk.imports),
    ...chunksOf(chunk.dynamicImports).filter(
      (to) => !apart.has(to) && !(chunk === entry && ofRoutes.has(to)),
    ),
  ]);
  for (const chunk of apart) {
    if (!all.has(chunk)) continue;
    throw new Error(`${chunk.file} is loaded with a screen: it must be imported by import() only`);
  }
  // Not through what the page has anyway: the entry leads to the screens of administrators.
  const besides = (keys: readonly string[]) => {
    const found = closure(chunksOf(keys), (chunk) =>
      all.has(chunk) ? [] : chunksOf([...chunk.imports, ...chunk.dynamicImports]),
    );
    return [...found].filter((chunk) => !all.has(chunk));
  };
  return {
    needed: [...needed],
    later: [...all].filter((chunk) => !needed.has(chunk)),
    monitoring: besides(MONITORING),
    richer: besides(RICHER),
  };
}

function closure(from: Iterable<Chunk>, follow: (chunk: Chunk) => Chunk[]): Set<Chunk> {
  const found = new Set<Chunk>();
  const waiting = [...from];
  for (let chunk = waiting.pop(); chunk !== undefined; chunk = waiting.pop()) {
    if (found.has(chunk)) continue;
    found.add(chunk);
    waiting.push(...follow(chunk));
  }
  return found;
}

/** Finds a chunk by its key, or by a module for sources bundled with others. */
function chunkOf(build: Build, key: string): Chunk {
  const holds = ({ modules }: Chunk) => modules.some((module) => module.endsWith(`/web/${key}`));
  const chunk = build.chunks.get(key) ?? [...build.chunks.values()].find(holds);
  if (!chunk) throw new Error(`the build has no file for ${key}`);
  return chunk;
}
