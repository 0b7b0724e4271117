import { existsSync, readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { ratio, sized } from '../benchmark.ts';
import { median, percentile } from '../statistics.ts';
import { media } from './media.ts';

const MONITOR_MS = sized(600_000, 3_000);
const SAMPLE_MS = sized(5_000, 300);
const WARM_UP_CHECKS = sized(100, 5);
const CHECKS = sized(1_000, 20);
/** Memory samples over all checks. */
const PARTS = 10;
const PAGE_BYTES = 4_096;

/** Measures what monitoring costs the candidate's machine. */
export async function measureCost(browser: Browser, page: Page) {
  const devtools = await browser.newBrowserCDPSession();
  const before = await busiest(devtools);
  const from = performance.now();
  const monitoringMemory: number[] = [];
  const sampling = setInterval(() => monitoringMemory.push(residentBytes(before.id)), SAMPLE_MS);
  const counts = await page.evaluate((length) => window.detectors.monitor(length), MONITOR_MS);
  clearInterval(sampling);
  const after = await processorSeconds(devtools, before.id);
  const ms = performance.now() - from;
  if (counts.model !== counts.checks || counts.checks === 0) {
    throw new Error(`${counts.model} of ${counts.checks} checks used the model`);
  }

  const face = media('face-epps.jpg');
  const check = (times: number) =>
    page.evaluate(([jpeg, n]) => window.detectors.checkOften(jpeg, n), [face, times] as const);
  await check(WARM_UP_CHECKS);
  const memory = [await residentAfterCollection(page, before.id)];
  const took: number[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    took.push(...(await check(CHECKS / PARTS)));
    memory.push(await residentAfterCollection(page, before.id));
  }
  const known = memory.filter((bytes) => bytes > 0);
  return {
    /** Processor seconds per second of the page's process while monitoring. */
    cores: ((after - before.seconds) * 1_000) / ms,
    /** Resident memory while monitoring, without a forced garbage collection: the last quarter over the first. */
    monitoringGrowth: growthOf(monitoringMemory, monitoringMemory.length / 4),
    /** Resident memory after the checks. */
    memory: known.at(-1) ?? 0,
    growth: growthOf(known, 3),
    msMedian: median(took),
    ms95: percentile(took, 0.95),
  };
}

interface ProcessTime {
  id: number;
  seconds: number;
}

/** The page's process: the renderer with the most processor time. */
async function busiest(devtools: CDPSession): Promise<ProcessTime> {
  const [most] = (await renderers(devtools)).sort((a, b) => b.seconds - a.seconds);
  if (most === undefined) throw new Error('no renderer process found');
  return most;
}

async function processorSeconds(devtools: CDPSession, id: number): Promise<number> {
  const found = (await renderers(devtools)).find((process) => process.id === id);
  if (found === undefined) throw new Error('the process of the page is gone');
  return found.seconds;
}

async function renderers(devtools: CDPSession): Promise<ProcessTime[]> {
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  return processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id, cpuTime }) => ({ id, seconds: cpuTime }));
}

/** Linux only; 0 elsewhere. */
function residentBytes(id: number): number {
  const path = `/proc/${id}/statm`;
  if (!existsSync(path)) return 0;
  return Number(readFileSync(path, 'utf8').split(' ')[1]) * PAGE_BYTES;
}

/** The median of the last samples over that of the first; `null` where memory is not known. */
function growthOf(samples: readonly number[], part: number): number | null {
  const known = samples.filter((bytes) => bytes > 0);
  if (known.length === 0) return null;
  return ratio(median(known.slice(-Math.ceil(part))), median(known.slice(0, Math.ceil(part))));
}

async function residentAfterCollection(page: Page, id: number): Promise<number> {
  await page.evaluate(collectGarbage);
  for (const worker of page.workers()) await worker.evaluate(collectGarbage);
  return residentBytes(id);
}

/** Runs in the page and in each of its workers. */
function collectGarbage(): void {
  const collect: unknown = Reflect.get(globalThis, 'gc');
  if (typeof collect !== 'function') throw new Error('Chromium was not started with gc');
  collect();
}
