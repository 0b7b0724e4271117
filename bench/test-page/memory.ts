import type { CDPSession } from '@playwright/test';
import type { Candidate } from '../../e2e/support/candidate.ts';
import { sized } from '../benchmark.ts';
import { median } from '../statistics.ts';
import { heldBytes } from './held.ts';

const MINUTES = sized(60, 4);
/** Four answers per simulated minute, each to another question. */
const STEP_MS = 15_000;
const SLICE_MS = 2_500;
/** Heap snapshots are expensive; five per quarter are enough for a median. */
const MINUTES_PER_SNAPSHOT = sized(3, 1);

/** Memory of the page after a garbage collection. */
interface Sample {
  heapBytes: number;
  nodes: number;
  listeners: number;
}

export interface MemoryResults {
  samples: Sample[];
  /** Bytes retained by the page's scripts, every three minutes. */
  held: number[];
  /** Last quarter of the hour over the first, medians. */
  heldRatio: number;
  heapRatio: number;
  nodeRatio: number;
  listenerRatio: number;
  heartbeats: number;
  saves: number;
}

/**
 * An hour on the test page in a few minutes: its timers run on a fake clock, in slices that leave time
 * for responses; server, requests and storage are real.
 */
export async function measureAnHour(candidate: Candidate): Promise<MemoryResults> {
  const { page } = candidate;
  const calls = { heartbeats: 0, saves: 0 };
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/heartbeat')) calls.heartbeats += 1;
    if (request.url().endsWith('/answers') && request.method() === 'PUT') calls.saves += 1;
  });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const samples: Sample[] = [];
  const held: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    for (let ms = 0; ms < 60_000; ms += STEP_MS) {
      const step = minute * 4 + ms / STEP_MS;
      await answer(candidate, step);
      for (let slice = 0; slice < STEP_MS; slice += SLICE_MS) {
        await page.clock.runFor(SLICE_MS);
        await page.waitForTimeout(10);
      }
    }
    samples.push(await measure(devtools));
    if ((minute + 1) % MINUTES_PER_SNAPSHOT === 0) held.push(await heldBytes(devtools));
  }
  const growth = (values: number[]) => {
    const quarter = values.length / 4;
    return median(values.slice(-quarter)) / median(values.slice(0, quarter));
  };
  const ratio = (of: (sample: Sample) => number) => growth(samples.map(of));
  return {
    samples,
    held,
    heldRatio: growth(held),
    heapRatio: ratio((s) => s.heapBytes),
    nodeRatio: ratio((s) => s.nodes),
    listenerRatio: ratio((s) => s.listeners),
    ...calls,
  };
}

/** Opens a question by its bubble, answers it, and flags every fifth. */
async function answer(candidate: Candidate, step: number): Promise<void> {
  const { page } = candidate;
  await page.evaluate((n) => {
    const bubbles = document.querySelectorAll<HTMLElement>('button[aria-label^="Question "]');
    bubbles[(n * 7) % bubbles.length]?.click();
  }, step);
  await page.clock.runFor(100);
  await page.evaluate((n) => {
    const options = document.querySelectorAll<HTMLElement>('[role=radio]');
    // A different option each time a question comes up again, so that every step is a change.
    options[(n + Math.floor(n / 40)) % options.length]?.click();
  }, step);
  if (step % 5 === 0) {
    await page.evaluate(() => {
      const buttons = [...document.querySelectorAll('button')];
      buttons.find(({ textContent }) => /^(Flag|Unflag)/.test(textContent.trim()))?.click();
    });
  }
}

async function measure(devtools: CDPSession): Promise<Sample> {
  // Twice: the second one frees what the first one only marks, such as detached documents.
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return {
    heapBytes: value('JSHeapUsedSize'),
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
  };
}
