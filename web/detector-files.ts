import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import type { Plugin } from 'vite';
import { THIRD_PARTY, thirdPartyText } from './third-party.ts';

const require = createRequire(import.meta.url);

/**
 * Files that the detectors load at run time, by path, because the packages' `exports` do not include
 * them. Other models of the packages are left out; emotion on principle.
 */
const GROUPS = {
  face: [
    ['@vladmandic/human', 'models/blazeface.json'],
    ['@vladmandic/human', 'models/blazeface.bin'],
    ['@vladmandic/human', 'models/facemesh.json'],
    ['@vladmandic/human', 'models/facemesh.bin'],
    ['@tensorflow/tfjs-backend-wasm', 'dist/tfjs-backend-wasm-simd.wasm'],
  ],
  voice: [
    ['@ricky0123/vad-web', 'dist/silero_vad_v5.onnx'],
    ['onnxruntime-web', 'dist/ort-wasm-simd-threaded.mjs'],
    ['onnxruntime-web', 'dist/ort-wasm-simd-threaded.wasm'],
  ],
} as const;

interface BuiltFile {
  /** Relative to the folder of the build. */
  fileName: string;
  source: Buffer;
}

/**
 * Copies weights and WebAssembly from the packages into the build. The files of an engine refer to
 * each other, so their names are kept and the hash is in the folder's name. The manifest is injected as
 * `__DETECTOR_FILES__` (its type: src/proctoring/engines/detector-files.ts).
 */
export function detectorFiles(): Plugin {
  const face = group('face');
  const voice = group('voice');
  const list = thirdPartyFile();
  const manifest = { face: face.entry, voice: voice.entry, thirdParty: `/${list.fileName}` };
  const all = [...face.files, ...voice.files, list];
  return {
    name: 'detector-files',
    config: () => ({ define: { __DETECTOR_FILES__: JSON.stringify(manifest) } }),
    generateBundle() {
      for (const file of all) this.emitFile({ type: 'asset', ...file });
    },
    configureServer(server) {
      const byPath = new Map(all.map(({ fileName, source }) => [`/${fileName}`, source]));
      server.middlewares.use((request, response, next) => {
        const path = request.url?.split('?')[0] ?? '';
        const source = byPath.get(path);
        if (source === undefined) return next();
        response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
        response.end(source);
      });
    },
  };
}

const TYPES: Record<string, string> = {
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

function group(name: keyof typeof GROUPS) {
  const sources = GROUPS[name].map(([owner, path]) => ({
    name: basename(path),
    source: readFileSync(join(packageFolder(owner), path)),
  }));
  const hash = createHash('sha256');
  for (const file of sources) hash.update(`${file.name}\0`).update(file.source);
  const folder = `assets/${name}-${hash.digest('base64url').slice(0, 8)}`;
  return {
    entry: {
      folder: `/${folder}/`,
      bytes: sources.reduce((sum, { source }) => sum + source.length, 0),
    },
    files: sources.map(
      (file): BuiltFile => ({ fileName: `${folder}/${file.name}`, source: file.source }),
    ),
  };
}

function thirdPartyFile(): BuiltFile {
  const text = thirdPartyText(
    THIRD_PARTY.map((part) => ({ ...part, folder: packageFolder(part.name) })),
  );
  const source = Buffer.from(text);
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  return { fileName: `assets/third-party-${hash}.txt`, source };
}

/** Finds a package's folder by walking up: not every package exports its package.json. */
function packageFolder(name: string): string {
  for (const modules of require.resolve.paths(name) ?? []) {
    const folder = join(modules, name);
    try {
      readFileSync(join(folder, 'package.json'));
      return folder;
    } catch {
      // Not here: try the parent folder.
    }
  }
  throw new Error(`${name} is not installed beside ${dirname(import.meta.url)}`);
}
