import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptAssetFolders, storeAssets } from './kept-web-assets.ts';
import { webApp } from './web-app.ts';

const DAY_MS = 86_400_000;
let root: string;
let dataDir: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'invigil-assets-'));
  dataDir = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A build of one page and these files, replacing the previous one, as in a checkout. */
function build(files: string[], name = 'dist'): string {
  const folder = join(root, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'assets', 'face-1'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<title>page</title>');
  writeFileSync(join(folder, 'service-worker.js'), '');
  for (const file of files) writeFileSync(join(folder, 'assets', file), `of ${file}`);
  return folder;
}

async function serving(folder: string) {
  const app = Fastify();
  await app.register(webApp, { folder, kept: keptAssetFolders(dataDir) });
  const statusOf = async (file: string) =>
    (await app.inject({ url: `/assets/${file}` })).statusCode;
  return { app, statusOf };
}

it('a page of the previous build finds its files for two weeks after the upgrade', async () => {
  const first = build(['main-1.js', 'main-1.js.br', 'face-1/model.bin', 'same.js']);
  await storeAssets(first, dataDir);
  // Built long ago, replaced today.
  const kept = join(dataDir, 'web-assets', 'current', 'main-1.js');
  utimesSync(kept, new Date(0), new Date(0));
  const second = build(['main-2.js', 'same.js']);
  await storeAssets(second, dataDir);
  const { app, statusOf } = await serving(second);
  for (const file of ['main-2.js', 'same.js', 'main-1.js', 'face-1/model.bin']) {
    expect([file, await statusOf(file)]).toEqual([file, 200]);
  }
  const headers = { 'accept-encoding': 'br' };
  const compressed = await app.inject({ url: '/assets/main-1.js', headers });
  expect(compressed.headers['content-encoding']).toBe('br');
  expect(await statusOf('main-0.js')).toBe(404);

  const old = join(dataDir, 'web-assets', 'earlier', 'main-1.js');
  const age = (days: number) => new Date(Date.now() - days * DAY_MS);
  utimesSync(old, age(13.9), age(13.9));
  await storeAssets(second, dataDir);
  expect(await statusOf('main-1.js')).toBe(200);
  utimesSync(old, age(14.1), age(14.1));
  await storeAssets(second, dataDir);
  expect(await statusOf('main-1.js')).toBe(404);
  expect(await statusOf('same.js')).toBe(200);
});

it('a process of the old version serves the files of the new version’s page', async () => {
  const old = build(['main-1.js'], 'old');
  await storeAssets(old, dataDir);
  const { statusOf } = await serving(old);
  expect(await statusOf('main-2.js')).toBe(404);
  await storeAssets(build(['main-2.js'], 'new'), dataDir);
  expect(await statusOf('main-2.js')).toBe(200);
  // It still has its own after the build was replaced underneath it.
  rmSync(join(old, 'assets'), { recursive: true });
  expect(await statusOf('main-1.js')).toBe(200);
});

it('a downgrade makes the earlier version’s files current again', async () => {
  const one = build(['main-1.js'], 'one');
  const two = build(['main-2.js'], 'two');
  for (const folder of [one, two, one]) await storeAssets(folder, dataDir);
  const at = (folder: string, file: string) => join(dataDir, 'web-assets', folder, file);
  expect(readFileSync(at('current', 'main-1.js'), 'utf8')).toBe('of main-1.js');
  expect(existsSync(at('earlier', 'main-2.js'))).toBe(true);
  await Promise.all([one, two, one, two].map((folder) => storeAssets(folder, dataDir)));
  const { statusOf } = await serving(one);
  expect([await statusOf('main-1.js'), await statusOf('main-2.js')]).toEqual([200, 200]);
});
