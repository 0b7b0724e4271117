/** The picture that brightness and movement are measured on. Pixels. */
export const GREY_WIDTH = 64;
export const GREY_HEIGHT = 48;

/** Brightness of every pixel, 0 to 255, by the weights of ITU-R BT.601. */
export function greyOf(rgba: Uint8ClampedArray): Uint8Array {
  const grey = new Uint8Array(rgba.length / 4);
  for (let i = 0; i < grey.length; i += 1) {
    const at = i * 4;
    grey[i] = 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
  }
  return grey;
}

/** What one grey picture says about light and movement. */
export interface GreyFigures {
  /** Mean, 0 to 255. */
  brightness: number;
  /** Standard deviation, 0 to 128: how much there is to see. */
  contrast: number;
  /** Mean difference to the picture before; `null` for the first one. */
  motion: number | null;
}

/** Measures a grey picture and what changed since the one before. */
export function greyFigures(grey: Uint8Array, before: Uint8Array | null): GreyFigures {
  let sum = 0;
  let squares = 0;
  let change = 0;
  for (let i = 0; i < grey.length; i += 1) {
    const value = grey[i] ?? 0;
    sum += value;
    squares += value * value;
    change += Math.abs(value - (before?.[i] ?? value));
  }
  const pixels = Math.max(1, grey.length);
  const brightness = sum / pixels;
  return {
    brightness,
    contrast: Math.sqrt(Math.max(0, squares / pixels - brightness ** 2)),
    motion: before === null ? null : change / pixels,
  };
}
