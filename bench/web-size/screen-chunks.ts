import { readFileSync } from 'node:fs';
import type { Build, Chunk } from './web-build.ts';

const ENTRY = 'index.html';
/** What only these bring comes after the questions can be answered, beside the models. */
const MONITORING = [
  'src/proctoring/engines/load-engines.ts',
  'src/proctoring/device-trial.ts',
  'src/candidate/monitoring/invigilation.ts',
];
const ROUTES = new URL('../../web/src/app/routes.tsx', import.meta.url);

/** The files of every screen that the route table loads when someone goes there. */
export function routeChunks(build: Build): Set<Chunk> {
  const imports = readFileSync(ROUTES, 'utf8').matchAll(/import\('(\.[^']+)'\)/g);
  const screens = [...imports].map(([, path = '']) => new URL(path, 'file:///src/app/').pathname);
  if (screens.length === 0) throw new Error('routes.tsx imports no screen: it is not read rightly');
  return new Set(screens.map((path) => chunkOf(build, path.slice(1))));
}

/** The script of a page, in the order of its need. */
export interface PageScript {
  /** Must be there before the page can be shown: the entry file, its screens, what they import. */
  needed: Chunk[];
  /** What any of it may import later while the page is shown, and everything that this needs. */
  later: Chunk[];
  /** What watches and judges, on top of all that: never needed to show the page. */
  monitoring: Chunk[];
}

/**
 * All script that a browser can load for a page. Only what the route table itself imports stays out:
 * the screens of other pages, when someone goes there. A screen that fetches another one ahead does
 * load it, and so does one that may import something later: whether it will cannot be seen here.
 * What monitors is counted apart; that nothing else needs it is seen here too.
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
  const monitoring = new Set(chunksOf(MONITORING));
  const needed = closure([entry, ...chunksOf(screens)], ({ imports }) => chunksOf(imports));
  const all = closure(needed, (chunk) => [
    ...chunksOf(chunk.imports),
    ...chunksOf(chunk.dynamicImports).filter(
      (to) => !monitoring.has(to) && !(chunk === entry && ofRoutes.has(to)),
    ),
  ]);
  for (const chunk of monitoring) {
    if (!all.has(chunk)) continue;
    throw new Error(`${chunk.file} came with a screen: it must be imported by import() only`);
  }
  const watching = closure(monitoring, ({ imports, dynamicImports }) =>
    chunksOf([...imports, ...dynamicImports]),
  );
  return {
    needed: [...needed],
    later: [...all].filter((chunk) => !needed.has(chunk)),
    monitoring: [...watching].filter((chunk) => !all.has(chunk)),
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

/** By its key; a source that was put into a file with others has none of its own. */
function chunkOf(build: Build, key: string): Chunk {
  const holds = ({ modules }: Chunk) => modules.some((module) => module.endsWith(`/web/${key}`));
  const chunk = build.chunks.get(key) ?? [...build.chunks.values()].find(holds);
  if (!chunk) throw new Error(`the build has no file for ${key}`);
  return chunk;
}
