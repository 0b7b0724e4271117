import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { chromium, type FullConfig } from '@playwright/test';

const PICTURE = new URL('../../bench/detectors/media/face-epps.jpg', import.meta.url);
const [WIDTH, HEIGHT] = [640, 480];
/**
 * Few and different: a still picture would be detected as a frozen camera. Two a second, they last no
 * whole number of seconds, or a busy machine that looks every other second saw one of them for ever.
 */
const FRAMES = 7;

/**
 * Playwright's global setup: the film that Chromium's fake camera plays in every test, someone who
 * sits there. In y4m, because Chromium plays that as slowly as its header says.
 */
export default async function makeFaceVideo({ projects }: FullConfig): Promise<void> {
  const launch = projects[0]?.use.launchOptions;
  const flag = launch?.args?.find((arg) => arg.startsWith('--use-file-for-fake-video-capture='));
  const file = flag?.split('=')[1];
  if (file === undefined) throw new Error('the configuration names no film');
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

/** Runs in a page: the picture with some noise, as planes of brightness and colour (BT.601). */
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
  const pencil = new OffscreenCanvas(WIDTH, HEIGHT).getContext('2d');
  if (pencil === null) throw new Error('no canvas');
  // As wide as the picture has to be: the face keeps its shape, the sides are cut or grey.
  const scale = HEIGHT / picture.height;
  const width = picture.width * scale;
  pencil.fillStyle = '#8a8f98';
  pencil.fillRect(0, 0, WIDTH, HEIGHT);
  pencil.drawImage(picture, (WIDTH - width) / 2, 0, width, HEIGHT);
  const { data } = pencil.getImageData(0, 0, WIDTH, HEIGHT);
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
