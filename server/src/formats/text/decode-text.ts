import {
  type Decode,
  type DecodedText,
  decodeBytes,
  type Encoding,
} from '@invigil/core/domain/text-encoding';

const decode: Decode = (bytes, encoding, fatal) => {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    return null;
  }
};

/** The text of a file and its encoding: the likeliest one, or the one that was chosen. */
export function decodeText(bytes: Uint8Array, chosen?: Encoding): DecodedText {
  return decodeBytes(bytes, decode, chosen);
}
