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

/** Chinese characters have the forms of the language whose own letters are in the text too. */
function hanFonts(text: string): string[] {
  const first = /[\p{sc=Hira}\p{sc=Kana}]/u.test(text)
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

/** The fonts that a text needs, as OpenType with its characters only; and their names in the order of use. */
async function fontsFor(text: string): Promise<{ fontBlobs: Buffer[]; families: string[] }> {
  let left = [...new Set(text)];
  const fontBlobs: Buffer[] = [];
  const families: string[] = [];
  for (const font of [...LETTERS, ...SCRIPTS, 'noto-serif-tibetan', ...hanFonts(text)]) {
    const folder = `@fontsource-variable/${font}`;
    const parts: Record<string, string> = readJson(`${folder}/unicode.json`);
    for (const [part, ranges] of Object.entries(parts)) {
      if (!left.some((character) => isIn(ranges, character))) continue;
      left = left.filter((character) => !isIn(ranges, character));
      const { family } = readJson(`${folder}/metadata.json`);
      const number = String(families.length);
      const name = family.slice(0, -number.length) + number;
      families.push(name);
      const file = `${folder}/files/${font}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`;
      const bytes = readFileSync(pathOf(file));
      for (const wght of WEIGHTS) {
        const variationAxes = { wght };
        const blob = await subsetFont(bytes, text, { targetFormat: 'sfnt', variationAxes });
        rename(blob, family, name);
        fontBlobs.push(blob);
      }
    }
  }
  return { fontBlobs, families };
}

const template = readFileSync(new URL('./certificate.typ', import.meta.url), 'utf8');
/** The characters of the template's own texts. */
const WORDS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;·%/-';

async function print({ logo, ...texts }: CertificateTexts): Promise<Uint8Array> {
  const { fontBlobs, families } = await fontsFor(WORDS + Object.values(texts).join(''));
  const compiler = NodeCompiler.create({ workspace: '/', fontArgs: [{ fontBlobs }] });
  compiler.mapShadow('/code.svg', Buffer.from(renderSVG(texts.link, { ecc: 'M', border: 0 })));
  if (logo) compiler.mapShadow('/logo.webp', Buffer.from(logo));
  const inputs = { texts: JSON.stringify({ ...texts, logo: logo !== null, families }) };
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

const port = parentPort as MessagePort;
port.on('message', async (texts: CertificateTexts) => port.postMessage(await print(texts)));
