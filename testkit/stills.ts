/** A gray picture of 320 by 240 pixels, as a whole JPEG in base64. */
export const STILL =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAKBueIx4ZKCMgoy0qqC+8P//8Nzc8P//////////////////////' +
  '////////////////////////////////////wAALCADwAUABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/' +
  'xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/AIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAD//2Q==';

/** The same picture, declaring another size. */
export function stillOf(width: number, height: number): string {
  const bytes = Buffer.from(STILL, 'base64');
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes.toString('base64');
}

/** The same picture, padded with a comment to a number of bytes. */
export function stillOfBytes(length: number): string {
  const bytes = Buffer.from(STILL, 'base64');
  const missing = length - bytes.length;
  const comment = Buffer.alloc(missing, 0x20);
  comment.writeUInt16BE(0xfffe, 0);
  comment.writeUInt16BE(missing - 2, 2);
  return Buffer.concat([bytes.subarray(0, 2), comment, bytes.subarray(2)]).toString('base64');
}
