import { createHmac, createSecretKey, type KeyObject, randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveKeys } from '../security/keys.ts';
import { packBackup, unpackBackup, verifyBackup } from './backup-file.ts';
import { BackupWriter, BrokenBackup, readToEnd } from './container.ts';

const KEY = 'a secret for tests that nobody else uses';
const OTHER_KEY = `${KEY}!`;

describe('the file of a backup', () => {
  let folder: string;
  let file: string;
  let original: Buffer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'invigil-backup-file-'));
    file = join(folder, 'original');
    await packBackup(file, KEY, async (out) => {
      const writer = new BackupWriter(out);
      await writer.begin({
        kind: 'manifest',
        format: 1,
        createdAt: new Date(0).toISOString(),
        migrations: ['one'],
        keyFingerprint: '00',
        hasSecretKey: true,
      });
      await writer.begin({ kind: 'secret-key' });
      await writer.data(Buffer.from(KEY));
      for (const name of ['answers', 'admins', 'sessions']) {
        await writer.begin({ kind: 'table', name, columns: ['id'] });
        const row = () => `${name} ${randomInt(1e9)}\n`;
        await writer.data(Buffer.from(Array.from({ length: 500 }, row).join('')));
      }
    });
    original = readFileSync(file);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const stored = (bytes: Buffer) => {
    const path = join(folder, 'tried');
    writeFileSync(path, bytes);
    return path;
  };
  const at = (least = 0, end = original.length) => randomInt(least, end);

  /** Ways of tampering with a file; each returns one that differs from the original. */
  const CHANGES: Record<string, () => Buffer> = {
    'one bit': () => {
      const bytes = Buffer.from(original);
      const place = at();
      bytes.writeUInt8((bytes[place] ?? 0) ^ (1 << randomInt(8)), place);
      return bytes;
    },
    'a byte removed': () => {
      const place = at();
      return Buffer.concat([original.subarray(0, place), original.subarray(place + 1)]);
    },
    'a byte inserted': () => {
      const place = at(0, original.length + 1);
      const byte = Buffer.from([randomInt(256)]);
      return Buffer.concat([original.subarray(0, place), byte, original.subarray(place)]);
    },
    'two blocks swapped': () => {
      const first = at(0, original.length >> 1);
      const second = at(first + 64, original.length - 32);
      const bytes = Buffer.from(original);
      original.copy(bytes, first, second, second + 32);
      original.copy(bytes, second, first, first + 32);
      return bytes;
    },
    'another fingerprint in its line': () => {
      const bytes = Buffer.from(original);
      const place = at(17, 33);
      bytes.write(bytes.toString('latin1', place, place + 1) === 'a' ? 'b' : 'a', place, 'latin1');
      return bytes;
    },
    truncation: () => original.subarray(0, at(0, original.length)),
    'truncation before its HMAC': () =>
      Buffer.concat([original.subarray(0, at(34, original.length - 33)), original.subarray(-32)]),
    'other records under the same line and HMAC': () =>
      Buffer.concat([
        original.subarray(0, 34),
        zstdCompressSync(Buffer.from(`forged ${randomInt(1e9)}`)),
        original.subarray(-32),
      ]),
    'its bytes compressed again': () =>
      Buffer.concat([original.subarray(0, 34), zstdCompressSync(original), original.subarray(-32)]),
  };

  it.each(Object.entries(CHANGES))('is refused with %s, at 60 random places', async (_, change) => {
    for (let i = 0; i < 60; i += 1) {
      const bytes = change();
      expect(bytes.equals(original)).toBe(false);
      const path = stored(bytes);
      await expect(verifyBackup(path, KEY)).rejects.toThrow(/./);
      // Reading refuses it too, for a file that is changed after verification.
      await expect(unpackBackup(path, KEY, readToEnd)).rejects.toThrow(BrokenBackup);
    }
  });

  it('is refused with nothing between its line and its HMAC', async () => {
    const path = stored(Buffer.concat([original.subarray(0, 34), original.subarray(-32)]));
    await expect(verifyBackup(path, KEY)).rejects.toThrow(BrokenBackup);
    await expect(unpackBackup(path, KEY, readToEnd)).rejects.toThrow(BrokenBackup);
  });

  it('is refused with another key, and when made without the key', async () => {
    await expect(verifyBackup(file, OTHER_KEY)).rejects.toThrow(/made with a different SECRET_KEY/);
    const forged = join(folder, 'forged');
    await packBackup(forged, OTHER_KEY, async (out) => {
      out.write('anything');
    });
    const bytes = readFileSync(forged);
    original.copy(bytes, 0, 0, 34);
    await expect(verifyBackup(stored(bytes), KEY)).rejects.toThrow(/changed or truncated/);
  });

  /** A forgery by someone who knows the format and the first line, signed with this key. */
  const signedWith = (key: KeyObject) => {
    const bytes = Buffer.concat([
      original.subarray(0, 34),
      zstdCompressSync(Buffer.from('forged records')),
    ]);
    return Buffer.concat([bytes, createHmac('sha256', key).update(bytes).digest()]);
  };

  it.each([
    ['derived from another SECRET_KEY', () => deriveKeys(OTHER_KEY).backup],
    ['that anyone knows', () => createSecretKey(Buffer.alloc(32))],
    ['of the same SECRET_KEY for another purpose', () => deriveKeys(KEY).audit],
    ['that is the SECRET_KEY itself', () => createSecretKey(Buffer.from(KEY))],
  ])('is refused when it is signed with a key %s', async (_, key) => {
    const path = stored(signedWith(key()));
    await expect(verifyBackup(path, KEY)).rejects.toThrow(/changed or truncated/);
    await expect(unpackBackup(path, KEY, buffer)).rejects.toThrow(BrokenBackup);
  });

  it('is signed with the backup key derived from its SECRET_KEY', async () => {
    const signed = signedWith(deriveKeys(KEY).backup);
    await verifyBackup(stored(signed), KEY);
    const mac = createHmac('sha256', deriveKeys(KEY).backup).update(original.subarray(0, -32));
    expect(original.subarray(-32).equals(mac.digest())).toBe(true);
  });

  it('is refused if it is not a backup', async () => {
    for (const text of ['', 'a letter', 'invigil backup 1 zz\n'.padEnd(200)]) {
      await expect(verifyBackup(stored(Buffer.from(text)), KEY)).rejects.toThrow(/not a backup/);
    }
  });

  it('returns the records written to it, and the key in them', async () => {
    await verifyBackup(file, KEY);
    expect(await unpackBackup(file, KEY, readToEnd)).toBe(KEY);
    expect(await unpackBackup(file, null, readToEnd)).toBe(KEY);
    expect((await unpackBackup(file, KEY, (input) => buffer(input))).toString()).toContain(
      'admins',
    );
  });

  it('does not exist when writing it fails', async () => {
    const failed = join(folder, 'failed');
    const writing = packBackup(failed, KEY, async () => {
      throw new Error('the connection was lost');
    });
    await expect(writing).rejects.toThrow('the connection was lost');
    expect(existsSync(failed)).toBe(false);
  });
});
