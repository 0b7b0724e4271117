import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { expect, it } from 'vitest';
import { openImageStorage } from '../storage/open-storage.ts';
import { removeUnusedImages, verifyImages } from './verify-images.ts';

const app = setUpApp();

/** Uploads an image and returns its hash. */
async function draw(as: string, width: number): Promise<string> {
  const { body } = await app.call('uploadImage', {
    as,
    body: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"/>`),
    headers: { 'content-type': 'image/svg+xml' },
  });
  return body.hash;
}

it('removes images of more than a day that are in no question', async () => {
  const admin = await signInAdmin(app);
  const { db, config } = app.context;
  const imageStorage = openImageStorage(config);
  const [inQuestion, inOption, earlier, unused] = [
    await draw(admin, 11),
    await draw(admin, 12),
    await draw(admin, 13),
    await draw(admin, 14),
  ];
  const options = (second: string) => [
    { text: 'a', isCorrect: true },
    { text: second, isCorrect: false },
  ];
  const question = (text: string, second: string) =>
    ({
      type: 'multiple_choice',
      format: 'markdown',
      question: text,
      options: options(second),
      points: 1,
      rule: 'all_or_nothing',
    }) as const;
  const add = async (definition: ReturnType<typeof question>) => {
    const added = await app.call('addToBank', { as: admin, body: { definition } });
    expect(added.status).toBe(201);
    return added.body;
  };
  await add(question(`![A](image:${inQuestion})`, `![B](image:${inOption})`));
  const { id } = await add(question(`![C](image:${earlier})`, 'b'));
  const edited = await app.call('changeBankQuestion', {
    as: admin,
    params: { id },
    body: { definition: question('Without', 'b') },
  });
  expect(edited.status).toBe(200);
  const remove = () => removeUnusedImages({ db, imageStorage }, app.clock.now());
  // It may be in a question that is not saved yet.
  expect(await remove()).toBe(0);
  app.clock.advance({ days: 1, minutes: 1 });
  const fresh = await draw(await signInAdmin(app), 15);
  expect(await remove()).toBe(1);
  const { rows } = await app.pool.query('select hash from images');
  const left = [inQuestion, inOption, earlier, fresh].sort();
  expect(rows.map(({ hash }) => hash).sort()).toEqual(left);
  expect(existsSync(join(app.context.config.dataDir, 'images', unused.slice(0, 2), unused))).toBe(
    false,
  );
  expect((await verifyImages({ db, imageStorage })).findings).toEqual([]);
  await app.pool.query('delete from images');
});

it('finds images whose file was changed or removed', async () => {
  const verify = () =>
    verifyImages({ db: app.context.db, imageStorage: openImageStorage(app.context.config) });
  expect(await verify()).toEqual({ name: 'Images', checked: '0 images', findings: [] });
  const admin = await signInAdmin(app);
  const hashes: string[] = [];
  for (const width of [10, 20, 30]) hashes.push(await draw(admin, width));
  expect(await verify()).toMatchObject({ checked: '3 images', findings: [] });
  const pathOf = (hash = '') => join(app.context.config.dataDir, 'images', hash.slice(0, 2), hash);
  writeFileSync(pathOf(hashes[0]), 'other bytes');
  rmSync(pathOf(hashes[1]));
  expect((await verify()).findings.sort()).toEqual(
    [`image ${hashes[0]}: its file was changed`, `image ${hashes[1]}: its file is missing`].sort(),
  );
});
