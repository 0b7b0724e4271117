import { type BenchmarkResult, conclude, print, printTable, sized } from '../benchmark.ts';
import { requireDescriptors } from '../load/system.ts';
import { describeMachine } from '../machine.ts';
import { rounded } from '../statistics.ts';
import { isKept, MOST_MS } from './is-kept.ts';
import { type OverloadResult, runOverload } from './run-overload.ts';

const SETTINGS = {
  candidates: sized(200, 20),
  thinkMs: 2_000,
  seconds: sized(8, 2),
  rounds: Number(process.env.OVERLOAD_ROUNDS ?? sized(3, 1)),
  connections: sized(1_500, 50),
};

await conclude('overload', async (): Promise<BenchmarkResult> => {
  requireDescriptors(SETTINGS.connections + SETTINGS.candidates);
  return evaluate(await runOverload({ ...SETTINGS, say: print }));
});

function evaluate({ runs, killed, system }: OverloadResult): BenchmarkResult {
  printTable(
    [
      'attack',
      'p99 before, ms',
      'during',
      'ratio (limit)',
      'from 2 s after',
      'failed honest requests',
      'deadlines moved',
      'responses to the attacker',
    ],
    runs.map((run) => [
      run.name,
      run.rounds.map(({ beforeMs }) => rounded(beforeMs, 1)).join(', '),
      run.rounds.map(({ duringMs }) => rounded(duringMs, 1)).join(', '),
      `${rounded(run.ratio, 2)} (${run.limit ?? '–'})`,
      rounded(run.ratioAfter, 2),
      `${run.troubled}${run.firstTrouble === null ? '' : `: ${run.firstTrouble}`}`,
      run.moved + run.overdue,
      Object.entries(run.attack.answers)
        .map(([status, n]) => `${n} × ${status}`)
        .join(', '),
    ]),
  );
  print(`\n${killed.length} serving processes were killed by their parent.`);
  const worst = runs.map((run) => `${rounded(run.ratio, 2)} (${run.limit ?? '–'})`).join(', ');
  const slowest = Math.max(...runs.flatMap(({ rounds }) => rounds.map((one) => one.duringMs)));
  return {
    reached: isKept({ runs, killed }),
    summary: `p99 of honest saves under attack ÷ before (limit): ${worst}; at most ${rounded(slowest, 0)} ms (target: ${MOST_MS}); ${killed.length} processes killed`,
    machine: { ...describeMachine(), disk: system.disk, versions: { PostgreSQL: system.version } },
    figures: { settings: SETTINGS, runs },
  };
}
