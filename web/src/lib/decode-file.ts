import {
  type DecodedText,
  decodeBytes,
  ENCODINGS,
  type Encoding,
} from '@invigil/core/domain/text-encoding';
import { t } from '@invigil/core/texts/i18n';

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

const HINTS: Record<Encoding, () => string> = {
  'utf-8': () =>
    t(/* beside the name of an encoding of text */ 'portal.encoding.allLanguages', 'all languages'),
  'utf-16le': () =>
    t(/* beside the name of an encoding of text */ 'portal.encoding.littleEndian', 'little-endian'),
  'utf-16be': () =>
    t(/* beside the name of an encoding of text */ 'portal.encoding.bigEndian', 'big-endian'),
  'windows-1252': () =>
    t(
      /* beside the name of an encoding of text */ 'portal.encoding.westernEurope',
      'Western Europe',
    ),
  'windows-1250': () =>
    t(
      /* beside the name of an encoding of text */ 'portal.encoding.centralEurope',
      'Central Europe',
    ),
  'windows-1251': () =>
    t(/* beside the name of an encoding of text */ 'portal.encoding.cyrillic', 'Cyrillic'),
  'koi8-r': () =>
    t(/* beside the name of an encoding of text */ 'portal.encoding.cyrillic', 'Cyrillic'),
  macintosh: () =>
    t(/* beside the name of an encoding of text */ 'portal.encoding.oldMac', 'old Mac files'),
};

/** The encodings to select from. */
export const encodingOptions = () =>
  ENCODINGS.map((value) => ({
    value,
    label: t(
      /* an encoding of text, as "KOI8-R (Cyrillic)" */ 'portal.encoding.option',
      '{name} ({hint})',
      { name: ENCODING_NAMES[value], hint: HINTS[value]() },
    ),
  }));
