import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { uploadEvidence } from '@invigil/testkit/evidence';
import { type BegunAttempt, beginAttempt, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../db/new-id.ts';
import { verifyEvidence } from './verify.ts';

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
