/** Pixels of a known picture and what came back of it. */
type Pixels = Uint8ClampedArray<ArrayBuffer>;

/** Pixels: small enough to check it with every picture of the camera. */
export const KNOWN_WIDTH = 32;
export const KNOWN_HEIGHT = 24;

/** Mean difference per byte. Browsers that change the lowest bits on purpose stay below; noise does not. */
const TOLERANCE = 8;

/** A picture of random colours, RGBA: what is not drawn and read back now cannot look the same. */
export function knownPicture(): Pixels {
  const pixels = crypto.getRandomValues(new Uint8ClampedArray(KNOWN_WIDTH * KNOWN_HEIGHT * 4));
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255;
  return pixels;
}

/** Whether a known picture came back, up to changes that no detector notices. */
export function isSamePicture(known: Uint8ClampedArray, back: Uint8ClampedArray): boolean {
  let change = 0;
  for (let i = 0; i < known.length; i += 1) change += Math.abs((known[i] ?? 0) - (back[i] ?? 0));
  return known.length === back.length && change < TOLERANCE * known.length;
}

/**
 * Whether a canvas gives back what is drawn on it. Browsers and add-ons against fingerprints return
 * noise, one colour or an earlier picture instead, in which no face is ever found.
 */
export function readsBack(
  pencil: Pick<CanvasRenderingContext2D, 'createImageData' | 'putImageData' | 'getImageData'>,
): boolean {
  const known = knownPicture();
  const picture = pencil.createImageData(KNOWN_WIDTH, KNOWN_HEIGHT);
  picture.data.set(known);
  pencil.putImageData(picture, 0, 0);
  return isSamePicture(known, pencil.getImageData(0, 0, KNOWN_WIDTH, KNOWN_HEIGHT).data);
}
