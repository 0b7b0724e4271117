import type { Variation } from './api.ts';

const WIDTH = 640;
const HEIGHT = 480;

/** A picture as from the camera, with the variation applied. */
export async function variedPicture(jpeg: string, variation: Variation): Promise<ImageData> {
  const { light, scale, shift, noise, specks, up = 0, roll = 0, blur = 0, seed = 0 } = variation;
  const bitmap = await createImageBitmap(new Blob([bytesOf(jpeg)], { type: 'image/jpeg' }));
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const context2d = canvas.getContext('2d', { willReadFrequently: true });
  if (context2d === null) throw new Error('no drawing context');
  context2d.fillStyle = 'rgb(120 120 120)';
  context2d.fillRect(0, 0, WIDTH, HEIGHT);
  const [width, height] = [WIDTH * scale, HEIGHT * scale];
  if (blur > 0) context2d.filter = `blur(${blur}px)`;
  if (variation.sheet !== undefined) drawSheet(context2d, variation.sheet);
  else if (variation.hung !== undefined) await drawHung(context2d, bitmap, variation);
  else {
    context2d.translate(WIDTH / 2 + shift, HEIGHT / 2 - up);
    context2d.rotate((roll * Math.PI) / 180);
    context2d.drawImage(bitmap, -width / 2, -height / 2, width, height);
    if (variation.mask) drawMask(context2d, scale);
    context2d.resetTransform();
  }
  context2d.filter = 'none';
  bitmap.close();
  const random = randomNumbers(specks + 7 * seed);
  for (let i = 0; i < specks; i += 1) {
    const gray = Math.floor(random() * 60);
    context2d.fillStyle = `rgb(${gray} ${gray} ${gray} / 0.3)`;
    context2d.fillRect(random() * WIDTH, random() * HEIGHT, 6, 6);
  }
  const picture = context2d.getImageData(0, 0, WIDTH, HEIGHT);
  for (let i = 0; i < picture.data.length; i += 1) {
    if (i % 4 === 3) continue;
    const wobble = noise === 0 ? 0 : noise * bell(random);
    picture.data[i] = (picture.data[i] ?? 0) * light + wobble;
  }
  return picture;
}

type Context2d = OffscreenCanvasRenderingContext2D;

/** Lit from one side, like a sheet held in front of the lens. */
function drawSheet(context2d: Context2d, brightness: number): void {
  const shade = context2d.createRadialGradient(250, 180, 50, 320, 240, 480);
  shade.addColorStop(0, `rgb(${brightness + 25} ${brightness + 22} ${brightness + 15})`);
  shade.addColorStop(1, `rgb(${brightness - 35} ${brightness - 38} ${brightness - 45})`);
  context2d.fillStyle = shade;
  context2d.fillRect(0, 0, WIDTH, HEIGHT);
}

/** A framed picture at the upper right; the foreground may move. */
async function drawHung(
  context2d: Context2d,
  bitmap: ImageBitmap,
  { hung, shift, up = 0 }: Variation,
): Promise<void> {
  if (hung === undefined) return;
  const room = await createImageBitmap(new Blob([bytesOf(hung.room)], { type: 'image/jpeg' }));
  context2d.drawImage(room, shift, -up, WIDTH, HEIGHT);
  room.close();
  const width = (hung.height * 3) / 4;
  const [left, top] = [520, 40];
  context2d.fillStyle = 'rgb(50 40 35)';
  context2d.fillRect(left - 6, top - 6, width + 12, hung.height + 12);
  // The middle of a portrait, three wide and four high.
  context2d.drawImage(bitmap, 140, 0, 360, 480, left, top, width, hung.height);
}

/** At the position of mouth and chin in the portraits. */
function drawMask(context2d: Context2d, scale: number): void {
  context2d.fillStyle = 'rgb(150 185 205)';
  context2d.beginPath();
  context2d.ellipse(0, 45 * scale, 78 * scale, 62 * scale, 0, 0, Math.PI * 2);
  context2d.fill();
  context2d.strokeStyle = 'rgb(120 155 175)';
  context2d.lineWidth = 2;
  for (const fold of [25, 45, 65]) {
    context2d.beginPath();
    context2d.moveTo(-70 * scale, fold * scale);
    context2d.quadraticCurveTo(0, (fold + 12) * scale, 70 * scale, fold * scale);
    context2d.stroke();
  }
}

/** Base64 to bytes. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Deterministic numbers in [0, 1) for a seed. */
export function randomNumbers(seed = 0): () => number {
  let state = 12_345 + seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Approximately normally distributed, standard deviation 1. */
function bell(random: () => number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}
