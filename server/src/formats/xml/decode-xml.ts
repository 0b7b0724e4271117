import { UnreadableFile } from '../imported-file.ts';

/**
 * The encoding of an XML file: by its byte order mark, by the bytes of its first characters, or by its
 * declaration. Throws UnreadableFile when it is one that is not known.
 */
function encodingOf(bytes: Uint8Array): string {
  const [a, b, c, d] = bytes;
  if ((a === 0 && b === 0) || (a === 0xff && b === 0xfe && c === 0 && d === 0)) {
    throw new UnreadableFile('The file is in UTF-32, which is not read. Save it as UTF-8.');
  }
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0x3c && b === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c) return 'utf-16be';
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200));
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(
    start.toString('latin1'),
  )?.[1];
  // Such a declaration in a file of single bytes is wrong; the file is UTF-8 then, as a rule.
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

/**
 * The text of an XML file piece by piece, so that no second copy of a long file is in memory. Without its
 * declaration, which says nothing more: that of other programs' files is often wrong (text in front of
 * it, no space between its parts), while the file is well-formed.
 */
export function* decodeXml(bytes: Uint8Array): Generator<string> {
  const decoder = decoderOf(encodingOf(bytes));
  const step = 65_536;
  for (let start = 0; start < bytes.length; start += step) {
    const isLast = start + step >= bytes.length;
    const text = decoder.decode(bytes.subarray(start, start + step), { stream: !isLast });
    yield start === 0
      ? text.replace(/^\s*<\?xml\s[^>]*\?>/, (declaration) => declaration.replace(/[^\n]/g, ''))
      : text;
  }
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new UnreadableFile(
      `The encoding “${encoding.slice(0, 40)}” is not known. Save the file as UTF-8.`,
    );
  }
}
