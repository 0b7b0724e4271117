import type { Variation } from './api.ts';

const WIDTH = 640;
const HEIGHT = 480;

/** A picture as the camera would give it, after the variation. */
export async function variedPicture(jpeg: string, variation: Variation): Promise<ImageData> {
  const { light, scale, shift, noise, specks, up = 0, roll = 0, blur = 0, seed = 0 } = variation;
  const bitmap = await createImageBitmap(new Blob([bytesOf(jpeg)], { type: 'image/jpeg' }));
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const pencil = canvas.getContext('2d', { willReadFrequently: true });
  if (pencil === null) throw new Error('no drawing context');
  pencil.fillStyle = 'rgb(120 120 120)';
  pencil.fillRect(0, 0, WIDTH, HEIGHT);
  const [width, height] = [WIDTH * scale, HEIGHT * scale];
  if (blur > 0) pencil.filter = `blur(${blur}px)`;
  if (variation.sheet !== undefined) drawSheet(pencil, variation.sheet);
  else if (variation.hung !== undefined) await drawHung(pencil, bitmap, variation);
  else {
    pencil.translate(WIDTH / 2 + shift, HEIGHT / 2 - up);
    pencil.rotate((roll * Math.PI) / 180);
    pencil.drawImage(bitmap, -width / 2, -height / 2, width, height);
    if (variation.mask) drawMask(pencil, scale);
    pencil.resetTransform();
  }
  pencil.filter = 'none';
  bitmap.close();
  const random = randomNumbers(specks + 7 * seed);
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

type Pencil = OffscreenCanvasRenderingContext2D;

/** Lit from one side, as a sheet held before the lens is. */
function drawSheet(pencil: Pencil, brightness: number): void {
  const shade = pencil.createRadialGradient(250, 180, 50, 320, 240, 480);
  shade.addColorStop(0, `rgb(${brightness + 25} ${brightness + 22} ${brightness + 15})`);
  shade.addColorStop(1, `rgb(${brightness - 35} ${brightness - 38} ${brightness - 45})`);
  pencil.fillStyle = shade;
  pencil.fillRect(0, 0, WIDTH, HEIGHT);
}

/** A framed picture at the upper right; what is before the wall may move. */
async function drawHung(
  pencil: Pencil,
  bitmap: ImageBitmap,
  { hung, shift, up = 0 }: Variation,
): Promise<void> {
  if (hung === undefined) return;
  const room = await createImageBitmap(new Blob([bytesOf(hung.room)], { type: 'image/jpeg' }));
  pencil.drawImage(room, shift, -up, WIDTH, HEIGHT);
  room.close();
  const width = (hung.height * 3) / 4;
  const [left, top] = [520, 40];
  pencil.fillStyle = 'rgb(50 40 35)';
  pencil.fillRect(left - 6, top - 6, width + 12, hung.height + 12);
  // The middle of a portrait, three wide and four high.
  pencil.drawImage(bitmap, 140, 0, 360, 480, left, top, width, hung.height);
}

/** Where the portraits of the media have mouth and chin. */
function drawMask(pencil: Pencil, scale: number): void {
  pencil.fillStyle = 'rgb(150 185 205)';
  pencil.beginPath();
  pencil.ellipse(0, 45 * scale, 78 * scale, 62 * scale, 0, 0, Math.PI * 2);
  pencil.fill();
  pencil.strokeStyle = 'rgb(120 155 175)';
  pencil.lineWidth = 2;
  for (const fold of [25, 45, 65]) {
    pencil.beginPath();
    pencil.moveTo(-70 * scale, fold * scale);
    pencil.quadraticCurveTo(0, (fold + 12) * scale, 70 * scale, fold * scale);
    pencil.stroke();
  }
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
