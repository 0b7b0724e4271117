import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that is shipped to browsers as part of the detectors. */
export interface ThirdParty {
  name: string;
  /** The shipped parts. */
  ships: string;
  /** The weights of the package with author and license; `null` if it has none. */
  weights: string | null;
}

/** Licenses of weights are not in the packages: they are from the weights' authors. */
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

/** The list served with the detectors: package, version, licenses, and their texts. */
export function thirdPartyText(parts: readonly (ThirdParty & { folder: string })[]): string {
  const sections = parts.map(({ name, ships, weights, folder }) => {
    const about: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const lines = [
      `${name} ${field(about, 'version')}`,
      `License of the code: ${field(about, 'license')}`,
      `Shipped: ${ships}`,
      `Weights: ${weights ?? 'none'}`,
    ];
    const text = licenseText(folder);
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

function licenseText(folder: string): string | null {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name));
  if (file === undefined || !existsSync(join(folder, file))) return null;
  return readFileSync(join(folder, file), 'utf8').trim();
}
