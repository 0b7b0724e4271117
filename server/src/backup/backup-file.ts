import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { flushFolder } from '../runtime/flush-folder.ts';
import { StartProblem } from '../runtime/start-problem.ts';
import { deriveKeys } from '../security/keys.ts';
import { BrokenBackup } from './container.ts';
import { keyFingerprint } from './key-fingerprint.ts';

/*
 * The file: a line of text with the fingerprint of its SECRET_KEY, the records (container.ts) packed
 * with zstd, and an HMAC-SHA-256 of every byte before it with a key derived from that SECRET_KEY. It
 * covers the packed bytes, so that nothing is unpacked or parsed before it is known to be ours.
 * Files of earlier versions are the packed records alone.
 */
const LINE = /^invigil backup 2 ([0-9a-f]{16})\n$/;
const lineOf = (secretKey: string) => `invigil backup 2 ${keyFingerprint(secretKey)}\n`;
const LINE_BYTES = 34;
const MAC_BYTES = 32;
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

const NO_BACKUP = 'this is no backup of Invigil';
const CHANGED = 'the backup was changed or cut off after it was made';

/** How a backup can be checked, by its first bytes; they are not authenticated themselves. */
export interface BackupKind {
  /** Of the SECRET_KEY that it was made with; `null` for a file of an earlier version, which has no HMAC. */
  keyFingerprint: string | null;
}

/** Reads the first bytes of a file. Throws BrokenBackup where it is no backup. */
export async function readBackupKind(file: string): Promise<BackupKind> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LINE_BYTES), 0, LINE_BYTES, 0);
    const found = LINE.exec(buffer.toString('latin1', 0, bytesRead))?.[1];
    if (found !== undefined) return { keyFingerprint: found };
    if (buffer.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC)) return { keyFingerprint: null };
    throw new BrokenBackup(NO_BACKUP);
  } finally {
    await handle.close();
  }
}

/**
 * Reads a backup to its last byte and checks that it was made with this SECRET_KEY and not changed
 * since. Nothing is unpacked.
 *
 * @throws StartProblem where it was made with another SECRET_KEY; BrokenBackup where it was changed,
 *   cut off, or has no HMAC because an earlier version made it
 */
export async function verifyBackup(file: string, secretKey: string): Promise<void> {
  const kind = await readBackupKind(file);
  if (kind.keyFingerprint === null) {
    throw new BrokenBackup('an earlier version made it, without anything to authenticate it by');
  }
  if (kind.keyFingerprint !== keyFingerprint(secretKey)) {
    throw new StartProblem(
      'The backup was made with another SECRET_KEY than the one that is set here. Set the one of its time.',
    );
  }
  for await (const _ of authenticated(file, secretKey)) {
    // Only the HMAC at the end is of interest.
  }
}

/** The bytes between line and HMAC; throws BrokenBackup after the last one unless the HMAC is right. */
async function* authenticated(file: string, secretKey: string): AsyncGenerator<Buffer> {
  const end = (await stat(file)).size - MAC_BYTES;
  if (end < LINE_BYTES) throw new BrokenBackup(CHANGED);
  const mac = startMac(secretKey);
  for await (const bytes of createReadStream(file, { end: LINE_BYTES - 1 })) mac.update(bytes);
  for await (const bytes of createReadStream(file, { start: LINE_BYTES, end: end - 1 })) {
    mac.update(bytes);
    yield bytes;
  }
  const [stored] = await createReadStream(file, { start: end }).toArray();
  const expected = mac.digest();
  const isRight =
    Buffer.isBuffer(stored) && stored.length === MAC_BYTES && timingSafeEqual(stored, expected);
  if (!isRight) throw new BrokenBackup(CHANGED);
}

function startMac(secretKey: string): Hmac {
  return createHmac('sha256', deriveKeys(secretKey).backup);
}

/**
 * Gives `work` the records of a backup. With `secretKey` they end in BrokenBackup unless the HMAC is
 * right, also where the file was changed since `verifyBackup`; `null` reads without that check.
 */
export async function unpackBackup<T>(
  file: string,
  secretKey: string | null,
  work: (input: Readable) => Promise<T>,
): Promise<T> {
  const { keyFingerprint: mark } = await readBackupKind(file);
  const unpacked = createZstdDecompress();
  // It may fail when `work` has given up already.
  unpacked.on('error', () => undefined);
  const stopping = new AbortController();
  async function feed() {
    for await (const bytes of secretKey === null
      ? bare(file, mark)
      : authenticated(file, secretKey)) {
      // It ends with the packed records. What follows them is still read, for the HMAC.
      if (unpacked.readableEnded || unpacked.write(bytes)) continue;
      const options = { signal: stopping.signal };
      await Promise.race([once(unpacked, 'drain', options), once(unpacked, 'end', options)]);
    }
    unpacked.end();
  }
  const feeding = feed();
  // `work` reads the same stream and meets the failure there.
  feeding.catch((error: unknown) => unpacked.destroy(error instanceof Error ? error : undefined));
  async function* records() {
    yield* unpacked;
    await feeding;
  }
  try {
    return await work(Readable.from(records()));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^Z(STD)?_/.test(code)) throw error;
    throw new BrokenBackup('it is no backup of Invigil, or it is cut off or damaged');
  } finally {
    stopping.abort();
    unpacked.destroy();
  }
}

/** The packed records, unchecked. */
async function* bare(file: string, mark: string | null): AsyncGenerator<Buffer> {
  const last = (await stat(file)).size - MAC_BYTES - 1;
  const range = mark === null ? {} : { start: LINE_BYTES, end: Math.max(LINE_BYTES, last) };
  yield* createReadStream(file, range);
}

/** Packs what `write` writes into a file, which appears under its name when it is whole and on the disk. */
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
    const packing = createZstdCompress(PACKING);
    const stored = pipeline(
      packing,
      sealed,
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    );
    const written = write(packing).then((tally) => {
      packing.end();
      return tally;
    });
    // A full disk is reported by the first; the other then waits for nothing, and ends with its connection.
    const [tally] = await Promise.all([written, stored]);
    await rename(draft, file);
    flushFolder(dirname(file));
    return tally;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
