import { createHash } from 'node:crypto';
import { t } from '@invigil/core/texts/i18n';
import { isHeic } from '../../images/heic.ts';
import { type ImportSink, UnreadableFile } from '../../imported-file.ts';
import type { Archive } from '../../read-archive.ts';
import { percentDecoded } from '../../text/decode-text.ts';
import type { ImageOrReason } from './item-texts.ts';

/** The files beside an item. Images that a text names go to the sink. */
export interface PackageFiles {
  /** An image that a text of a file names by `src`. */
  image: (file: string, src: string) => Promise<ImageOrReason>;
  /** Another file that a file names; `null` when it is not there. */
  read: (file: string, href: string) => Promise<Uint8Array | null>;
}

/** More than the largest file with images that are compressed. */
const MOST_IMAGE_BYTES = 32 * 1024 * 1024;

const EMPTY: Pick<Archive, 'paths' | 'has'> = { paths: [], has: () => false };

/**
 * The files of a package; without an archive, only images inside of the texts. `root`: the folder that
 * has the manifest, '' or with a slash at its end.
 */
export function packageFiles(
  sink: Pick<ImportSink, 'image'>,
  archive: Archive | null,
  root = '',
): PackageFiles {
  const hashes = new Set<string>();
  const known = new Map<string, ImageOrReason>();
  let bytes = 0;
  const keep = (content: Uint8Array, name: string): ImageOrReason => {
    if (isHeic(content)) {
      return {
        reason: t(
          /* {name} is an image of a file */ 'import.image.heic',
          '“{name}” is a HEIC photo, which is not read; save it as JPEG. It was left out.',
          { name },
        ),
      };
    }
    if (!isImage(content))
      return {
        reason: t(
          /* {name} is part of a file */ 'import.image.unread',
          '“{name}” is not an image that is read; it was left out.',
          { name },
        ),
      };
    const hash = hashOf(content);
    if (hashes.has(hash)) return { hash };
    if (bytes + content.length > MOST_IMAGE_BYTES) {
      return {
        reason: t(
          /* {name} is an image; a package is a file with questions */ 'import.image.tooMany',
          'The package has too many images; “{name}” was left out.',
          { name },
        ),
      };
    }
    bytes += content.length;
    hashes.add(hash);
    sink.image(hash, content);
    return { hash };
  };
  const pathOf = (file: string, href: string) =>
    candidates(file, href, root).find((path) => (archive ?? EMPTY).has(path));
  const read = async (file: string, href: string) => {
    const path = pathOf(file, href);
    return path === undefined || !archive ? null : archive.read(path);
  };
  return {
    read,
    image: async (file, src) => {
      const name = src.slice(0, 100);
      if (/^data:/i.test(src)) {
        const match = /^data:image\/[\w.+-]+;base64,([\w+/=\s]*)$/i.exec(src);
        return match
          ? keep(Buffer.from(match[1] ?? '', 'base64'), name.slice(0, 30))
          : {
              reason: t(
                'import.image.insideUnread',
                'An image inside of the text cannot be read; it was left out.',
              ),
            };
      }
      if (/^(?:https?:)?\/\//i.test(src)) {
        return {
          reason: t(
            /* {address} is that of the image */ 'import.image.elsewhere',
            'The image {address} is on another server; it was left out.',
            { address: name },
          ),
        };
      }
      const path = pathOf(file, src);
      if (path === undefined || !archive) {
        return {
          reason: t(
            'import.image.missing',
            'The image “{name}” is not in the file; it was left out.',
            { name },
          ),
        };
      }
      const before = known.get(path);
      if (before) return before;
      const found = await archive.read(path).then(
        (content) => keep(content, name),
        (error: unknown) => {
          if (error instanceof UnreadableFile)
            return {
              reason: t(
                /* of an image; {problem} is a sentence */ 'import.image.leftOut',
                '{problem} It was left out.',
                { problem: error.message },
              ),
            };
          throw error;
        },
      );
      known.set(path, found);
      return found;
    },
  };
}

/** The places of a file: beside the item, in the package's root, where Canvas and cartridges put it. */
function candidates(file: string, href: string, root: string): string[] {
  const decoded = percentDecoded(href.replace(/[?#].*$/s, ''));
  const base = /^\$?(?:IMS[-_]CC[-_]FILE[-_]?BASE)\$?\/?(.*)$/i.exec(decoded);
  const inPackage = base?.[1] ?? decoded;
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/') + 1) : '';
  const paths = [
    ...(base ? [] : [folder + inPackage]),
    root + inPackage,
    `${root}web_resources/${inPackage}`,
    ...(base ? [folder + inPackage] : []),
  ];
  return paths.map(normalized).filter((path) => path !== null);
}

/** The path without `.` and `..`; `null` when it leads out of the package. */
export function normalized(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/**
 * Whether a file is an image, by its first bytes: PNG, JPEG, GIF, WebP, AVIF, BMP, TIFF or SVG. Names are
 * often wrong.
 */
function isImage(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  return (
    /^(?:\x89PNG|\xff\xd8\xff|GIF8|BM|II\*\0|MM\0\*)/.test(start) ||
    /^RIFF.{4}WEBP/s.test(start) ||
    /^.{4}ftypavi[fs]/s.test(start) ||
    /<svg[\s>]/i.test(start)
  );
}

/** SHA-256 in hexadecimal, by which images are named. */
function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
