/**
 * The text of a file: UTF-8 or UTF-16, with or without a byte order mark, otherwise windows-1252; any
 * kind of line break becomes `\n`.
 */
export function decodeText(bytes: Uint8Array): string {
  return decoded(bytes)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n');
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Without a byte order mark: Latin letters at the beginning have a zero in every second byte.
  if (first !== 0 && second === 0) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0 && second !== 0) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
