import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { sized } from '../benchmark.ts';

const SETTLE_MS = sized(4_000, 500);
const STEPS = sized(20, 2);
const STEP_MS = 1_000;

/** Costs of the page while the board was used. */
export interface PageCost {
  /** Tiles on the board at the end. */
  tiles: number;
  longestTaskMs: number;
  longTasks: number;
  /** Milliseconds a second. */
  scriptMs: number;
  layoutMs: number;
  taskMs: number;
  /** The longest time from a key or the wheel to the next paint. */
  longestInputMs: number;
  /** Steps after which an element of the page had the focus. */
  focused: number;
  steps: number;
  /** Pixels scrolled by the wheel. */
  scrolledBy: number;
}

/** Opens the live board and uses keyboard and wheel for twenty seconds. */
export async function watchPage(
  browser: Browser,
  { url, cookie, atLeast }: { url: string; cookie: string; atLeast: number },
): Promise<PageCost> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1_440, height: 900 },
  });
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto('/admin/live');
    const tiles = page.locator('main section li');
    await tiles.nth(atLeast - 1).waitFor({ state: 'attached' });
    await delay(SETTLE_MS);
    await page.evaluate(() => Reflect.set(window, 'boardCost', { tasks: [], inputs: [] }));
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    const metrics = async () => {
      const answer = await devtools.send('Performance.getMetrics');
      return new Map(answer.metrics.map((metric) => [metric.name, metric.value]));
    };
    const before = await metrics();
    let focused = 0;
    for (let step = 0; step < STEPS; step += 1) {
      if (step % 2 === 0) await page.keyboard.press('Tab');
      else await page.mouse.wheel(0, 240);
      await delay(STEP_MS);
      focused += await page.evaluate(() => Number(document.activeElement !== document.body));
    }
    const after = await metrics();
    const perSecond = (key: string) =>
      (((after.get(key) ?? 0) - (before.get(key) ?? 0)) * 1_000) /
      ((after.get('Timestamp') ?? 1) - (before.get('Timestamp') ?? 0));
    const seen = await page.evaluate(() => ({
      ...(Reflect.get(window, 'boardCost') as { tasks: number[]; inputs: number[] }),
      scrolledBy: document.scrollingElement?.scrollTop ?? 0,
      tiles: document.querySelectorAll('main section li').length,
    }));
    return {
      tiles: seen.tiles,
      longestTaskMs: Math.max(0, ...seen.tasks),
      longTasks: seen.tasks.length,
      scriptMs: perSecond('ScriptDuration'),
      layoutMs: perSecond('LayoutDuration') + perSecond('RecalcStyleDuration'),
      taskMs: perSecond('TaskDuration'),
      longestInputMs: Math.max(0, ...seen.inputs),
      focused,
      steps: STEPS,
      scrolledBy: seen.scrolledBy,
    };
  } finally {
    await context.close();
  }
}

/** Runs in the page before its own code. Browsers report tasks from 50 ms on as long. */
function watch(): void {
  Reflect.set(window, 'boardCost', { tasks: [], inputs: [] });
  const note = (key: 'tasks' | 'inputs') => (list: PerformanceObserverEntryList) => {
    for (const { duration } of list.getEntries()) {
      (Reflect.get(window, 'boardCost') as Record<string, number[]>)[key]?.push(duration);
    }
  };
  new PerformanceObserver(note('tasks')).observe({ type: 'longtask' });
  const options = { type: 'event', durationThreshold: 16 } as PerformanceObserverInit;
  new PerformanceObserver(note('inputs')).observe(options);
}
