/** Encodings of text files: those that declare or prove themselves, and those told apart by likelihood. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'koi8-r',
  'macintosh',
] as const;
/** Also a label of the Encoding standard, so that every `TextDecoder` knows it. */
export type Encoding = (typeof ENCODINGS)[number];

/** The platform's `TextDecoder`, which this package does not know. */
type Decoder = new (
  encoding: string,
  options: { fatal: boolean },
) => { decode(bytes: Uint8Array): string };

export interface DecodedText {
  /** The text after its byte order mark; each line break is `\n`. */
  text: string;
  encoding: Encoding;
}

/**
 * The text of a file: UTF-8 or UTF-16, with or without a byte order mark, otherwise the single-byte
 * encoding in which its words are the likeliest.
 *
 * @param selected by a person, whatever is likely
 */
export function decodeBytes(
  bytes: Uint8Array,
  TextDecoder: Decoder,
  selected?: Encoding,
): DecodedText {
  const decode = (part: Uint8Array, encoding: Encoding) =>
    new TextDecoder(encoding, { fatal: false }).decode(part);
  const proven = selected ?? provenEncoding(bytes);
  const utf8 =
    proven === null && !isUtf8ByChance(bytes, decode) ? strictUtf8(bytes, TextDecoder) : null;
  const encoding = proven ?? (utf8 === null ? likeliest(bytes, decode) : 'utf-8');
  const text = utf8 ?? decode(bytes, encoding);
  return { text: text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'), encoding };
}

/** `null` for bytes that UTF-8 does not have. */
function strictUtf8(bytes: Uint8Array, TextDecoder: Decoder): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** “Strauß’ waltz” and „MENÜ“: two bytes that are a letter of N’Ko or Syriac in UTF-8, among Latin ones. */
const BY_CHANCE = /\p{Ll}ß[^\p{L}\0-\x7f]|[A-Z]{2}[ÉÖÜ][‘’“”…–—›»\u00a0](?!\p{L}{2})/gu;

function isUtf8ByChance(
  bytes: Uint8Array,
  decode: (part: Uint8Array, encoding: Encoding) => string,
): boolean {
  const western = decode(linesBeyondAscii(bytes), 'windows-1252');
  return western !== '' && beyondAscii(western.replace(BY_CHANCE, '')) === 0;
}

function provenEncoding([first, second]: Uint8Array): Encoding | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Latin letters at the beginning have a zero in every second byte, if there is no byte order mark.
  if (first !== undefined && first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== undefined && second !== 0 ? 'utf-16be' : null;
}

/** Each must prove windows-1252 wrong. */
const RARER = ['windows-1250', 'windows-1251', 'koi8-r', 'macintosh'] as const;

/** The least share of the characters beyond ASCII that windows-1252 must read as no ordinary text has them. */
const LEAST_EVIDENCE = 0.05;

/**
 * windows-1252 wherever its reading is plain. Another encoding needs evidence against that and a likelier
 * text, so that an apostrophe or a dash among English words never becomes a letter of another alphabet.
 */
function likeliest(
  bytes: Uint8Array,
  decode: (part: Uint8Array, encoding: Encoding) => string,
): Encoding {
  const sample = linesBeyondAscii(bytes);
  const western = decode(sample, 'windows-1252');
  const least = LEAST_EVIDENCE * beyondAscii(western);
  let best: Encoding = 'windows-1252';
  let most = likelihood(western);
  for (const encoding of RARER) {
    const plain = encoding === 'windows-1250' ? PLAIN : PLAIN_WESTERN;
    if (beyondAscii(western.replace(plain, '')) <= least) continue;
    const score = likelihood(decode(sample, encoding));
    if (score > most) [best, most] = [encoding, score];
  }
  return best;
}

const beyondAscii = (text: string) => text.match(/[^\0-\x7f]/g)?.length ?? 0;

/** Letters of windows-1252 beyond ASCII. */
const MARKED = 'À-ÖØ-öø-ÿŒœŠšŽžŸƒ';

/**
 * Matches the characters beyond ASCII of ordinary texts, in the places where they have them. Letters are
 * single or in pairs (théâtre, Größe), a capital never follows a small letter.
 */
const plainText = (small: string, capital: string) =>
  new RegExp(
    [
      `(?<![${MARKED}])(?:${small}|(?<!\\p{Ll})[${capital}]){1,2}(?![${MARKED}])`,
      '[‘’‚“”„‹›«»–—…•·´°µ¶±€¢¬¦\u00a0\u00ad]',
      '(?<![\\p{L}\\d])[¿¡]',
      '(?<=[\\p{L}\\d.])[ªº](?!\\p{L})',
      '(?<![\\s,;])[¹²³](?!\\p{L}{2})',
      '(?<!\\p{L})[½¼¾‰](?!\\p{L}{2})',
      '[£¥](?!\\p{L}{2})',
      '(?<!\\p{L})§(?!\\p{L}{2})',
      '[©®™†‡](?!\\p{L})',
      `(?<![${MARKED}])[×÷](?![${MARKED}])`,
      '(?<!\\p{L})[¤¨¯¸ˆ˜ƒ](?!\\p{L})',
    ].join('|'),
    'gu',
  );
/**
 * Letters of English, French, German and Spanish, the last with ñ before vowels, and of Italian, with ò at
 * the end: what windows-1250 reads otherwise is evidence.
 */
const PLAIN = plainText(
  '[àáâäæçèéêëíîïóôöùúûüÿœß]|ñ(?![b-df-hj-np-tv-xz])|ò(?!\\p{L})',
  'ÀÁÂÄÆÇÈÉÊËÍÎÏÑÓÔÖÙÚÛÜŒ',
);
/** Letters of these and of neighboring languages. */
const PLAIN_WESTERN = plainText(
  '[àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿœß]',
  'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŒ',
);

const SAMPLE_BYTES = 16_384;

/** The first lines with bytes that ASCII does not have; others say nothing about the encoding. */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let size = 0;
  for (let start = 0; start < bytes.length && size < SAMPLE_BYTES; ) {
    let end = start;
    let isAscii = true;
    while (end < bytes.length && end - start < SAMPLE_BYTES) {
      const byte = bytes[end] ?? 0;
      if (byte > 0x7f) isAscii = false;
      end += 1;
      if (byte === 0x0a || byte === 0x0d) break;
    }
    if (!isAscii) {
      const part = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES - size));
      sample.set(part, size);
      size += part.length;
    }
    start = end;
  }
  return sample.subarray(0, size);
}

/** Letters beyond ASCII that belong together: a text is in one language, as a rule. */
const ALPHABETS = [
  'àâæçèéêëîïôœùûüÿ',
  'äöüßéàèç',
  'áéíñóúü',
  'àáâãçéêíóôõúü',
  'àèéìíòóùú',
  'åäöéæøü',
  'áäåæðéíóöøúýþ',
  'ąćęłńóśźż',
  'áčďéěíňóřšťúůýž',
  'áäčďéíĺľňóôŕšťúýž',
  'áéíóöőúüű',
  'čćđšž',
  'âăîșțşţ',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўђјљњћџ',
].map((letters) => new Set(letters));
/** Russian letters by their frequency in texts, from the most frequent to the least. */
const RUSSIAN = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё';

const VOWEL = /[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿăąęěőůűаеёиоуыэюяіїє]/i;
const LETTER = /\p{L}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
/** Signs that texts have, beside words … */
const SIGN = /[“”„‚‘’«»‹›–—…•·§©®™°±×÷€£¥¢¿¡²³¹µ½¼¾ªº№√≤≥≠≈∞π∆Ω\u00a0]/;
/** … and inside of them. */
const INNER_SIGN = /[’·\u00ad]/;

/** How well the letters beyond ASCII fit their words, and one another; the higher the likelier. */
function likelihood(text: string): number {
  let score = 0;
  const letters = new Map<string, number>();
  const at = (i: number) => text[i] ?? ' ';
  for (let i = 0; i < text.length; i += 1) {
    const character = at(i);
    if (character <= '\x7f') continue;
    const before = at(i - 1);
    const after = at(i + 1);
    if (!LETTER.test(character)) {
      const isInside = LETTER.test(before) && LETTER.test(after);
      // A sign inside of a word, such as the apostrophe of “don’t”, says as much as a letter.
      if (isInside) score += INNER_SIGN.test(character) ? 2 : -3;
      else score += SIGN.test(character) ? 0.5 : -3;
      continue;
    }
    // One on its own may be anything.
    if (!LETTER.test(before) && !LETTER.test(after)) continue;
    const lower = character.toLowerCase();
    letters.set(lower, (letters.get(lower) ?? 0) + 1);
    if (isUpper(character) && isLower(before)) score -= 3;
    if (isLower(character) && isUpper(before) && isUpper(after)) score -= 3;
    score += withNeighbor(character, before) + withNeighbor(character, after);
  }
  return score + alphabetScore(letters);
}

/** Scripts do not mix, marked letters are single in Latin words, and vowels follow consonants. */
function withNeighbor(character: string, neighbor: string): number {
  if (!LETTER.test(neighbor)) return 0;
  const isCyrillic = CYRILLIC.test(character);
  if (isCyrillic !== CYRILLIC.test(neighbor)) return -3;
  const isMarkedPair = !isCyrillic && neighbor > '\x7f';
  return (VOWEL.test(character) === VOWEL.test(neighbor) ? -0.5 : 0.5) - (isMarkedPair ? 1 : 0);
}

/** Letters of the language that has most of them; those of no such language speak against. */
function alphabetScore(letters: ReadonlyMap<string, number>): number {
  const scores = ALPHABETS.map((alphabet) =>
    [...letters].reduce((sum, [letter, n]) => sum + (alphabet.has(letter) ? n : -2 * n), 0),
  );
  const frequent = [...letters].reduce((sum, [letter, n]) => {
    const rank = RUSSIAN.indexOf(letter);
    return sum + (rank < 0 ? 0 : n * (0.5 - rank / RUSSIAN.length));
  }, 0);
  return Math.max(...scores) + frequent;
}

const isUpper = (letter: string) => letter !== letter.toLowerCase();
const isLower = (letter: string) => letter !== letter.toUpperCase();
