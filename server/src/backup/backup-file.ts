import { createHmac, type Hmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { codeOf, StartProblem } from '../runtime/app-error.ts';
import { flushFolder } from '../runtime/data-dir.ts';
import { deriveKeys } from '../security/keys.ts';
import { BrokenBackup } from './container.ts';

/*
 * The file: a line of text with the fingerprint of its SECRET_KEY, the records (container.ts)
 * compressed with zstd, and an HMAC-SHA-256 of every byte before it with a key derived from that
 * SECRET_KEY. It covers the compressed bytes, so nothing is decompressed or parsed before it is
 * authenticated.
 */
const LINE = /^invigil backup 1 ([0-9a-f]{16})\n$/;
const lineOf = (secretKey: string) => `invigil backup 1 ${keyFingerprint(secretKey)}\n`;
const LINE_BYTES = 34;
const MAC_BYTES = 32;
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

const CHANGED = 'the backup was changed or truncated after it was made';

/** Eight bytes that distinguish secret keys and reveal nothing about them. */
export function keyFingerprint(secretKey: string): string {
  const bytes = hkdfSync('sha256', secretKey, 'invigil', 'invigil/backup-fingerprint/1', 8);
  return Buffer.from(bytes).toString('hex');
}

/**
 * Reads a backup to its last byte and verifies that it was made with this SECRET_KEY and not
 * changed since then. Nothing is decompressed.
 *
 * @throws StartProblem if it was made with another SECRET_KEY; BrokenBackup if it was changed or
 *   truncated
 */
export async function verifyBackup(file: string, secretKey: string): Promise<void> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(LINE_BYTES), 0, LINE_BYTES, 0)
    .finally(() => handle.close());
  const fingerprint = LINE.exec(buffer.toString('latin1', 0, bytesRead))?.[1];
  if (fingerprint === undefined) throw new BrokenBackup('this is not a backup of Invigil');
  if (fingerprint !== keyFingerprint(secretKey)) {
    throw new StartProblem(
      'The backup was made with a different SECRET_KEY. Set the one that was in use then.',
    );
  }
  for await (const _ of authenticated(file, secretKey)) {
    // Only the HMAC at the end matters.
  }
}

/**
 * The bytes between line and HMAC; throws BrokenBackup after the last one unless the HMAC matches.
 */
async function* authenticated(file: string, secretKey: string): AsyncGenerator<Buffer> {
  const end = (await stat(file)).size - MAC_BYTES;
  if (end <= LINE_BYTES) throw new BrokenBackup(CHANGED);
  const mac = startMac(secretKey);
  for await (const bytes of createReadStream(file, { end: LINE_BYTES - 1 })) mac.update(bytes);
  for await (const bytes of createReadStream(file, { start: LINE_BYTES, end: end - 1 })) {
    mac.update(bytes);
    yield bytes;
  }
  const [stored] = await createReadStream(file, { start: end }).toArray();
  const expected = mac.digest();
  const isGenuine =
    Buffer.isBuffer(stored) && stored.length === MAC_BYTES && timingSafeEqual(stored, expected);
  if (!isGenuine) throw new BrokenBackup(CHANGED);
}

function startMac(secretKey: string): Hmac {
  return createHmac('sha256', deriveKeys(secretKey).backup);
}

/**
 * Passes the records of a backup to `work`. With `secretKey` the stream fails with BrokenBackup
 * unless the HMAC matches, even if the file was changed since `verifyBackup`; `null` skips that
 * check.
 */
export async function unpackBackup<T>(
  file: string,
  secretKey: string | null,
  work: (input: Readable) => Promise<T>,
): Promise<T> {
  const unpacked = createZstdDecompress();
  // It may fail after `work` has already failed.
  unpacked.on('error', () => undefined);
  const stopping = new AbortController();
  async function feed() {
    for await (const bytes of secretKey === null
      ? unauthenticated(file)
      : authenticated(file, secretKey)) {
      // The decompressed stream ends with the records. Later bytes are still read, for the HMAC.
      if (unpacked.readableEnded || unpacked.write(bytes)) continue;
      const options = { signal: stopping.signal };
      await Promise.race([once(unpacked, 'drain', options), once(unpacked, 'end', options)]);
    }
    unpacked.end();
  }
  const feeding = feed();
  // `work` reads the same stream and fails with this error.
  feeding.catch((error: unknown) => unpacked.destroy(error instanceof Error ? error : undefined));
  async function* records() {
    yield* unpacked;
    await feeding;
  }
  try {
    return await work(Readable.from(records()));
  } catch (error) {
    if (!/^Z(STD)?_/.test(codeOf(error))) throw error;
    throw new BrokenBackup('it is not a backup of Invigil, or it is truncated or damaged');
  } finally {
    stopping.abort();
    unpacked.destroy();
  }
}

/** The compressed records without authentication. */
async function* unauthenticated(file: string): AsyncGenerator<Buffer> {
  const last = (await stat(file)).size - MAC_BYTES - 1;
  yield* createReadStream(file, { start: LINE_BYTES, end: Math.max(LINE_BYTES, last) });
}

/**
 * Compresses what `write` writes into a file, which gets its name once it is complete and on disk.
 */
export async function packBackup<T>(
  file: string,
  secretKey: string,
  write: (out: Writable) => Promise<T>,
): Promise<T> {
  const draft = `${file}.${process.pid}.part`;
  const mac = startMac(secretKey);
  async function* sealed(packed: AsyncIterable<Buffer>) {
    const line = Buffer.from(lineOf(secretKey));
    mac.update(line);
    yield line;
    for await (const bytes of packed) {
      mac.update(bytes);
      yield bytes;
    }
    yield mac.digest();
  }
  try {
    const packing = createZstdCompress(COMPRESSION);
    const stored = pipeline(
      packing,
      sealed,
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    );
    const written = write(packing).then((tally) => {
      packing.end();
      return tally;
    });
    // The first rejection is reported, as on a full disk; the other promise may stay pending until its
    // connection ends.
    const [tally] = await Promise.all([written, stored]);
    await rename(draft, file);
    flushFolder(dirname(file));
    return tally;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
