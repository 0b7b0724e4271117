import type { BrowserContextOptions, CDPSession, Page } from '@playwright/test';
import type { Candidate } from '../../e2e/support/candidate.ts';

/** A cheap phone on a slow network: Lighthouse's slow 4G, and a quarter of this processor. */
const SLOW_LINE = { bitsPerSecond: 1_600_000, upBitsPerSecond: 750_000, rttMs: 150 };
const SLOWDOWN = 4;

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
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  if (!cached) {
    await devtools.send('Network.clearBrowserCache');
    // Nor from the copies for a reload without a connection.
    await devtools.send('Storage.clearDataForOrigin', {
      origin: new URL(page.url()).origin,
      storageTypes: 'cache_storage,service_workers',
    });
  }
  await slow(devtools, true);
  await page.goto('/quiz/assessment', { waitUntil: 'commit' });
  const times = await page
    .waitForFunction(() => Reflect.get(window, 'quietTimes') ?? null, null, { timeout: 120_000 })
    .then((handle) => handle.jsonValue());
  const loaded = bytes;
  await page.getByRole('button', { name: 'Return to fullscreen' }).tap();
  await page.getByRole('radio').nth(1).waitFor();
  const answerMs = await tapAnOption(page);
  await slow(devtools, false);
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
    'transfer time, ms': (loaded * 8_000) / SLOW_LINE.bitsPerSecond + SLOW_LINE.rttMs,
  };
}

async function slow(devtools: CDPSession, on: boolean): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: on ? SLOWDOWN : 1 });
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: on ? SLOW_LINE.rttMs : 0,
    downloadThroughput: on ? SLOW_LINE.bitsPerSecond / 8 : -1,
    uploadThroughput: on ? SLOW_LINE.upBitsPerSecond / 8 : -1,
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
