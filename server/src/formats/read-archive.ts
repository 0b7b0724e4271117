import { crc32, inflateRawSync } from 'node:zlib';
import { numberText } from '@invigil/core/domain/locale';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { t } from '@invigil/core/texts/i18n';
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
    throw new UnreadableFile(
      t('import.archive.none', 'This is not a ZIP archive, whatever its name says.'),
    );
  }
  const buffer = asBuffer(bytes);
  const zip = await orSentence(fromBufferPromise(buffer));
  if (zip.entryCount > MOST.entries) {
    throw new UnreadableFile(
      t(
        /* entries: files of an archive; {most} is a number */ 'import.archive.tooManyEntries',
        '{count, plural, one {The archive has # entry; at most {most} are read.} other {The archive has # entries; at most {most} are read.}}',
        { count: zip.entryCount, most: numberText(MOST.entries) },
      ),
    );
  }
  const entries = await orSentence(listEntries(zip));
  let unpacked = 0;
  return {
    paths: [...entries.keys()],
    has: (path) => entries.has(path),
    read: async (path) => {
      const entry = entries.get(path);
      if (!entry)
        throw new UnreadableFile(
          t('import.archive.notIn', '“{path}” is not in the archive.', { path }),
        );
      const content = await orSentence(unpack(zip, entry, buffer), path);
      // An entry may be asked for twice, but not without end.
      unpacked += content.length;
      if (unpacked > 4 * MOST.totalBytes) throw new UnreadableFile(tooLargeText());
      return content;
    },
  };
}

const tooLargeText = (): string =>
  t('import.archive.tooLarge', 'Unpacked, the archive is larger than {megabytes} MB.', {
    megabytes: MOST.totalBytes / 1024 / 1024,
  });
const encryptedText = (): string =>
  t(
    'import.archive.encrypted',
    'The archive is encrypted. Unpack it, and pack it without a password.',
  );

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName, compressedSize, uncompressedSize: size } = entry;
    if (fileName.endsWith('/')) continue;
    const path = fileName.replace(/^(?:\.\/)+/, '');
    if (entry.isEncrypted()) {
      throw new UnreadableFile(encryptedText());
    }
    if (!entry.canDecodeFileData()) {
      throw new UnreadableFile(
        t('import.archive.compression', '“{path}” is compressed in a way that is not read.', {
          path: shown(path),
        }),
      );
    }
    if (size > MOST.entryBytes) {
      throw new UnreadableFile(
        t('import.archive.entryTooLarge', '“{path}” is larger than {megabytes} MB.', {
          path: shown(path),
          megabytes: MOST.entryBytes / 1024 / 1024,
        }),
      );
    }
    if (size > MOST.ratioFromBytes && size > compressedSize * MOST.ratio) {
      throw new UnreadableFile(
        t(
          /* {ratio} to 1 */ 'import.archive.ratio',
          '“{path}” is compressed more than {ratio} to 1, as no real file is.',
          { path: shown(path), ratio: MOST.ratio },
        ),
      );
    }
    total += size;
    if (total > MOST.totalBytes) throw new UnreadableFile(tooLargeText());
    if (entries.has(path))
      throw new UnreadableFile(
        t('import.archive.twice', '“{path}” is in the archive twice.', { path: shown(path) }),
      );
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
      throw new UnreadableFile(
        t('import.archive.outside', 'The archive names a path outside of itself, and is not read.'),
      );
    }
    if (/strong encryption/.test(message)) {
      throw new UnreadableFile(encryptedText());
    }
    throw new UnreadableFile(
      path === undefined
        ? t('import.archive.damaged', 'The archive is damaged or not complete.')
        : t('import.archive.entryDamaged', '“{path}” is damaged inside of the archive.', {
            path: shown(path),
          }),
    );
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function shown(path: string): string {
  return path.length > 120 ? `${path.slice(0, 120)}…` : path;
}
