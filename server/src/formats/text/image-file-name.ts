/** First bytes of the image formats that are stored, from the offset. */
const SIGNATURES: [extension: string, offset: number, bytes: string][] = [
  ['png', 0, '\x89PNG'],
  ['jpg', 0, '\xff\xd8\xff'],
  ['gif', 0, 'GIF8'],
  ['webp', 8, 'WEBP'],
  ['avif', 4, 'ftypavif'],
  ['avif', 4, 'ftypavis'],
];

/** A name for an image inside of an exported file: its hash, and the extension of its content. */
export function imageFileName(hash: string, bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const found = SIGNATURES.find(([, offset, sign]) => start.startsWith(sign, offset));
  return found ? `${hash}.${found[0]}` : hash;
}
