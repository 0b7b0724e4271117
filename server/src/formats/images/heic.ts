const BRANDS_END = 64;

/**
 * Whether a file is a photo in HEIC, by the brands that its first box names (ISO/IEC 23008-12). Phones store
 * photos so, with a video codec that the image library leaves out for its patents.
 */
export function isHeic(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, BRANDS_END));
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const brands = head.toString('latin1', 8, Math.min(head.readUInt32BE(0), BRANDS_END));
  return /hei[cxms]|hev[cxms]/.test(brands) && !/avi[fs]/.test(brands);
}
