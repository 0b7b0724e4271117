import type { CDPSession } from '@playwright/test';
import type { Candidate } from '../../e2e/support/candidate.ts';
import { type Row, ratio, sized } from '../benchmark.ts';
import { median, rounded } from '../statistics.ts';

const MINUTES = sized(60, 4);
/** Four answers per simulated minute, each to another question. */
const STEP_MS = 15_000;
const SLICE_MS = 2_500;
/** Heap snapshots are expensive; five per quarter are enough for a median. */
const MINUTES_PER_SNAPSHOT = sized(3, 1);

/**
 * An hour on the test page in a few minutes: its timers run on a fake clock, in slices that leave time
 * for responses; server, requests and storage are real.
 */
export async function measureAnHour(candidate: Candidate) {
  const { page } = candidate;
  // The page's clock is controlled from here on; the reload applies it from the start.
  await page.clock.install();
  await page.reload();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await page.clock.runFor(2_000);
  await candidate.question.waitFor();
  const calls = { heartbeats: 0, saves: 0 };
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/heartbeat')) calls.heartbeats += 1;
    if (request.url().endsWith('/answers') && request.method() === 'PUT') calls.saves += 1;
  });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  /** Every three minutes: bytes retained by the page's scripts. Every minute: the others. */
  const samples: Record<'held' | 'heap' | 'nodes' | 'listeners', number[]> = {
    held: [],
    heap: [],
    nodes: [],
    listeners: [],
  };
  for (let minute = 0; minute < MINUTES; minute += 1) {
    for (let ms = 0; ms < 60_000; ms += STEP_MS) {
      const step = minute * 4 + ms / STEP_MS;
      await answer(candidate, step);
      for (let slice = 0; slice < STEP_MS; slice += SLICE_MS) {
        await page.clock.runFor(SLICE_MS);
        await page.waitForTimeout(10);
      }
    }
    // Twice: the second one frees what the first one only marks, such as detached documents.
    await devtools.send('HeapProfiler.collectGarbage');
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    samples.heap.push(value('JSHeapUsedSize'));
    samples.nodes.push(value('Nodes'));
    samples.listeners.push(value('JSEventListeners'));
    if ((minute + 1) % MINUTES_PER_SNAPSHOT === 0) samples.held.push(await heldBytes(devtools));
  }
  await page.context().close();
  /** Last quarter of the hour over the first, medians. */
  const growth = (values: number[]) => {
    const quarter = values.length / 4;
    return ratio(median(values.slice(-quarter)), median(values.slice(0, quarter))) ?? 1;
  };
  const kilo = (bytes = 0) => rounded(bytes / 1_000);
  const row = (name: string, values: number[], shown = (value = 0) => value): Row => ({
    memory: name,
    'minute 1': shown(values.at(0)),
    'minute 60': shown(values.at(-1)),
    'last ÷ first quarter': growth(values),
  });
  return {
    rows: [
      row('retained by scripts, KB', samples.held, kilo),
      row('JavaScript heap with compiled code, KB', samples.heap, kilo),
      row('DOM nodes', samples.nodes),
      row('event listeners', samples.listeners),
    ],
    growth: { held: growth(samples.held), nodes: growth(samples.nodes) },
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

/**
 * V8's node types for memory of scripts. Not `code`: compiled functions, including those of this
 * benchmark. Not `native`: it includes the request records of the developer tools.
 */
const HELD = new Set([
  'array',
  'bigint',
  'closure',
  'concatenated string',
  'number',
  'object',
  'object shape',
  'regexp',
  'sliced string',
  'string',
  'symbol',
]);

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/** Bytes that the page's scripts retain, from a heap snapshot, without garbage. */
async function heldBytes(devtools: CDPSession): Promise<number> {
  let text = '';
  const add = ({ chunk }: { chunk: string }) => {
    text += chunk;
  };
  devtools.on('HeapProfiler.addHeapSnapshotChunk', add);
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  devtools.off('HeapProfiler.addHeapSnapshotChunk', add);
  const { snapshot, nodes }: Snapshot = JSON.parse(text);
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (HELD.has(types[0][nodes[at + type] ?? -1] ?? '')) bytes += nodes[at + size] ?? 0;
  }
  return bytes;
}
