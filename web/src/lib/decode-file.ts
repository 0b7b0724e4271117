import {
  type DecodedText,
  decodeBytes,
  ENCODINGS,
  type Encoding,
} from '@invigil/core/domain/text-encoding';

/** The text of a file and its encoding: the likeliest one, or the one that was selected. */
export const decodeFile = (bytes: Uint8Array, selected?: Encoding): DecodedText =>
  decodeBytes(bytes, TextDecoder, selected);

/** Names of encodings within a sentence. */
export const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'windows-1252',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'koi8-r': 'KOI8-R',
  macintosh: 'Mac Roman',
};

const HINTS: Record<Encoding, string> = {
  'utf-8': 'all languages',
  'utf-16le': 'little-endian',
  'utf-16be': 'big-endian',
  'windows-1252': 'Western Europe',
  'windows-1250': 'Central Europe',
  'windows-1251': 'Cyrillic',
  'koi8-r': 'Cyrillic',
  macintosh: 'old Mac files',
};

export const ENCODING_OPTIONS = ENCODINGS.map((value) => ({
  value,
  label: `${ENCODING_NAMES[value]} (${HINTS[value]})`,
}));
