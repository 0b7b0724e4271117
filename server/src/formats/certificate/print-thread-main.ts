import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import subsetFont from 'subset-font';
import { renderSVG } from 'uqr';
import type { CertificateTexts } from './print-certificate.ts';

/*
 * The body of the thread that sets certificates (print-certificate.ts). Typst orders and shapes the text of every
 * script; it gets the template, the pictures, and of each font only the characters that the certificate has.
 */

/** Packages with fonts; a character is set in the first that has it. */
const LETTERS = ['ibm-plex-sans', 'noto-sans'];
const SCRIPTS = [
  ...['arabic', 'hebrew', 'thaana', 'armenian', 'georgian', 'ethiopic'],
  ...['bengali', 'gurmukhi', 'gujarati', 'oriya', 'tamil', 'telugu', 'kannada'],
  ...['malayalam', 'sinhala', 'thai', 'lao', 'khmer', 'myanmar'],
].map((script) => `noto-sans-${script}`);

/** Chinese characters have the forms of the language of the page, or of that whose own letters are in the text too. */
function hanFonts(text: string, language: string): string[] {
  const first =
    language === 'zh'
      ? 'sc'
      : /[\p{sc=Hira}\p{sc=Kana}]/u.test(text)
        ? 'jp'
        : /\p{sc=Hang}/u.test(text)
          ? 'kr'
          : 'sc';
  return [first, 'sc', 'tc', 'jp', 'kr'].map((language) => `noto-sans-${language}`);
}

/** The two font weights in the template. */
const WEIGHTS = [400, 600];

const pathOf = (specifier: string) => fileURLToPath(import.meta.resolve(specifier));

/** The characters of a part of a font, as CSS has them: `U+0600-06FF,U+200C`. */
function isIn(ranges: string, character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return ranges.split(',').some((range) => {
    const [from = 0, to = from] = range
      .slice(2)
      .split('-')
      .map((end) => Number.parseInt(end, 16));
    return code >= from && code <= to;
  });
}

/**
 * Typst takes one face of a family, and these fonts come in parts of one name. So each part gets a name of
 * its own, as long as the old one: nothing moves in the file.
 */
function rename(font: Buffer, family: string, name: string): void {
  for (const encode of [
    (text: string) => Buffer.from(text, 'latin1'),
    (text: string) => Buffer.from(text, 'utf16le').swap16(),
  ]) {
    const [from, to] = [encode(family), encode(name)];
    for (let at = font.indexOf(from); at >= 0; at = font.indexOf(from, at)) to.copy(font, at);
  }
}

const readJson = (specifier: string) => JSON.parse(readFileSync(pathOf(specifier), 'utf8'));

/** A part of a font with the characters of a text only, once for each weight. */
interface Part {
  family: string;
  blobs: Buffer[];
  has: ReadonlySet<number>;
}

/** The parts of fonts that a text needs, in the order of use. */
async function partsFor(
  text: string,
  weights: readonly number[],
  language: string,
): Promise<Part[]> {
  // Letters with marks can be set from their parts where a font has only these.
  const wanted = text + text.normalize('NFD');
  let left = [...new Set(text)];
  const parts: Part[] = [];
  for (const font of [...LETTERS, ...SCRIPTS, 'noto-serif-tibetan', ...hanFonts(text, language)]) {
    const folder = `@fontsource-variable/${font}`;
    const ranges: Record<string, string> = readJson(`${folder}/unicode.json`);
    const own: Part[] = [];
    for (const [part, range] of Object.entries(ranges)) {
      if (!left.some((character) => isIn(range, character))) continue;
      const { family: original } = readJson(`${folder}/metadata.json`);
      const number = String(parts.length + own.length);
      const family = original.slice(0, -number.length) + number;
      const file = `${folder}/files/${font}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`;
      const bytes = readFileSync(pathOf(file));
      const blobs: Buffer[] = [];
      for (const wght of weights) {
        const variationAxes = { wght };
        const blob = await subsetFont(bytes, wanted, { targetFormat: 'sfnt', variationAxes });
        rename(blob, original, family);
        blobs.push(blob);
      }
      const has = charactersOf(blobs[0]);
      // A font may not have all that its list of ranges says.
      const before = left.length;
      left = left.filter((character) => !has.has(character.codePointAt(0) ?? 0));
      if (left.length < before) own.push({ family, blobs, has });
    }
    // The part with most letters of the text first: it may have their marks, too.
    parts.push(...own.toSorted((one, other) => other.has.size - one.has.size));
  }
  return parts;
}

/** The characters of an OpenType font, from the formats of its `cmap` for Unicode: 4 and 12. */
function charactersOf(font: Buffer | undefined): Set<number> {
  const all = new Set<number>();
  if (!font) return all;
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, i) => 12 + 16 * i);
  const entry = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap');
  if (entry === undefined) return all;
  const cmap = font.readUInt32BE(entry + 8);
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i++) {
    const at = cmap + font.readUInt32BE(cmap + 4 + 8 * i + 4);
    const format = font.readUInt16BE(at);
    if (format === 4) addSegments(all, font, at);
    if (format !== 12) continue;
    for (let group = 0; group < font.readUInt32BE(at + 12); group++) {
      const [first, last] = [0, 4].map((by) => font.readUInt32BE(at + 16 + 12 * group + by));
      for (let code = first ?? 0; code <= (last ?? -1); code++) all.add(code);
    }
  }
  return all;
}

function addSegments(all: Set<number>, font: Buffer, at: number): void {
  const size = font.readUInt16BE(at + 6);
  for (let by = 0; by < size; by += 2) {
    const last = font.readUInt16BE(at + 14 + by);
    const first = font.readUInt16BE(at + 16 + size + by);
    const delta = font.readUInt16BE(at + 16 + 2 * size + by);
    const offsetAt = at + 16 + 3 * size + by;
    const offset = font.readUInt16BE(offsetAt);
    for (let code = first; code <= last && code < 0xffff; code++) {
      const glyph =
        offset === 0
          ? (code + delta) & 0xffff
          : font.readUInt16BE(offsetAt + offset + 2 * (code - first));
      if (glyph !== 0) all.add(code);
    }
  }
}

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** It has no picture of its own, and needs no font. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}]$/u;

/** A letter with its marks as one of the fonts can set it; null: none has all of it. */
function settable(letter: string, parts: readonly Part[]): string | null {
  for (const form of [letter, letter.normalize('NFD')]) {
    const codes = [...form].flatMap((one) =>
      INVISIBLE.test(one) ? [] : (one.codePointAt(0) ?? 0),
    );
    const [base = 0, ...marks] = codes;
    for (const { has } of parts) {
      if (codes.every((code) => has.has(code))) return form;
      // Typst sets the mark from this part, and loses the letter below it.
      if (!has.has(base) && marks.some((code) => has.has(code))) break;
    }
  }
  return null;
}

/** Drawn for a letter that no font has: a strict PDF refuses a page with a gap. */
const BOX = '\u25a1';

const template = readFileSync(new URL('./certificate.typ', import.meta.url), 'utf8');

async function print({ shown: said, link, logo, ...texts }: CertificateTexts): Promise<Uint8Array> {
  const { language } = texts;
  const shown: Record<string, string> = { ...said };
  const all = () => Object.values(shown).join('');
  let parts = await partsFor(all().normalize('NFC'), WEIGHTS, language);
  for (const [key, text] of Object.entries(shown)) {
    shown[key] = Array.from(
      clusters.segment(text.normalize('NFC')),
      ({ segment }) => settable(segment, parts) ?? BOX,
    ).join('');
  }
  if (all().includes(BOX)) parts = await partsFor(all(), WEIGHTS, language);
  const fontBlobs = parts.flatMap(({ blobs }) => blobs);
  const families = parts.map(({ family }) => family);
  const compiler = NodeCompiler.create({ workspace: '/', fontArgs: [{ fontBlobs }] });
  compiler.mapShadow('/code.svg', Buffer.from(renderSVG(link, { ecc: 'M', border: 0 })));
  if (logo) compiler.mapShadow('/logo.webp', Buffer.from(logo));
  const inputs = {
    texts: JSON.stringify({ ...texts, ...shown, hasLogo: logo !== null, families }),
  };
  const compiled = compiler.compile({ mainFileContent: template, inputs });
  if (!compiled.result) {
    const why = compiled.takeDiagnostics()?.shortDiagnostics;
    throw new Error(`a certificate could not be set: ${JSON.stringify(why)}`);
  }
  const pdf = compiler.pdf(compiled.result, { pdfStandard: 'ua-1' });
  // Nothing of one certificate is of use to the next.
  compiler.evictCache(0);
  return pdf;
}

/** Selects from letters, each with its marks, what no font has. */
async function withoutFont(letters: readonly string[]): Promise<string[]> {
  const parts = await partsFor(letters.join(''), [400], 'en');
  return letters.filter((letter) => settable(letter, parts) === null);
}

const port = parentPort as MessagePort;
port.on('message', async (asked: CertificateTexts | { letters: string[] }) =>
  port.postMessage(await ('letters' in asked ? withoutFont(asked.letters) : print(asked))),
);
