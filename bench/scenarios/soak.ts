import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CannotRun, print, printRows, sized } from '../benchmark.ts';
import { troublesOf } from '../load/figures.ts';
import { seat } from '../load/people.ts';
import { readBack } from '../load/read-back.ts';
import { type LoadSystemSettings, scenario } from '../load/system.ts';
import { evenly } from '../load/timetable.ts';
import { rounded, slopeOf } from '../statistics.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? sized(60, 0.25));
/** Caches fill and the heap reaches its size. */
const WARM_UP_MINUTES = Math.min(10, MINUTES / 4);
/** Each saves every fifteen seconds: 100 saves a second. */
const CANDIDATES = sized(1_500, 50);
const THINK_MS = 15_000;
/** About a hundred samples, so that a single one has little weight. */
const SAMPLE_EVERY_MS = Math.max(sized(5_000, 1_000), Math.min(30_000, (MINUTES * 60_000) / 100));
const COLLECTED_WITHIN_MS = 10_000;
const MEMORY = fileURLToPath(new URL('../load/collect-on-signal.mjs', import.meta.url));
const MB = 1e6;

const folder = mkdtempSync(join(tmpdir(), 'invigil-soak-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const memoryFile = join(folder, 'memory.json');
const SETTINGS: LoadSystemSettings = {
  database: 'external',
  env: { SOAK_MEMORY_FILE: memoryFile },
  nodeArgs: ['--expose-gc', '--import', MEMORY],
};

await scenario('soak', SETTINGS, async (system) => {
  if (process.platform !== 'linux') throw new CannotRun('memory and handles are read from /proc');
  const { quiz, clients } = await seat(system, { questions: 40, many: CANDIDATES });

  const samples: Awaited<ReturnType<typeof takeSample>>[] = [];
  const end = new AbortController();
  const began = performance.now();
  const watching = (async () => {
    while (!end.signal.aborted) {
      samples.push(await takeSample((performance.now() - began) / 60_000));
      await delay(SAMPLE_EVERY_MS, undefined, { signal: end.signal }).catch(() => undefined);
    }
  })();
  const part = await clients.sit(
    evenly({ seed: 'soak', seconds: MINUTES * 60, thinkMs: THINK_MS, reportEveryMs: 600_000 }),
  );
  end.abort();
  await watching;
  const { lost } = await readBack(system.postgres, await clients.acknowledged(), quiz.questions);

  printRows(samples.filter((_, i) => i % Math.ceil(samples.length / 20) === 0));
  const evaluated = samples.filter(({ minute }) => minute >= WARM_UP_MINUTES);
  if (evaluated.length < 2) throw new Error('too few samples after the warm-up');
  const anHour = (column: 'RSS, MB' | 'heap, MB') =>
    rounded(slopeOf(evaluated.map((s) => ({ x: s.minute / 60, y: s[column] }))), 1);
  const all = evaluated.map(({ handles }) => handles);
  const save = part.kinds.save;
  print(`\n${rounded((save?.ok ?? 0) / part.plannedSeconds)} saves/s over ${MINUTES} minutes.`);
  return {
    figures: [
      { name: 'resident memory, MB/h', value: anHour('RSS, MB'), most: 10 },
      { name: 'heap after garbage collection, MB/h', value: anHour('heap, MB'), most: 10 },
      {
        name: 'event loop p99 at most, ms',
        value: Math.max(...evaluated.map((s) => s['event loop p99, ms'])),
        most: 50,
      },
      { name: 'handles, most − least', value: Math.max(...all) - Math.min(...all), most: 20 },
      { name: 'failed requests', value: troublesOf([part]).count, most: 0 },
      { name: 'acknowledged answers lost', value: lost.length, most: 0 },
      { name: 'p99 of a save, ms', value: rounded(save?.p99Ms ?? 0, 1) },
    ],
  };

  /**
   * The delay of the event loop is read before the garbage collection, and again after it to reset it:
   * that pause is ours, not the product's.
   */
  async function takeSample(minute: number) {
    const loopP99Ms = (await loopP99Seconds(system.server.url)) * 1_000;
    const before = memoryOf(memoryFile);
    process.kill(system.server.pid, 'SIGUSR2');
    let memory = before;
    for (const until = performance.now() + COLLECTED_WITHIN_MS; memory.count === before.count; ) {
      if (performance.now() > until) throw new Error('the server did not collect its garbage');
      await delay(50);
      memory = memoryOf(memoryFile);
    }
    const handles = readdirSync(`/proc/${system.server.pid}/fd`).length;
    await loopP99Seconds(system.server.url);
    return {
      minute: rounded(minute, 1),
      'RSS, MB': rounded(memory.rss / MB, 1),
      'heap, MB': rounded(memory.heapUsed / MB, 1),
      'external, MB': rounded(memory.external / MB, 1),
      'event loop p99, ms': rounded(loopP99Ms, 1),
      handles,
    };
  }
});

/** The p99 of the event loop delay since the last read of `/metrics`, which resets it. */
async function loopP99Seconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error(`no event loop delay in /metrics: ${text}`);
  return Number(seconds);
}

function memoryOf(file: string) {
  const none = { count: 0, rss: 0, heapUsed: 0, external: 0 };
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as typeof none) : none;
}
