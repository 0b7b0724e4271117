import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, run } from '../scripts/toolchain.mjs';

/** Every file that the browser may load for the detectors; each new one needs a license review. */
const SHIPPED = {
  face: [
    'blazeface.bin',
    'blazeface.json',
    'facemesh.bin',
    'facemesh.json',
    'tfjs-backend-wasm-simd.wasm',
  ],
  voice: ['ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm', 'silero_vad_v5.onnx'],
};

let assets: string;
let names: string[];

beforeAll(async () => {
  assets = mkdtempSync(join(tmpdir(), 'invigil-detector-files-'));
  const script = join(root, 'web', 'detector-files.ts');
  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { dirname, join } from 'node:path';
    import { detectorFiles } from ${JSON.stringify(script)};
    const plugin = detectorFiles();
    const emitFile = ({ fileName, source }) => {
      const path = join(${JSON.stringify(assets)}, fileName);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, source);
    };
    plugin.generateBundle.call({ emitFile });
    writeFileSync(join(${JSON.stringify(assets)}, 'manifest.json'), plugin.config().define.__DETECTOR_FILES__);
  `;
  const { code, output } = await run('node', ['--input-type=module', '--eval', program]);
  expect(code, output).toBe(0);
  names = readdirSync(join(assets, 'assets'));
});
afterAll(() => rmSync(assets, { recursive: true, force: true }));

const manifest = () => JSON.parse(readFileSync(join(assets, 'manifest.json'), 'utf8'));

test('only the models of presence, pose and voice are shipped', () => {
  const folders = names.filter((name) => !name.endsWith('.txt'));
  expect(folders).toHaveLength(2);
  for (const [engine, files] of Object.entries(SHIPPED)) {
    const folder = folders.find((name) => name.startsWith(`${engine}-`)) ?? 'none';
    expect(readdirSync(join(assets, 'assets', folder)).sort()).toEqual(files);
  }
});

test('the manifest has the hashed folders, their sizes and the list of licenses', () => {
  const { face, voice, thirdParty } = manifest();
  for (const { folder, bytes } of [face, voice]) {
    expect(folder).toMatch(/^\/assets\/(face|voice)-[\w-]{8}\/$/);
    const files = readdirSync(join(assets, folder));
    const sizes = files.map((name) => readFileSync(join(assets, folder, name)).length);
    expect(bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  }
  expect(thirdParty).toMatch(/^\/assets\/third-party-[\w-]{8}\.txt$/);
  expect(existsSync(join(assets, thirdParty))).toBe(true);
});

test('the list has every shipped package, its version, and the licenses of code and weights', () => {
  const text = readFileSync(join(assets, manifest().thirdParty), 'utf8');
  for (const [name, license, weights] of [
    ['@vladmandic/human', 'MIT', /BlazeFace and Face Mesh.*Apache-2\.0/],
    ['@tensorflow/tfjs-backend-wasm', 'Apache-2.0', /none/],
    ['@ricky0123/vad-web', 'ISC', /Silero VAD v5.*MIT/],
    ['onnxruntime-web', 'MIT', /none/],
  ] as const) {
    const { version } = JSON.parse(
      readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
    );
    const section = text.split('-'.repeat(80)).find((one) => one.includes(`${name} ${version}`));
    expect(section, name).toContain(`License of the code: ${license}\
`);
    expect(section, name).toMatch(new RegExp(`Weights: .*${weights.source}`));
  }
});
