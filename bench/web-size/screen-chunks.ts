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

/**
 * All script that a browser can load for a page: the entry file, the page's screens, everything
 * they import, and everything that any of it may import later while the page is shown. Only the
 * screens of other pages, which the route table imports when somebody goes there, stay out.
 *
 * @param otherPages every screen of the route table
 */
export function chunksOf(
  build: Build,
  screens: readonly string[],
  otherPages: ReadonlySet<string>,
): Chunk[] {
  const loaded = new Map<string, Chunk>();
  const waiting = [ENTRY, ...screens];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (loaded.has(key)) continue;
    const chunk = chunkOf(build, key);
    loaded.set(key, chunk);
    waiting.push(...chunk.imports, ...chunk.dynamicImports.filter((key) => !otherPages.has(key)));
  }
  return [...loaded.values()];
}

function chunkOf(build: Build, key: string): Chunk {
  const chunk = build.chunks.get(key);
  if (!chunk) throw new Error(`the build has no file for ${key}`);
  return chunk;
}
