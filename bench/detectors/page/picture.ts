import type { Variation } from './api.ts';

const WIDTH = 640;
const HEIGHT = 480;

/** A picture as the camera would give it, after the variation. */
export async function variedPicture(jpeg: string, variation: Variation): Promise<ImageData> {
  const { light, scale, shift, noise, specks } = variation;
  const bitmap = await createImageBitmap(new Blob([bytesOf(jpeg)], { type: 'image/jpeg' }));
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const pencil = canvas.getContext('2d', { willReadFrequently: true });
  if (pencil === null) throw new Error('no drawing context');
  pencil.fillStyle = 'rgb(120 120 120)';
  pencil.fillRect(0, 0, WIDTH, HEIGHT);
  const [width, height] = [WIDTH * scale, HEIGHT * scale];
  pencil.drawImage(bitmap, (WIDTH - width) / 2 + shift, (HEIGHT - height) / 2, width, height);
  bitmap.close();
  const random = randomNumbers(specks);
  for (let i = 0; i < specks; i += 1) {
    const grey = Math.floor(random() * 60);
    pencil.fillStyle = `rgb(${grey} ${grey} ${grey} / 0.3)`;
    pencil.fillRect(random() * WIDTH, random() * HEIGHT, 6, 6);
  }
  const picture = pencil.getImageData(0, 0, WIDTH, HEIGHT);
  for (let i = 0; i < picture.data.length; i += 1) {
    if (i % 4 === 3) continue;
    const wobble = noise === 0 ? 0 : noise * bell(random);
    picture.data[i] = (picture.data[i] ?? 0) * light + wobble;
  }
  return picture;
}

/** Base64 to bytes. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The same numbers in every run for a seed, between 0 and 1. */
export function randomNumbers(seed = 0): () => number {
  let state = 12_345 + seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** About normally distributed with standard deviation 1. */
function bell(random: () => number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}
