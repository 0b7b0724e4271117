import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { precompress } from './web-compression.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'invigil-compress-'));
  mkdirSync(join(folder, 'assets', 'voice-1'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, 'assets', name);

it.each(['picture.png', 'font.woff2'])('skips %s, which is compressed already', async (name) => {
  writeFileSync(path(name), Buffer.alloc(5_000, 'a'));
  await precompress(folder);
  expect(existsSync(`${path(name)}.br`)).toBe(false);
});

it.each([
  ['main-1.js', 5_000],
  ['voice-1/runtime.mjs', 5_000],
  ['voice-1/runtime.wasm', 1_000_000],
  ['voice-1/weights.onnx', 1_000_000],
  ['voice-1/weights.bin', 5_000],
])('writes both kinds of %s, which decompress to the same bytes', async (name, bytes) => {
  const plain = Buffer.concat([randomBytes(bytes / 2), Buffer.alloc(bytes / 2, 'code ')]);
  writeFileSync(path(name), plain);
  await precompress(folder);
  const brotli = readFileSync(`${path(name)}.br`);
  expect(brotli.length).toBeLessThan(plain.length * 0.6);
  expect(brotliDecompressSync(brotli).equals(plain)).toBe(true);
  expect(gunzipSync(readFileSync(`${path(name)}.gz`)).equals(plain)).toBe(true);
});
