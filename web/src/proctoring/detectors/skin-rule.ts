/** A face counts when more than this share of the pixels is skin (seed 9). */
const SKIN_SHARE = 0.01;
/** ... and the picture is brighter than this on average, 0 to 255 (seed 9). */
const SKIN_BRIGHTNESS = 30;

/** The result of the seed's rule for a picture. */
export interface SkinVerdict {
  face: boolean;
  /** Share of the pixels that are skin, 0 to 1. */
  share: number;
  /** Mean of the three channels, 0 to 255. */
  brightness: number;
}

/**
 * The seed's face check: skin-pixel ratio above 1% and mean brightness above 30. It detects
 * warm colors, not faces (error rates: docs/proctoring.md), so it is only the fallback where the model
 * cannot run. The seed does not define a skin pixel; this is the usual rule for RGB in daylight
 * (Kovač, Peer, Solina 2003).
 */
export function skinRule({ data }: Pick<ImageData, 'data'>): SkinVerdict {
  const pixels = Math.max(1, data.length / 4);
  let skin = 0;
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) {
    const red = data[at] ?? 0;
    const green = data[at + 1] ?? 0;
    const blue = data[at + 2] ?? 0;
    sum += red + green + blue;
    if (isSkin(red, green, blue)) skin += 1;
  }
  const share = skin / pixels;
  const brightness = sum / (3 * pixels);
  return { face: share > SKIN_SHARE && brightness > SKIN_BRIGHTNESS, share, brightness };
}

function isSkin(red: number, green: number, blue: number): boolean {
  return (
    red > 95 &&
    green > 40 &&
    blue > 20 &&
    red > green &&
    red > blue &&
    Math.max(red, green, blue) - Math.min(red, green, blue) > 15 &&
    Math.abs(red - green) > 15
  );
}
