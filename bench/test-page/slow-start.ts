import type { Candidate } from '../../e2e/support/candidate.ts';

/** A bad mobile connection: Chromium's slow 3G. */
export const SLOW_3G = { bitsPerSecond: 400_000, rttMs: 400 };

/** From the sign-in to the first question on a slow line. */
export async function startSlowly(candidate: Candidate) {
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
  return {
    /** From the consent until Start Assessment can be pressed. */
    'wait for the button, ms': pressed - agreed,
    /** From that click until the first question can be read. */
    'click to first question, ms': shown - pressed,
    /** What the timer shows as gone by then. */
    'gone on the timer, ms': (180 * 60 - left) * 1_000,
    /** From sign-in to the first question, compressed, with headers, without the detectors' files. */
    'KB transferred': bytes / 1_000,
  };
}
