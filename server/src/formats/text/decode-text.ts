import { type DecodedText, decodeBytes, type Encoding } from '@invigil/core/domain/text-encoding';

/** The text of a file and its encoding: the likeliest one, or the one that was selected. */
export const decodeText = (bytes: Uint8Array, selected?: Encoding): DecodedText =>
  decodeBytes(bytes, TextDecoder, selected);

/** A path or address without escapes; as it is where they are broken. */
export function percentDecoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
