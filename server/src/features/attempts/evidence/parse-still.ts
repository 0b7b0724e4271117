import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import { AppError } from '../../../runtime/app-error.ts';

/**
 * The bytes of a still that arrived as base64. Accepts only a JPEG within the size limits, so that
 * administrators are shown pictures and nothing else. Throws NOT_A_STILL.
 */
export function parseStill(base64: string, path: string, mostBytes: number): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  const size = bytes.length > mostBytes ? null : jpegSize(bytes);
  const fits =
    size !== null &&
    size.width >= 1 &&
    size.width <= EVIDENCE_LIMITS.stillWidthPx &&
    size.height >= 1 &&
    size.height <= EVIDENCE_LIMITS.stillHeightPx;
  if (!fits) throw AppError.at(path, 'NOT_A_STILL');
  return bytes;
}

/** Markers without a length of their own: TEM, RST0 to RST7. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** Start of a frame, which holds the size; C4, C8 and CC are tables and reserved. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * Width and height of a JPEG (ITU-T T.81, annex B), in pixels; `null` for anything that is not a JPEG
 * from its first byte to its last.
 */
function jpegSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return null;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isBare(marker)) {
      at += 2;
      continue;
    }
    // Image data starts without a frame before it.
    if (marker === 0xda || marker === 0xd9) return null;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    if (isFrame(marker)) {
      if (at + 9 > bytes.length) return null;
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + length;
  }
  return null;
}
