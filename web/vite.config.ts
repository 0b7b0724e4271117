import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { detectorFiles } from './detector-files.ts';

/**
 * Every Zod schema carries the code that prints it as JSON Schema. The server does that for
 * /api/openapi.json; a browser never does, and a candidate need not load it (17 kB). Each export
 * becomes a function that says so.
 */
function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!/\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/.test(id)) return null;
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(
        (match) => match[1],
      );
      const stub = '() => { throw new Error("JSON Schema is not part of the web build"); }';
      return [
        ...names.map((name) => `export const ${name} = ${stub};`),
        ...(names.includes('processSchema') ? ['export { processSchema as process };'] : []),
      ].join('\n');
    },
  };
}

/**
 * Zod tries `new Function` while schemas are made, to see whether it may compile them; the page's
 * policy refuses that and the browser reports it. `z.config` in a module of ours comes too late: the
 * chunk with the contract runs first.
 */
function withoutEval(): Plugin {
  const place = 'export const globalConfig = globalThis.__zod_globalConfig;';
  return {
    name: 'without-eval',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!/\/zod\/v4\/core\/core\.js$/.test(id)) return null;
      if (!code.includes(place)) throw new Error(`zod has changed: no "${place}" in ${id}`);
      return code.replace(place, `${place}\nglobalConfig.jitless = true;`);
    },
  };
}

/**
 * Left to itself the bundler makes a file of each module that another set of screens shares: fifty
 * for the test screen, each compressed without knowing the others. Grouped is only what a screen
 * needs whole or soon. A group must not bring administrators' code to candidates: bench/web-size
 * says so when one does.
 */
const SHARED_FILES = [
  // What every page begins with.
  { name: 'base', tags: ['$initial' as const], priority: 2 },
  // Those that several screens show, a few hundred bytes each; the others stay with their screen.
  { name: 'icons', test: /\/lucide-react\//, minShareCount: 2, priority: 1 },
  { name: 'dialog', test: /\/@radix-ui\/react-dialog\//, priority: 1 },
  // What the screens of an attempt share; not what these modules import, because administrators'
  // screens use some of that too.
  {
    name: 'quiz',
    test: /\/web\/src\/(?:candidate|proctoring|answer-sync)\//,
    minShareCount: 2,
    includeDependenciesRecursively: false,
    // One file for each set of screens that shares it: the first screen does without the test's.
    entriesAware: true,
  },
  // How a question looks to candidates; administrators' preview shows the same.
  {
    name: 'question',
    test: /\/web\/src\/(?:question-view\/[a-z-]+|ui\/fields\/choice-group)\.tsx?$/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
];

/**
 * The page runs under `script-src 'self'` and `font-src 'self'`: nothing is inlined, every file has
 * a hash in its name and can be kept for ever.
 */
export default defineConfig({
  plugins: [withoutJsonSchema(), withoutEval(), detectorFiles(), react(), tailwindcss()],
  // The engines of the detectors are module workers, and the sound meter is a worklet of its own.
  worker: { format: 'es' },
  resolve: {
    alias: [
      {
        // The build that fetches its runtime by address: the other one brings a copy of it in.
        find: /^onnxruntime-web\/wasm$/,
        replacement: fileURLToPath(
          import.meta.resolve('onnxruntime-web/ort-wasm-simd-threaded.mjs'),
        ).replace(/[^/]+$/, 'ort.wasm.min.mjs'),
      },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: SHARED_FILES },
        // A group that is split carries the names of all its screens after a tilde.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
      },
    },
    // The sizes that matter are brotli bytes per screen; bench/web-size measures those.
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': { target: process.env.INVIGIL_API ?? 'http://localhost:3000' } },
  },
});
