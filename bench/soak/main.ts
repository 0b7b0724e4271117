import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type BenchmarkResult,
  CannotRun,
  conclude,
  print,
  printTable,
  sized,
} from '../benchmark.ts';
import { startLoadClients } from '../load/load-clients.ts';
import { lostAnswers } from '../load/lost-answers.ts';
import { createSessions, makeQuiz } from '../load/people.ts';
import { measurePart } from '../load/run-load.ts';
import { readStored } from '../load/stored-answers.ts';
import { startLoadSystem } from '../load/system.ts';
import { describeMachine } from '../machine.ts';
import { rounded } from '../statistics.ts';
import { type Sample, takeSample } from './sample.ts';
import { evaluateSoak, MOST_LOOP_P99_MS, MOST_MB_AN_HOUR } from './verdict.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? sized(60, 0.25));
/** Caches fill and the heap reaches its size. */
const WARM_UP_MINUTES = Math.min(10, MINUTES / 4);
/** Each saves every fifteen seconds: 100 saves a second. */
const CANDIDATES = sized(1_500, 50);
const THINK_MS = 15_000;
/** About a hundred samples, so that a single one has little weight. */
const SAMPLE_EVERY_MS = Math.max(sized(5_000, 1_000), Math.min(30_000, (MINUTES * 60_000) / 100));
const MEMORY = fileURLToPath(new URL('./collect-on-signal.mjs', import.meta.url));

await conclude('soak', async (): Promise<BenchmarkResult> => {
  if (process.platform !== 'linux') throw new CannotRun('memory and handles are read from /proc');
  const folder = mkdtempSync(join(tmpdir(), 'invigil-soak-'));
  using undo = new DisposableStack();
  undo.defer(() => rmSync(folder, { recursive: true, force: true }));
  const memoryFile = join(folder, 'memory.json');
  await using system = await startLoadSystem({
    name: 'soak',
    database: 'external',
    env: { SOAK_MEMORY_FILE: memoryFile },
    nodeArgs: ['--expose-gc', '--import', MEMORY],
  });
  const quiz = await makeQuiz(system, 40);
  await using clients = await startLoadClients({ port: system.server.port, ...quiz });
  await clients.add(await createSessions(system, quiz.quizId, CANDIDATES));

  const samples: Sample[] = [];
  const end = new AbortController();
  const watching = watch(async (minute) => {
    samples.push(await takeSample(system.server, memoryFile, minute));
  }, end.signal);
  const part = await measurePart(system, 'soak', CANDIDATES, () =>
    clients.sit({
      seed: 'soak',
      seconds: MINUTES * 60,
      thinkMs: THINK_MS,
      burst: { seconds: 0, times: 1 },
      heartbeatEveryMs: 10_000,
      reportEveryMs: 600_000,
    }),
  );
  end.abort();
  await watching;
  const acknowledged = await clients.acknowledged();
  const lost = lostAnswers(
    acknowledged,
    quiz.questions.map(({ id }) => id),
    await readStored(system, acknowledged),
  );

  const figures = evaluateSoak(samples, WARM_UP_MINUTES);
  printTable(
    ['minute', 'RSS, MB', 'heap, MB', 'external, MB', 'event loop p99, ms', 'handles'],
    samples
      .filter((_, i) => i % Math.ceil(samples.length / 20) === 0)
      .map((s) => [
        rounded(s.minute, 1),
        rounded(s.rssMb, 1),
        rounded(s.heapMb, 1),
        rounded(s.externalMb, 1),
        rounded(s.loopP99Ms, 1),
        s.handles,
      ]),
  );
  const save = part.kinds.save;
  const trouble = Object.values(part.kinds).reduce(
    (n, kind) => n + kind.refused + kind.failed + kind.unanswered,
    0,
  );
  const saves = rounded((save?.ok ?? 0) / part.plannedSeconds);
  print(
    `\n${saves} saves/s over ${MINUTES} minutes, p99 ${rounded(save?.p99Ms ?? 0, 1)} ms; ` +
      `${trouble} requests failed, ${lost.length} acknowledged answers lost. ` +
      `Other load: ${rounded((part.shares?.other ?? 0) * 100)} %.`,
  );
  const { rssMbAnHour, heapMbAnHour, loopP99Ms, handles } = figures;
  const slope = (mb: number | null) => (mb === null ? 'unknown' : `${rounded(mb, 1)} MB/h`);
  return {
    reached: figures.reached && trouble === 0 && lost.length === 0,
    summary:
      `over ${MINUTES} minutes at ${saves} saves/s: memory ${slope(rssMbAnHour)} (RSS) and ` +
      `${slope(heapMbAnHour)} (heap after garbage collection), target: under ${MOST_MB_AN_HOUR}; ` +
      `event loop p99 at most ${rounded(loopP99Ms, 1)} ms (target: under ${MOST_LOOP_P99_MS}); ` +
      `${handles.least} to ${handles.most} handles`,
    machine: {
      ...describeMachine(),
      disk: system.disk,
      versions: { PostgreSQL: system.postgres.version },
    },
    figures: { ...figures, minutes: MINUTES, candidates: CANDIDATES, part, samples },
  };
});

/** Takes samples until the end; a failing sample ends the benchmark. */
async function watch(
  sample: (minute: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const from = performance.now();
  while (!signal.aborted) {
    await sample((performance.now() - from) / 60_000);
    await delay(SAMPLE_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
