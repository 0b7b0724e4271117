import { readFileSync } from 'node:fs';
import type { Build, Chunk } from './web-build.ts';

const ENTRY = 'index.html';
const ROUTES = new URL('../../web/src/app/routes.tsx', import.meta.url);

/** Every lazily loaded screen of the route table, by its source's path in web/. */
export function routeScreens(build: Build): Set<string> {
  const imports = readFileSync(ROUTES, 'utf8').matchAll(/import\('(\.[^']+)'\)/g);
  const screens = [...imports].map(([, path = '']) => new URL(path, 'file:///src/app/').pathname);
  const found = new Set(screens.map((path) => path.slice(1)));
  for (const screen of found) chunkOf(build, screen);
  if (found.size === 0) throw new Error('routes.tsx imports no screen: it is not read rightly');
  return found;
}

/** The script of a page, in the order of its need. */
export interface PageScript {
  /** Must be there before the page can be shown: the entry file, its screens, what they import. */
  needed: Chunk[];
  /** What any of it may import later while the page is shown, and everything that this needs. */
  later: Chunk[];
}

/**
 * All script that a browser can load for a page. Only what the route table itself imports stays out:
 * the screens of other pages, when somebody goes there. A screen that fetches another one ahead does
 * load it, and so does one that may import something later: whether it will cannot be seen here.
 *
 * @param routeScreens every screen of the route table
 */
export function scriptOf(
  build: Build,
  screens: readonly string[],
  routeScreens: ReadonlySet<string>,
): PageScript {
  const needed = closure(build, [ENTRY, ...screens], ({ imports }) => imports);
  const all = closure(build, needed.keys(), ({ imports, dynamicImports }, key) => [
    ...imports,
    ...dynamicImports.filter((target) => !(key === ENTRY && routeScreens.has(target))),
  ]);
  const later = [...all].filter(([key]) => !needed.has(key)).map(([, chunk]) => chunk);
  return { needed: [...needed.values()], later };
}

function closure(
  build: Build,
  from: Iterable<string>,
  follow: (chunk: Chunk, key: string) => string[],
): Map<string, Chunk> {
  const found = new Map<string, Chunk>();
  const waiting = [...from];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (found.has(key)) continue;
    const chunk = chunkOf(build, key);
    found.set(key, chunk);
    waiting.push(...follow(chunk, key));
  }
  return found;
}

function chunkOf(build: Build, key: string): Chunk {
  const chunk = build.chunks.get(key);
  if (!chunk) throw new Error(`the build has no file for ${key}`);
  return chunk;
}
