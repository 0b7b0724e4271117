import type { BrowserContextOptions, CDPSession, Page } from '@playwright/test';
import type { Candidate } from '../../e2e/support/candidate.ts';

interface Line {
  bitsPerSecond: number;
  upBitsPerSecond: number;
  rttMs: number;
}

/** A cheap phone on a slow network: Lighthouse's slow 4G, and a quarter of this processor. */
const SLOW_4G: Line = { bitsPerSecond: 1_600_000, upBitsPerSecond: 750_000, rttMs: 150 };
const SLOWDOWN = 4;
/** A bad mobile connection: Chromium's slow 3G. */
export const SLOW_3G: Line = { bitsPerSecond: 400_000, upBitsPerSecond: 400_000, rttMs: 400 };

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
};

/**
 * Loads the test page of an attempt in progress on a throttled phone. Milliseconds are from the start of
 * the navigation.
 *
 * @param cached the app's files are in the browser's cache, as after a sign-in
 */
export async function loadSlowly(
  inProgress: (options: BrowserContextOptions) => Promise<Candidate>,
  cached: boolean,
) {
  const { page } = await inProgress(PHONE);
  await page.addInitScript(watch);
  const { devtools, bytes } = await watchTraffic(page);
  if (!cached) {
    await devtools.send('Network.clearBrowserCache');
    // Nor from the copies for a reload without a connection.
    await devtools.send('Storage.clearDataForOrigin', {
      origin: new URL(page.url()).origin,
      storageTypes: 'cache_storage,service_workers',
    });
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await slow(devtools, SLOW_4G);
  await page.goto('/quiz/assessment', { waitUntil: 'commit' });
  const times = await page
    .waitForFunction(() => Reflect.get(window, 'quietTimes') ?? null, null, { timeout: 120_000 })
    .then((handle) => handle.jsonValue());
  const loaded = bytes();
  await page.getByRole('button', { name: 'Return to fullscreen' }).tap();
  await page.getByRole('radio').nth(1).waitFor();
  const answerMs = await tapAnOption(page);
  await page.context().close();
  return {
    /** The first text or picture. */
    'first paint, ms': times.painted,
    /** Timer, save status and the question are shown; after a reload the way back to fullscreen. */
    'page shown, ms': times.shown,
    /** After this no task is longer than 50 ms. */
    'interactive, ms': times.interactive,
    /** From a tap on an option until it is shown as selected. */
    'tap to selected, ms': answerMs,
    /** Compressed, with headers. */
    'KB transferred': loaded / 1_000,
    /** Time for the bytes, and one round trip for the page. */
    'transfer time, ms': (loaded * 8_000) / SLOW_4G.bitsPerSecond + SLOW_4G.rttMs,
  };
}

/** From the sign-in to the first question on a slow line. */
export async function startSlowly(candidate: Candidate) {
  const { page } = candidate;
  const { devtools, bytes } = await watchTraffic(page);
  await slow(devtools, SLOW_3G);
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
    /** The time that the timer shows as gone when the first question can be read. */
    'gone on the timer, ms': (180 * 60 - left) * 1_000,
    /** From sign-in to the first question, compressed, with headers, without the detectors' files. */
    'KB transferred': bytes() / 1_000,
  };
}

/** The developer tools of a page, and the bytes that it has received. */
export async function watchTraffic(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return { devtools, bytes: () => bytes };
}

/** Lets a page have no more than a line has. */
export function slow(devtools: CDPSession, { bitsPerSecond, upBitsPerSecond, rttMs }: Line) {
  return devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: rttMs,
    downloadThroughput: bitsPerSecond / 8,
    uploadThroughput: upBitsPerSecond / 8,
  });
}

function tapAnOption(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const option = document.querySelectorAll<HTMLElement>('[role=radio]')[1];
    if (!option) throw new Error('there is no second option');
    const from = performance.now();
    option.click();
    do await new Promise(requestAnimationFrame);
    while (option.getAttribute('aria-checked') !== 'true');
    return performance.now() - from;
  });
}

/** Runs in the page before its own code, and sets `quietTimes` once the page has been idle. */
function watch(): void {
  const QUIET_MS = 2_000;
  let shown = 0;
  let lastLongTask = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) lastLongTask = startTime + duration;
  }).observe({ type: 'longtask', buffered: true });
  const check = () => {
    if (shown === 0 && document.querySelector('[role=alertdialog] button'))
      shown = performance.now();
    const interactive = Math.max(shown, lastLongTask);
    if (shown === 0 || performance.now() < interactive + QUIET_MS) {
      setTimeout(check, 10);
      return;
    }
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    Reflect.set(window, 'quietTimes', { painted: paint?.startTime ?? 0, shown, interactive });
  };
  check();
}
