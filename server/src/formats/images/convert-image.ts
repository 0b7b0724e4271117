import { IMAGE_LIMITS } from '@invigil/core/domain/questions/question-files';
import sharp from 'sharp';
import { isHeic } from './heic.ts';

/** Why a file is refused. */
export type ImageProblem = 'NOT_AN_IMAGE' | 'HEIC_IMAGE' | 'IMAGE_TOO_LARGE' | 'IMAGE_TOO_COMPLEX';

/** An image ready to be stored. */
export interface ConvertedImage {
  mediaType: 'image/webp';
  webp: Buffer;
  width: number;
  height: number;
}

const { pixelsMax, avifPixelsMax, sideMaxPx, svgScale, svgMaxBytes, svgTextMaxCharacters } =
  IMAGE_LIMITS;
const { svgLineMaxCharacters, losslessMaxBytes, photoQuality } = IMAGE_LIMITS;

/** Dots per inch: an SVG at its own size, and the least that the library accepts. */
const OWN_SIZE_DPI = 72;
const LOWEST_DPI = 1;
/** The first bytes of gzip: a compressed SVG, which is small and can become anything. */
const GZIP = [0x1f, 0x8b];

/** Damage that a browser would show as a part of the image is refused, small flaws are not. */
const READING = { limitInputPixels: pixelsMax, failOn: 'error' } as const;

// Nothing is converted twice, and one thread leaves the other processors to answers.
sharp.cache(false);
sharp.concurrency(1);
// The library recognizes a file by its bytes. Only these readers exist for it.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Svg'].map(
    (reader) => `VipsForeignLoad${reader}Buffer`,
  ),
});

/**
 * Converts an image of any known format to WebP in sRGB, upright, without metadata, at most 1,600 pixels
 * on its longer side. Of an animation the first frame is kept. Returns what is wrong with a file that is
 * no such image.
 *
 * Line art stays exact; JPEG and AVIF files, and images too large without loss, are photographs.
 */
export async function convertImage(bytes: Uint8Array): Promise<ConvertedImage | ImageProblem> {
  if (GZIP.every((byte, i) => bytes[i] === byte)) return 'NOT_AN_IMAGE';
  if (isHeic(bytes)) return 'HEIC_IMAGE';
  try {
    const isDrawing = isMarkup(bytes);
    // Before its size is read: without a size it has that of its text.
    if (isDrawing && isHeavyDrawing(bytes)) return 'IMAGE_TOO_COMPLEX';
    const { format, width, height } = await headOf(bytes);
    if ((format === 'svg') !== isDrawing) return 'NOT_AN_IMAGE';
    const most = format === 'heif' ? avifPixelsMax : pixelsMax;
    if (!isDrawing && width * height > most) return 'IMAGE_TOO_LARGE';
    const density = isDrawing ? await densityFor(bytes, Math.max(width, height)) : OWN_SIZE_DPI;
    if (density < LOWEST_DPI) return 'IMAGE_TOO_LARGE';
    const { data, info } = await sharp(bytes, { density, ...READING })
      .autoOrient()
      .resize({ width: sideMaxPx, height: sideMaxPx, fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pixels = sharp(data, {
      raw: { width: info.width, height: info.height, channels: info.channels },
    });
    const isPhotograph = format === 'jpeg' || format === 'heif';
    const exact = isPhotograph ? null : await pixels.clone().webp({ lossless: true }).toBuffer();
    const webp =
      exact !== null && exact.length <= losslessMaxBytes
        ? exact
        : await pixels.webp({ quality: photoQuality, smartSubsample: true }).toBuffer();
    return { mediaType: 'image/webp', webp, width: info.width, height: info.height };
  } catch {
    // The library reports everything that is wrong with a file as an error, in words for developers.
    return 'NOT_AN_IMAGE';
  }
}

/** Whether it begins as XML does. */
function isMarkup(bytes: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(bytes.subarray(0, 1_000)).toString('latin1'));
}

/**
 * Whether an SVG may take gigabytes to draw: one text of 800 KB takes 3.6 GB, and time grows with the square
 * of a text. Counts the characters outside of tags and style sheets, with those of the entities that it
 * declares.
 */
function isHeavyDrawing(bytes: Uint8Array): boolean {
  if (bytes.length > svgMaxBytes) return true;
  const source = Buffer.from(bytes).toString('latin1');
  const entities = source.match(/<!ENTITY[^"'<>]*(?:"[^"]*"|'[^']*')/g) ?? [];
  const longest = Math.max(0, ...entities.map(({ length }) => length));
  const lengths = source
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    // Style sheets with whole fonts in them are common.
    .replace(/<style(?:[^<>]*[^/<>])?>[^<]*<\/style>|<[^<>]*>/g, '<')
    .split('<')
    .map((text) => text.length + (text.match(/&/g)?.length ?? 0) * longest);
  const all = lengths.reduce((sum, length) => sum + length, 0);
  return all > svgTextMaxCharacters || lengths.some((length) => length > svgLineMaxCharacters);
}

/** Reads the head without decoding the image, so its size does not matter yet. */
function headOf(bytes: Uint8Array, density = OWN_SIZE_DPI) {
  return sharp(bytes, { density, limitInputPixels: false }).metadata();
}

/** Draws an SVG at twice its own size, but no larger than it is stored. */
async function densityFor(bytes: Uint8Array, ownSide: number): Promise<number> {
  const twice = await headOf(bytes, 2 * OWN_SIZE_DPI);
  // Sides in pixels grow with the density; those in millimetres or points with its square.
  const power = Math.log2(Math.max(twice.width, twice.height) / ownSide);
  const scale = Math.min(svgScale, sideMaxPx / ownSide);
  return OWN_SIZE_DPI * scale ** (1 / power);
}
