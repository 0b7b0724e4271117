import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minify, type Plugin, transformWithOxc } from 'vite';

/**
 * Says in the page what each of its files contains, so that a browser runs nothing else under their names,
 * whatever its caches hold: by attribute where the page names a file, and by an import map for the modules
 * that come later. It also writes the service worker, which has the same hashes, for a reload without a
 * connection. Both are written last, when every file is as it stays.
 */
export function fileIntegrity(): Plugin {
  return {
    name: 'file-integrity',
    apply: 'build',
    enforce: 'post',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        if (dir === undefined) throw new Error('the build has no folder');
        const files = await hashesOf(dir);
        const path = join(dir, 'index.html');
        const page = pageWith(files, await readFile(path, 'utf8'));
        await writeFile(path, page);
        await writeFile(join(dir, 'service-worker.js'), await workerOf(page, files));
      },
    },
  };
}

const sha256 = (content: string | Buffer) =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** The hash of every file below `assets`, by its address. */
async function hashesOf(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(join(dir, 'assets'), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hashes = paths.map(async (path) => [
    path.slice(dir.length).replaceAll('\\', '/'),
    sha256(await readFile(path)),
  ]);
  return Object.fromEntries(await Promise.all(hashes));
}

function pageWith(files: Record<string, string>, page: string): string {
  const modules = Object.entries(files).filter(([name]) => /\.m?js$/.test(name));
  const map = JSON.stringify({ integrity: Object.fromEntries(modules) });
  const marked = page.replace(
    /<(?:script|link)\b[^>]*?\b(?:src|href)="(\/assets\/[^"]+\.(?:m?js|css))"/g,
    (tag, name: string) => `${tag} integrity="${files[name]}"`,
  );
  const first = marked.search(/<(?:script|link rel="modulepreload")\b/);
  if (first < 0) throw new Error('index.html has no script');
  return `${marked.slice(0, first)}<script type="importmap">${map}</script>\n    ${marked.slice(first)}`;
}

/** A file of its own at the root, which serves all pages: it shares no code, and its address never changes. */
async function workerOf(page: string, files: Record<string, string>): Promise<string> {
  const source = fileURLToPath(new URL('src/service-worker.ts', import.meta.url));
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), source);
  const build = JSON.stringify({ page: sha256(page), files });
  return (await minify('service-worker.js', `const __BUILD__ = ${build};\n${code}`)).code;
}
