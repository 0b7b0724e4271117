import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import { AppError } from '../../../runtime/app-error.ts';
import { jpegSize } from './jpeg-size.ts';

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
