import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from '../../server/src/testing/running-server.ts';

/** State of the server at one moment. */
export interface Sample {
  minute: number;
  /** Of the process, and of JavaScript objects; right after a garbage collection. */
  rssMb: number;
  heapMb: number;
  /** Memory outside the heap: buffers. */
  externalMb: number;
  /** p99 of the event loop's delay since the previous sample. */
  loopP99Ms: number;
  /** Open files, connections and so on. */
  handles: number;
}

const MB = 1e6;
const ANSWER_WITHIN_MS = 10_000;
/** As in `/metrics`; resets with every read. */
const LOOP_P99 = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m;

/**
 * Samples a server that was started with collect-on-signal.mjs. The delay of the event loop is read
 * before the garbage collection, and again after it to reset it: that pause is ours, not the product's.
 */
export async function takeSample(
  server: RunningServer,
  memoryFile: string,
  minute: number,
): Promise<Sample> {
  const loopP99Ms = (await loopP99(server)) * 1_000;
  const before = turnOf(memoryFile);
  process.kill(server.pid, 'SIGUSR2');
  const memory = await nextMemory(memoryFile, before);
  const handles = readdirSync(`/proc/${server.pid}/fd`).length;
  await loopP99(server);
  return {
    minute,
    rssMb: memory.rss / MB,
    heapMb: memory.heapUsed / MB,
    externalMb: memory.external / MB,
    loopP99Ms,
    handles,
  };
}

async function loopP99({ url }: RunningServer): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  const seconds = LOOP_P99.exec(text)?.[1];
  if (seconds === undefined) throw new Error(`no event loop delay in /metrics: ${text}`);
  return Number(seconds);
}

function turnOf(file: string): number {
  return existsSync(file) ? read(file).turn : 0;
}

async function nextMemory(file: string, before: number) {
  const until = performance.now() + ANSWER_WITHIN_MS;
  while (turnOf(file) === before) {
    if (performance.now() > until) throw new Error('the server did not collect its garbage');
    await delay(50);
  }
  return read(file);
}

/** Reads the file of collect-on-signal.mjs. */
function read(file: string) {
  const text = readFileSync(file, 'utf8');
  const number = (name: string) => {
    const found = new RegExp(`"${name}":(\\d+)`).exec(text)?.[1];
    if (found === undefined) throw new Error(`no ${name} in ${text}`);
    return Number(found);
  };
  return {
    turn: number('turn'),
    rss: number('rss'),
    heapUsed: number('heapUsed'),
    external: number('external'),
  };
}
