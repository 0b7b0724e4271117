import { S3_KEYS, S3_PLACE, type S3Double, startS3Double } from '@invigil/testkit/s3-double';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../db/new-id.ts';
import type { S3Settings } from '../runtime/config.ts';
import { requireStorage, s3Storage } from './open-storage.ts';
import { StorageAway } from './storage.ts';

describe('evidence in an S3 store', () => {
  let double: S3Double;
  let settings: S3Settings;
  beforeAll(async () => {
    double = await startS3Double();
    settings = { endpoint: double.endpoint, ...S3_PLACE, ...S3_KEYS };
  });
  afterEach(() => {
    double.fault = undefined;
  });
  afterAll(() => double.close());

  const check = (more: Partial<S3Settings>) =>
    requireStorage({ dataDir: '/nonexistent', evidenceS3: { ...settings, ...more } }, { warn });
  const warn = vi.fn();

  it.each([
    ['a wrong key', { secretAccessKey: 'wrong' }, /refuses the bucket .*SignatureDoesNotMatch/],
    ['an unknown account', { accessKeyId: 'NOBODY' }, /refuses the bucket/],
    ['another region', { region: 'mars-1' }, /refuses the bucket/],
    ['a bucket that does not exist', { bucket: 'nothing-here' }, /there is no bucket nothing-here/],
  ])('refuses the start for %s, in a message without secrets', async (_, more, sentence) => {
    const refusal = check(more);
    await expect(refusal).rejects.toThrow(sentence);
    await expect(refusal).rejects.not.toThrow(/wJalr|AKID/);
  });

  it('starts with a warning while the store is away', async () => {
    double.fault = { status: 503, code: 'SlowDown' };
    await check({});
    await check({ endpoint: 'http://127.0.0.1:9' });
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('distinguishes being away from a refusal', async () => {
    const storage = s3Storage(settings, 'evidence');
    const put = () => storage.put(newId(), newId(), Buffer.from('x'));
    for (const status of [429, 500, 503]) {
      double.fault = { status, code: 'SlowDown' };
      await expect(put()).rejects.toBeInstanceOf(StorageAway);
    }
    double.fault = { status: 403, code: 'AccessDenied' };
    await expect(put()).rejects.not.toBeInstanceOf(StorageAway);
    const away = s3Storage({ ...settings, endpoint: 'http://127.0.0.1:9' }, 'evidence');
    await expect(away.get(newId(), newId())).rejects.toBeInstanceOf(StorageAway);
  });

  it('gives up on a store that does not answer', { tags: 'long' }, async () => {
    double.fault = 'silence';
    await expect(s3Storage(settings, 'evidence').get(newId(), newId())).rejects.toBeInstanceOf(
      StorageAway,
    );
  });

  it('accepts ids only', async () => {
    const storage = s3Storage(settings, 'evidence');
    await expect(storage.get('..', newId())).rejects.toThrow('named by ids');
    await expect(storage.removeFolder('')).rejects.toThrow('named by ids');
  });

  it('stores, replaces and returns bytes, and deletes one file or folder', async () => {
    const storage = s3Storage(settings, 'evidence');
    const [one, other, a, b] = [newId(), newId(), newId(), newId()];
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    expect(await storage.get(one, a)).toBeUndefined();
    await storage.put(one, a, Buffer.from('earlier'));
    await storage.put(one, a, bytes);
    await storage.put(one, b, Buffer.from('b'));
    await storage.put(other, a, Buffer.from('other'));
    expect(await storage.get(one, a)).toEqual(bytes);
    await storage.remove(one, b);
    await storage.remove(one, b);
    expect(await storage.get(one, b)).toBeUndefined();
    expect(await storage.get(one, a)).toEqual(bytes);
    await storage.removeFolder(one);
    await storage.removeFolder(one);
    expect([...double.files.keys()]).toEqual([`evidence/${other}/${a}`]);
    expect(await storage.get(one, a)).toBeUndefined();
    expect(await storage.get(other, a)).toEqual(Buffer.from('other'));
  });
});
