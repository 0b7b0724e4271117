import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { uploadEvidence } from '@invigil/testkit/evidence';
import { type BegunAttempt, beginAttempt, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../db/new-id.ts';
import { openImageStorage } from '../storage/open-storage.ts';
import { verifyEvidence } from './verify.ts';
import { removeUnusedImages, verifyImages } from './verify-images.ts';

describe('an attacker who can write to the files of evidence', () => {
  const app = setUpApp();
  /** Files of two attempts, two of the first: folder and name. */
  let files: { folder: string; name: string }[];

  beforeAll(async () => {
    const admin = await signInAdmin(app);
    const [one, other] = [await beginAttempt(app, admin), await beginAttempt(app, admin)];
    files = [await upload(one), await upload(one), await upload(other)];
    await one.submit();
    await other.submit();
  });
  const findings = async () => (await verifyEvidence(app.context)).findings;

  async function upload(attempt: BegunAttempt) {
    return { folder: attempt.id, name: (await uploadEvidence(app, attempt)).id };
  }

  const place = (n: number) => {
    const { folder = '', name = '' } = files[n] ?? {};
    return { name, path: join(app.context.config.dataDir, 'evidence', folder, name) };
  };

  /** Makes a change, returns what is detected, and reverts it. */
  async function foundAfter(paths: string[], change: () => void): Promise<string[]> {
    const before = paths.map((path) => readFileSync(path));
    change();
    const found = await findings();
    for (const [i, path] of paths.entries()) writeFileSync(path, before[i] ?? '');
    expect(await findings()).toEqual([]);
    return found;
  }

  const flipped = (share: number) => (bytes: Buffer) => {
    const at = Math.floor((bytes.length - 1) * share);
    bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
    return bytes;
  };

  it.each<[string, (bytes: Buffer) => Buffer | null, string]>([
    ['a changed first bit', flipped(0), 'changed'],
    ['a changed bit', flipped(0.5), 'changed'],
    ['a changed last bit', flipped(1), 'changed'],
    ['a truncated file', (bytes) => bytes.subarray(0, -1), 'changed'],
    ['an empty file', (bytes) => bytes.subarray(0, 0), 'changed'],
    ['a missing file', () => null, 'missing'],
  ])('is detected by %s', async (_, change, what) => {
    const { name, path } = place(0);
    const found = await foundAfter([path], () => {
      const bytes = change(readFileSync(path));
      if (bytes === null) rmSync(path);
      else writeFileSync(path, bytes);
    });
    expect(found).toEqual([
      `evidence ${name}: its file ${what === 'missing' ? 'is' : 'was'} ${what}`,
    ]);
  });

  it.each([
    ['of one attempt', 1],
    ['of different attempts', 2],
  ])('is detected by two swapped files %s', async (_, other) => {
    const [one, two] = [place(0), place(other)];
    const found = await foundAfter([one.path, two.path], () => {
      renameSync(one.path, `${one.path}.away`);
      renameSync(two.path, one.path);
      renameSync(`${one.path}.away`, two.path);
    });
    const changed = [one, two].map(({ name }) => `evidence ${name}: its file was changed`);
    expect(found.sort()).toEqual(changed.sort());
  });

  it('is detected by a file that no row names', async () => {
    const name = newId();
    const folder = files[0]?.folder ?? '';
    const path = join(app.context.config.dataDir, 'evidence', folder, name);
    writeFileSync(path, readFileSync(place(0).path));
    const found = await findings();
    rmSync(path);
    expect(found).toEqual([`evidence ${name} of attempt ${folder}: a file that no row names`]);
  });
});

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

it('removes images of more than a day that are in no question and not the logo', async () => {
  const admin = await signInAdmin(app);
  const { db, config } = app.context;
  const imageStorage = openImageStorage(config);
  const [inQuestion, inOption, earlier, unused, logo] = [
    await draw(admin, 11),
    await draw(admin, 12),
    await draw(admin, 13),
    await draw(admin, 14),
    await draw(admin, 16),
  ];
  const institution = { name: null, timeZone: null, publicUrl: null, logo };
  await app.call('putInstitution', { as: admin, body: institution });
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
  const left = [inQuestion, inOption, earlier, logo, fresh].sort();
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
