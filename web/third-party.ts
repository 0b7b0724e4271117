import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One package that ships to browsers as part of the detectors. */
export interface ThirdParty {
  name: string;
  /** What of it is shipped. */
  ships: string;
  /** Weights in it, who made them and under which licence; `null` where it holds none. */
  weights: string | null;
}

/** Licences of weights are not in the packages' own files: they were looked up at their makers. */
export const THIRD_PARTY: readonly ThirdParty[] = [
  {
    name: '@vladmandic/human',
    ships: 'the library, which holds TensorFlow.js 4.22.0 (Apache-2.0), and two models',
    weights:
      'BlazeFace and Face Mesh, from Google MediaPipe, Apache-2.0, converted by the maintainer of the package',
  },
  {
    name: '@tensorflow/tfjs-backend-wasm',
    ships: 'the WebAssembly runtime',
    weights: null,
  },
  {
    name: '@ricky0123/vad-web',
    ships: 'the model only, none of the code',
    weights: 'Silero VAD v5, by the Silero Team, MIT',
  },
  {
    name: 'onnxruntime-web',
    ships: 'the runtime, in JavaScript and WebAssembly',
    weights: null,
  },
];

/** The list that is served with the detectors: package, version, licences, and their texts. */
export function thirdPartyText(parts: readonly (ThirdParty & { folder: string })[]): string {
  const sections = parts.map(({ name, ships, weights, folder }) => {
    const about: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const lines = [
      `${name} ${field(about, 'version')}`,
      `License of the code: ${field(about, 'license')}`,
      `Shipped: ${ships}`,
      `Weights: ${weights ?? 'none'}`,
    ];
    const text = licenceText(folder);
    return [...lines, ...(text === null ? [] : ['', text])].join('\n');
  });
  const heading =
    'Third-party parts of the detectors. They run in the browser and come from this server only.';
  return `${[heading, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function field(about: unknown, name: string): string {
  const value = typeof about === 'object' && about !== null ? Reflect.get(about, name) : undefined;
  if (typeof value !== 'string') throw new Error(`a package.json names no ${name}`);
  return value;
}

function licenceText(folder: string): string | null {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name));
  if (file === undefined || !existsSync(join(folder, file))) return null;
  return readFileSync(join(folder, file), 'utf8').trim();
}
