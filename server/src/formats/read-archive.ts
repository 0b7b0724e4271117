import { crc32, inflateRawSync } from 'node:zlib';
import { numberText } from '@invigil/core/domain/locale';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import type { Entry, ZipFile } from 'yauzl';
import { fromBufferPromise } from 'yauzl';
import { UnreadableFile } from './imported-file.ts';

/** The limits of an archive. They are checked before anything is unpacked, and again while it is. */
const MOST = {
  /** 10,000 questions with a picture each, twice over */
  entries: 40_000,
  /** The limit of a file that is not packed */
  entryBytes: IMPORT_LIMITS.fileMaxBytes,
  totalBytes: 200 * 1024 * 1024,
  /** Text compresses to a hundredth at best; deflate itself allows 1,032 to 1. */
  ratio: 200,
  /** Size below which the ratio says nothing: a blank picture. */
  ratioFromBytes: 1024 * 1024,
} as const;

/** An archive whose list of contents was read. Entries are unpacked one by one, when asked for. */
export interface Archive {
  /** Paths with `/`, without a leading `./`; no folders. */
  paths: readonly string[];
  has: (path: string) => boolean;
  /** The bytes of an entry. Throws UnreadableFile when it is damaged or too large. */
  read: (path: string) => Promise<Uint8Array>;
}

/** Whether bytes begin like a ZIP archive. */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/**
 * Opens a ZIP archive: `.zip`, `.imscc`, `.xlsx`. Throws UnreadableFile when it is none, is damaged or
 * encrypted, names a path outside of itself, or holds more than it should.
 *
 * yauzl: knows ZIP64, refuses paths outside, and reads the list of contents only; fflate unpacks whole
 * archives in JavaScript.
 */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  if (!isArchive(bytes)) {
    throw new UnreadableFile('This is not a ZIP archive, whatever its name says.');
  }
  const buffer = asBuffer(bytes);
  const zip = await orSentence(fromBufferPromise(buffer));
  if (zip.entryCount > MOST.entries) {
    throw new UnreadableFile(
      `The archive has ${numberText(zip.entryCount)} entries; at most ${numberText(MOST.entries)} are read.`,
    );
  }
  const entries = await orSentence(listEntries(zip));
  let unpacked = 0;
  return {
    paths: [...entries.keys()],
    has: (path) => entries.has(path),
    read: async (path) => {
      const entry = entries.get(path);
      if (!entry) throw new UnreadableFile(`“${path}” is not in the archive.`);
      const content = await orSentence(unpack(zip, entry, buffer), path);
      // An entry may be asked for twice, but not without end.
      unpacked += content.length;
      if (unpacked > 4 * MOST.totalBytes) throw new UnreadableFile(TOO_LARGE);
      return content;
    },
  };
}

const TOO_LARGE = `Unpacked, the archive is larger than ${MOST.totalBytes / 1024 / 1024} MB.`;

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName, compressedSize, uncompressedSize: size } = entry;
    if (fileName.endsWith('/')) continue;
    const path = fileName.replace(/^(?:\.\/)+/, '');
    if (entry.isEncrypted()) {
      throw new UnreadableFile(
        'The archive is encrypted. Unpack it, and pack it without a password.',
      );
    }
    if (!entry.canDecodeFileData()) {
      throw new UnreadableFile(`“${shown(path)}” is compressed in a way that is not read.`);
    }
    if (size > MOST.entryBytes) {
      throw new UnreadableFile(
        `“${shown(path)}” is larger than ${MOST.entryBytes / 1024 / 1024} MB.`,
      );
    }
    if (size > MOST.ratioFromBytes && size > compressedSize * MOST.ratio) {
      throw new UnreadableFile(
        `“${shown(path)}” is compressed more than ${MOST.ratio} to 1, as no real file is.`,
      );
    }
    total += size;
    if (total > MOST.totalBytes) throw new UnreadableFile(TOO_LARGE);
    if (entries.has(path)) throw new UnreadableFile(`“${shown(path)}” is in the archive twice.`);
    entries.set(path, entry);
  }
  return entries;
}

/**
 * Synchronous: this runs outside of the event loop that serves requests, and a stream for each of ten
 * thousand small files takes longer than the files. What is longer than it says is refused by zlib.
 */
async function unpack(zip: ZipFile, entry: Entry, bytes: Buffer): Promise<Uint8Array> {
  const { uncompressedSize: size, compressedSize, compressionMethod } = entry;
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = bytes.subarray(fileDataStart, fileDataStart + compressedSize);
  const content =
    compressionMethod === 0
      ? packed
      : inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  if (content.length !== size || crc32(content) !== entry.crc32) {
    throw new Error('damaged');
  }
  return content;
}

/** yauzl's errors as a sentence; all of them mean a damaged or unusual archive. */
async function orSentence<T>(work: Promise<T>, path?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const message = error instanceof Error ? error.message : '';
    if (/relative path|absolute path|invalid characters in fileName/.test(message)) {
      throw new UnreadableFile('The archive names a path outside of itself, and is not read.');
    }
    if (/strong encryption/.test(message)) {
      throw new UnreadableFile(
        'The archive is encrypted. Unpack it, and pack it without a password.',
      );
    }
    throw new UnreadableFile(
      path === undefined
        ? 'The archive is damaged or not complete.'
        : `“${shown(path)}” is damaged inside of the archive.`,
    );
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function shown(path: string): string {
  return path.length > 120 ? `${path.slice(0, 120)}…` : path;
}
