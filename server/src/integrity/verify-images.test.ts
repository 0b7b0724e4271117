import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openImageStorage } from '../storage/open-storage.ts';
import { signInAdmin } from '../testing/factories.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { verifyImages } from './verify-images.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'invigil-verify-images-'));
  app = await startTestApp({ DATA_DIR: folder });
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true });
});

it('finds images whose file was changed or removed', async () => {
  const verify = () =>
    verifyImages({ db: app.context.db, imageStorage: openImageStorage(app.context.config) });
  expect(await verify()).toEqual({ name: 'Images', checked: '0 images', findings: [] });
  const admin = await signInAdmin(app);
  const hashes: string[] = [];
  for (const width of [10, 20, 30]) {
    const { body } = await app.call('uploadImage', {
      as: admin,
      body: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"/>`),
      headers: { 'content-type': 'image/svg+xml' },
    });
    hashes.push(body.hash);
  }
  expect(await verify()).toMatchObject({ checked: '3 images', findings: [] });
  const pathOf = (hash = '') => join(folder, 'images', hash.slice(0, 2), hash);
  writeFileSync(pathOf(hashes[0]), 'other bytes');
  rmSync(pathOf(hashes[1]));
  expect((await verify()).findings.sort()).toEqual(
    [`image ${hashes[0]}: its file was changed`, `image ${hashes[1]}: its file is missing`].sort(),
  );
});
