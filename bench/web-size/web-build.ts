import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';

const run = promisify(execFile);
const WEB = fileURLToPath(new URL('../../web/', import.meta.url));

/** One script file of the built web app. */
export interface Chunk {
  /** Path in the build folder. */
  file: string;
  code: Buffer;
  /** Absolute paths of the sources in it. */
  modules: string[];
  /** Keys of chunks loaded with it, and of chunks it may load later. */
  imports: string[];
  dynamicImports: string[];
}

export interface Build {
  /** By the key of Vite's manifest: the source's path in web/, or a name for a shared chunk. */
  chunks: Map<string, Chunk>;
}

export class WebBuildFailed extends Error {}

/** An entry of Vite's manifest. */
interface ManifestEntry {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  assets?: string[];
}

/**
 * Builds the web app as the server does, into a temporary folder, with a manifest (imports of files) and
 * source maps (modules in files). Neither changes the files themselves.
 */
export async function buildWeb(): Promise<Build & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'invigil-web-size-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const vite = createRequire(join(WEB, 'package.json')).resolve('vite/package.json');
    const args = ['build', '--configLoader', 'native', '--outDir', folder, '--emptyOutDir'];
    const extras = ['--manifest', '--sourcemap', 'hidden', '--logLevel', 'error'];
    await run(process.execPath, [join(dirname(vite), 'bin', 'vite.js'), ...args, ...extras], {
      cwd: WEB,
      env: { ...process.env, NODE_ENV: 'production' },
    }).catch((error: unknown) => {
      throw new WebBuildFailed(`the web app does not build: ${firstLine(error)}`);
    });
    return { chunks: readChunks(folder), [Symbol.asyncDispose]: async () => remove() };
  } catch (error) {
    remove();
    throw error;
  }
}

function readChunks(folder: string): Map<string, Chunk> {
  const path = join(folder, '.vite', 'manifest.json');
  const manifest: Record<string, ManifestEntry> = JSON.parse(readFileSync(path, 'utf8'));
  const chunks = new Map<string, Chunk>();
  for (const [key, entry] of Object.entries(manifest)) {
    if (!entry.file.endsWith('.js')) continue;
    chunks.set(key, {
      ...readChunk(folder, entry.file),
      imports: entry.imports ?? [],
      // Workers and scripts referenced by URL are loaded later too.
      dynamicImports: [...(entry.dynamicImports ?? []), ...(entry.assets ?? []).filter(isScript)],
    });
  }
  for (const { assets = [] } of Object.values(manifest)) {
    for (const file of assets.filter(isScript)) {
      if (!chunks.has(file)) {
        chunks.set(file, { ...readChunk(folder, file), imports: [], dynamicImports: [] });
      }
    }
  }
  return chunks;
}

function readChunk(folder: string, file: string): Pick<Chunk, 'file' | 'code' | 'modules'> {
  const path = join(folder, file);
  const map = `${path}.map`;
  const sources: string[] = existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')).sources : [];
  return {
    file,
    code: readFileSync(path),
    modules: sources.map((source) => resolve(dirname(path), source)),
  };
}

function isScript(file: string): boolean {
  return /\.m?js$/.test(file);
}

function firstLine(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  const lines = stripVTControlCharacters(output).split('\n');
  return lines.find((line) => line.trim() !== '' && !/build failed|error during/i.test(line)) ?? '';
}
