import { inflateSync } from 'node:zlib';

/** Reads a PDF of the form in which ours are written: letters that fonts draw, and texts about the file. */
export function readPdf(pdf: Uint8Array) {
  const file = Buffer.from(pdf);
  const source = file.toString('latin1');
  const streams = [...source.matchAll(/\bstream\r?\n/g)].map(({ index, 0: { length } }) => {
    const bytes = file.subarray(index + length, source.indexOf('endstream', index));
    try {
      return inflateSync(bytes).toString();
    } catch {
      return bytes.toString();
    }
  });
  // A letter is named in the map of its font, or where it is drawn in several pieces.
  const letters = streams.flatMap((stream) =>
    [...stream.matchAll(/(?:^<[\dA-F]{4}> <|\/ActualText <FEFF)([\dA-F]+)>$/gm)].map(
      ([, hex = '']) => fromHex(hex),
    ),
  );
  const [, title] = /<dc:title>.*?<rdf:li[^>]*>(.*?)<\/rdf:li>/.exec(streams.join('\n')) ?? [];
  return {
    /** Each letter that is drawn, once for each font and form. */
    letters: letters.join(''),
    language: /\/Lang \(([\w-]+)\)/.exec(source)?.[1],
    title,
    /** Descriptions of pictures. */
    pictures: [...source.matchAll(/\/Alt (?:\(([^)]*)\)|<FEFF([\dA-F]+)>)/g)].map(
      ([, plain, hex = '']) => plain ?? fromHex(hex),
    ),
    fonts: new Set(
      [...source.matchAll(/\/BaseFont\s*\/[A-Z]{6}\+([A-Za-z]+?)(?:Thin)?[\s/-]/g)].map(
        ([, name]) => name,
      ),
    ),
  };
}

/** A text from UTF-16 in hexadecimal. */
const fromHex = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');
