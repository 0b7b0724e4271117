import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { detectorFiles } from './detector-files.ts';
import { fileIntegrity } from './file-integrity.ts';
import { CATALOGUE, texts } from './texts.ts';

/**
 * Removes Zod's JSON Schema conversion (17 kB), which only the server uses, for /api/openapi.json. Each
 * export becomes a function that throws.
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

/** Places in zod/v4/classic/schemas.js, and what they become in the build. */
const LEFT_OUT_OF_ZOD: [place: string, instead: string][] = [
  // Schemas that compile themselves with `new Function`: the page's CSP blocks that, and reports the attempt.
  ['core.$ZodObjectJIT.init(inst, def);', 'core.$ZodObject.init(inst, def);'],
  // Values that contain themselves: no JSON does.
  ['core.config({ memoizer: core.memoizer() });', ';'],
  // Sentences, which only forms of administrators show (src/app/admin-routes.tsx).
  ['import en from "../locales/en.js";', 'const en = () => ({});'],
];

function lighterZod(): Plugin {
  return {
    name: 'lighter-zod',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!/\/zod\/v4\/classic\/schemas\.js$/.test(id)) return null;
      return LEFT_OUT_OF_ZOD.reduce((left, [place, instead]) => {
        if (!left.includes(place)) throw new Error(`zod has changed: no "${place}" in ${id}`);
        return left.replace(place, () => instead);
      }, code);
    },
  };
}

/** Loads modules by web/src/net/load-module.ts, which can try again, instead of by Vite's own helper. */
function retriedModules(): Plugin {
  const helper = '\0vite/preload-helper.js';
  const own = fileURLToPath(new URL('src/net/load-module.ts', import.meta.url));
  let isUsed = false;
  return {
    name: 'retried-modules',
    enforce: 'pre',
    apply: 'build',
    load(id) {
      if (id !== helper) return null;
      isUsed = true;
      return `export { loadModule as __vitePreload } from ${JSON.stringify(own)};`;
    },
    buildEnd(error) {
      if (error === undefined && !isUsed) throw new Error(`vite has changed: no ${helper}`);
    },
  };
}

/** KaTeX's styles name each font in three formats; every supported browser reads the first. */
function onlyWoff2(): Plugin {
  return {
    name: 'only-woff2',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/katex\/dist\/katex\.min\.css$/.test(id)) return null;
      const short = code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, '');
      if (short === code) throw new Error(`katex has changed: no other font formats in ${id}`);
      return short;
    },
  };
}

/** Files of the icons of the test, which loads no others. */
const ICONS_OF_THE_TEST = globSync('src/{candidate/{*,test/*,notices/*},question-view/**/*}.tsx', {
  cwd: fileURLToPath(new URL('.', import.meta.url)),
})
  .flatMap((path) => {
    const code = readFileSync(new URL(path, import.meta.url), 'utf8');
    const names = /import \{([^}]*)\} from 'lucide-react'/.exec(code)?.[1] ?? '';
    return names.match(/\w+/g) ?? [];
  })
  .map((name) => name.replace(/(?<=.)[A-Z]/g, (capital) => `-${capital}`).toLowerCase());

/**
 * Groups of modules that become one file each. The bundler's default is a file per module shared by another
 * set of screens: fifty for the test screen, each compressed separately. Groups contain only what a screen
 * needs in full or soon. A group must not bring administrators' code to candidates, which bench/web-size
 * detects.
 */
const SHARED_FILES = [
  // Needed by every page.
  { name: 'base', tags: ['$initial' as const], priority: 2 },
  // Icons, a few hundred bytes each: one file of the test's, one of those that many other screens share, then one
  // per set of screens. The others stay with their screen.
  {
    name: 'icons',
    test: new RegExp(`/lucide-react/.*/(?:${ICONS_OF_THE_TEST.join('|')})\\.mjs$`),
    priority: 2,
  },
  { name: 'icons', test: /\/lucide-react\//, minShareCount: 5, priority: 2 },
  {
    name: 'icons',
    test: /\/lucide-react\//,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 2_000,
    priority: 1,
  },
  // Parts of the test, and of what follows it, which are fetched together: smaller as one file each. Screens stay
  // apart, because the route table loads them.
  {
    name: 'test',
    test: /\/web\/src\/candidate\/(?:test\/(?!later-screens|feedback-dialog|help\.|[a-z-]+-screen|attempt-layout)|question-states)/,
    includeDependenciesRecursively: false,
    priority: 1,
  },
  {
    name: 'after',
    test: /\/web\/src\/(?:candidate\/(?:outcome\/(?![a-z-]+-screen)|notices\/(?:detected-strip|violation-notices)|monitoring\/seen-notices|use-leaving)|lib\/receipt)|\/core\/src\/contract\/attempts\/receipts/,
    includeDependenciesRecursively: false,
    priority: 1,
  },
  // How numbers and dates are written, on every screen.
  {
    name: 'format',
    test: /\/(?:web\/src\/lib\/format|core\/src\/domain\/locale)\.ts$/,
    priority: 1,
  },
  { name: 'dialog', test: /\/@radix-ui\/react-dialog\//, priority: 1 },
  // Shared by the screens of an attempt; without the modules' imports, because administrators' screens
  // use some of them.
  {
    name: 'quiz',
    test: /\/web\/src\/(?:candidate|proctoring|answer-sync)\//,
    minShareCount: 2,
    includeDependenciesRecursively: false,
    // One file per set of screens that shares it: the first screen does not load the test's.
    entriesAware: true,
    // Compressed alone, a small file costs more than it saves the screens without it.
    entriesAwareMergeThreshold: 1_500,
  },
  // Small modules that most screens have: compressed one by one, they cost half as much again.
  ...[
    /\/web\/src\/ui\/badges\/(?:badge|glyphs|violation-pips)\.tsx$/,
    /\/web\/src\/(?:ui\/(?:skeleton|use-translation|fields\/checkbox)|lib\/format|net\/event-stream)\.tsx?$/,
  ].map((test) => ({
    name: 'shared',
    test,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  })),
  // The candidates’ view of a question, without what only a preview or a result adds.
  {
    name: 'question',
    test: /\/web\/src\/(?:question-view\/(?!preview-paper|result-view|answer-rows|row-)[a-z-]+|ui\/fields\/choice-group)\.tsx?$/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
];

/**
 * The page's CSP has `script-src 'self'` and `font-src 'self'`: no code is inlined, and every file has a
 * hash in its name and is cached for good.
 */
export default defineConfig({
  plugins: [
    withoutJsonSchema(),
    lighterZod(),
    retriedModules(),
    onlyWoff2(),
    detectorFiles(),
    fileIntegrity(),
    texts(),
    react(),
    tailwindcss(),
  ],
  // The detectors' engines are module workers; the sound meter is a worklet.
  worker: { format: 'es' },
  resolve: {
    alias: [
      {
        // The build that fetches its runtime by URL: the other one bundles it.
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
    modulePreload: {
      polyfill: false,
      // With the file of the module itself, which Vite leaves out where it imports no other.
      resolveDependencies: (file, others, { hostType }) =>
        hostType === 'js' ? [...new Set([file, ...others])] : others,
    },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: SHARED_FILES },
        // A split group has the names of all its screens after a tilde. The server finds a catalogue by its name.
        chunkFileNames: ({ name, facadeModuleId }) => {
          const [, language, part] = CATALOGUE.exec(facadeModuleId ?? '') ?? [];
          const own = language === undefined ? name.split('~')[0] : `${part}.${language}`;
          return `assets/${own}-[hash].js`;
        },
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
