/** The picture that brightness and movement are measured on. Pixels. */
export const GRAY_WIDTH = 64;
export const GRAY_HEIGHT = 48;

/** Brightness of every pixel, 0 to 255, by the weights of ITU-R BT.601. */
export function grayOf(rgba: Uint8ClampedArray): Uint8Array {
  const gray = new Uint8Array(rgba.length / 4);
  for (let i = 0; i < gray.length; i += 1) {
    const at = i * 4;
    gray[i] = 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
  }
  return gray;
}

/** The picture that edges are measured on: a blur of five pixels in 640 must still be seen. Pixels. */
export const EDGE_WIDTH = 160;
export const EDGE_HEIGHT = 120;

/** Edge measurements: whether the picture shows a scene. */
export interface EdgeFigures {
  /** Steepest slope between neighbours, ignoring one pixel in a thousand; 0 to 180. */
  steepest: number;
  /** Curvature over slope, without noise: 0.5 is a blur. */
  sharpness: number;
}

/** The median of the second differences of noise, times this, is their 99th percentile. */
const NOISE_SPREAD = 3.7;
/** Beyond noise of a standard deviation of 8 it is texture. */
const NOISE_MOST = 16;

/** Measures the edges of a gray picture of EDGE_WIDTH by EDGE_HEIGHT. */
export function edgeFigures(gray: Uint8Array): EdgeFigures {
  const [width, height] = [EDGE_WIDTH, EDGE_HEIGHT];
  const at = (x: number, y: number) => gray[y * width + x] ?? 0;
  const slopes: number[] = [];
  const bends: number[] = [];
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const [left, right, up, down] = [at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)];
      slopes.push(Math.hypot(right - left, down - up) / 2);
      bends.push(Math.abs(4 * at(x, y) - left - right - up - down));
    }
  }
  const steepest = percentile(slopes, 0.999);
  const noise = Math.min(NOISE_MOST, NOISE_SPREAD * percentile(bends, 0.5));
  const bend = Math.sqrt(Math.max(0, percentile(bends, 0.99) ** 2 - noise ** 2));
  return { steepest, sharpness: steepest === 0 ? 0 : bend / steepest };
}

function percentile(values: number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Light and motion of one gray picture. */
export interface GrayFigures {
  /** Mean, 0 to 255. */
  brightness: number;
  /** Standard deviation, 0 to 128. */
  contrast: number;
  /** Mean difference from the previous picture; `null` for the first one. */
  motion: number | null;
}

/** Measures a gray picture and its change from the previous one. */
export function grayFigures(gray: Uint8Array, before: Uint8Array | null): GrayFigures {
  let sum = 0;
  let squares = 0;
  let change = 0;
  for (let i = 0; i < gray.length; i += 1) {
    const value = gray[i] ?? 0;
    sum += value;
    squares += value * value;
    change += Math.abs(value - (before?.[i] ?? value));
  }
  const pixels = Math.max(1, gray.length);
  const brightness = sum / pixels;
  return {
    brightness,
    contrast: Math.sqrt(Math.max(0, squares / pixels - brightness ** 2)),
    motion: before === null ? null : change / pixels,
  };
}
