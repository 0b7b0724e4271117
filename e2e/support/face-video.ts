import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { chromium, type FullConfig } from '@playwright/test';

const PICTURE = new URL('../../bench/detectors/media/face-epps.jpg', import.meta.url);
const [WIDTH, HEIGHT] = [640, 480];
/**
 * Few and different: identical ones would be detected as a frozen camera. An odd number at two a
 * second, so that a busy machine that samples every other second does not always see the same one.
 */
const FRAMES = 7;

/**
 * Playwright's global setup: the video of a face that Chromium's fake camera plays in every test. In
 * y4m, because Chromium plays that at the frame rate of its header.
 */
export default async function makeFaceVideo({ projects }: FullConfig): Promise<void> {
  const launch = projects[0]?.use.launchOptions;
  const flag = launch?.args?.find((arg) => arg.startsWith('--use-file-for-fake-video-capture='));
  const file = flag?.split('=')[1];
  if (file === undefined) throw new Error('the configuration names no video file');
  const browser = await chromium.launch(launch);
  try {
    const page = await browser.newPage();
    const jpeg = readFileSync(PICTURE).toString('base64');
    const frames: string[] = await page.evaluate(drawFrames, { jpeg, WIDTH, HEIGHT, FRAMES });
    mkdirSync(dirname(file), { recursive: true });
    const header = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F2:1 Ip A1:1 C420jpeg\n`;
    const body = frames.flatMap((frame) => [Buffer.from('FRAME\n'), Buffer.from(frame, 'base64')]);
    writeFileSync(file, Buffer.concat([Buffer.from(header), ...body]));
  } finally {
    await browser.close();
  }
}

/** Runs in a page: the picture with some noise, as planes of brightness and color (BT.601). */
async function drawFrames({
  jpeg,
  WIDTH,
  HEIGHT,
  FRAMES,
}: {
  jpeg: string;
  WIDTH: number;
  HEIGHT: number;
  FRAMES: number;
}): Promise<string[]> {
  const bytes = Uint8Array.from(atob(jpeg), (c) => c.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT).getContext('2d');
  if (canvas === null) throw new Error('no canvas');
  // Scaled to full height in proportion: the sides are cut or gray.
  const scale = HEIGHT / picture.height;
  const width = picture.width * scale;
  canvas.fillStyle = '#8a8f98';
  canvas.fillRect(0, 0, WIDTH, HEIGHT);
  canvas.drawImage(picture, (WIDTH - width) / 2, 0, width, HEIGHT);
  const { data } = canvas.getImageData(0, 0, WIDTH, HEIGHT);
  const clamp = (value: number) => Math.min(255, Math.max(0, Math.round(value)));
  return Array.from({ length: FRAMES }, () => {
    const [luma, quarter] = [WIDTH * HEIGHT, (WIDTH * HEIGHT) / 4];
    const planes = new Uint8Array(luma + 2 * quarter);
    for (let y = 0; y < HEIGHT; y += 1) {
      for (let x = 0; x < WIDTH; x += 1) {
        const at = (y * WIDTH + x) * 4;
        const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
        const noise = (Math.random() - 0.5) * 12;
        planes[y * WIDTH + x] = clamp(0.299 * r + 0.587 * g + 0.114 * b + noise);
        if (y % 2 === 1 || x % 2 === 1) continue;
        const small = (y / 2) * (WIDTH / 2) + x / 2;
        planes[luma + small] = clamp(128 - 0.168736 * r - 0.331264 * g + 0.5 * b);
        planes[luma + quarter + small] = clamp(128 + 0.5 * r - 0.418688 * g - 0.081312 * b);
      }
    }
    let text = '';
    for (let at = 0; at < planes.length; at += 8_192) {
      text += String.fromCharCode(...planes.subarray(at, at + 8_192));
    }
    return btoa(text);
  });
}
