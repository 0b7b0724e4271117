import type { TestServer } from './test-server.ts';

/** A bad mobile connection: Chromium's slow 3G. */
export const SLOW_3G = { bitsPerSecond: 400_000, rttMs: 400 };

/** One start of the test with nothing cached. Milliseconds. */
export interface Start {
  /** From the consent until Start Assessment can be pressed. */
  waitMs: number;
  /** From that click until the first question can be read. */
  questionMs: number;
  /** What the timer shows as gone by then. */
  goneMs: number;
  /** Compressed, with headers, from sign-in to the first question, without the detectors' files. */
  bytes: number;
}

/** From the sign-in to the first question on a slow line. */
export async function startSlowly(server: TestServer): Promise<Start> {
  const candidate = await server.invited();
  const { page } = candidate;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const bytesPerSecond = SLOW_3G.bitsPerSecond / 8;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW_3G.rttMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await candidate.signIn();
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await page.getByRole('button', { name: 'Accept & Continue' }).click();
  const agreed = performance.now();
  const start = page.getByRole('button', { name: 'Start Assessment' });
  await start.and(page.locator(':enabled')).waitFor({ timeout: 600_000 });
  const pressed = performance.now();
  await start.click();
  await candidate.options.first().waitFor();
  const shown = performance.now();
  const timer = (await page.getByRole('timer').textContent()) ?? '';
  await page.context().close();
  const [hours = 0, minutes = 0, seconds = 0] = timer.split(':').map(Number);
  const left = (hours * 60 + minutes) * 60 + seconds;
  const goneMs = (180 * 60 - left) * 1_000;
  return { waitMs: pressed - agreed, questionMs: shown - pressed, goneMs, bytes };
}
