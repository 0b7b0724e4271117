import { type BenchmarkResult, conclude, print, sized } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import { median } from '../statistics.ts';
import { requireAcknowledged } from './acknowledged.ts';
import { prepareSystem } from './prepared-system.ts';
import { printReport } from './report.ts';
import { type Round, runRound } from './round.ts';

// With fewer, each would save more often than a session may (BUDGET_LIMITS).
const CANDIDATES = sized(256, 32);
const QUESTIONS = 40;
/** pgbench with as many clients as candidates, and with fewer, which is faster on a small machine. */
const CLIENTS = { many: CANDIDATES, few: sized(32, 16) };
const ROUNDS = sized(5, 1);
const WARM_UP_SECONDS = sized(3, 1);
/** Targets by number of serving processes, as a share of pgbench's rate with as many clients. */
const SERVING = [
  { processes: 1, target: 0.9 },
  { processes: 2, target: 1 },
];
/** Further targets: p99 of saves, the server's time for an empty request against bare Fastify. */
const MOST_P99_MS = 50;
const MOST_OF_BARE = 1.5;
/**
 * Above this share of other load, pgbench's many processes get more of the processor than the server.
 */
const QUIET_SHARE = 0.1;

await conclude('answer-path', async (): Promise<BenchmarkResult> => {
  const measured: Measured[] = [];
  for (const serving of SERVING) {
    print(`\n### ${serving.processes} serving\n`);
    measured.push(await measure(serving));
  }
  const verdicts = measured.map((one) => one.reached);
  const [first] = measured;
  return {
    reached: verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true,
    summary: measured.map(({ summary }) => summary).join('; '),
    machine: { ...describeMachine(), ...first?.besides },
    figures: Object.fromEntries(measured.map(({ processes, figures }) => [processes, figures])),
  };
});

type Measured = Awaited<ReturnType<typeof measure>>;

/** Runs all rounds on a new system. */
async function measure({ processes, target }: (typeof SERVING)[number]) {
  await using prepared = await prepareSystem({
    processes,
    candidates: CANDIDATES,
    questions: QUESTIONS,
  });
  const { load, pgbench, bare, system } = prepared;
  await load.save({ seconds: WARM_UP_SECONDS });
  await pgbench?.saveEach(CLIENTS.many, QUESTIONS * 2);
  await load.ask({ seconds: 1 });
  await bare.load.ask({ seconds: 1 });
  // Short: a single candidate saves more often than a session may (BUDGET_LIMITS).
  const alone = await load.save({ seconds: 0.25, candidates: 1 });
  const rounds: Round[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    rounds.push(await runRound({ prepared, clients: CLIENTS, backwards: i % 2 === 1 }));
  }
  await requireAcknowledged(prepared, await load.acknowledged());

  const figures = printReport(rounds, alone, CLIENTS);
  const p99Ms = median(rounds.map(({ save }) => save.p99Ms));
  const { toPgbenchMany, emptyToBare } = figures.ratios;
  const otherShare = figures.medians.otherShare ?? 0;
  const parts = [
    `${processes} serving: ${figures.medians.savesPerSecond} durable saves/s`,
    toPgbenchMany === null
      ? 'pgbench is not installed, nothing to compare with (Debian: apt install postgresql)'
      : `${toPgbenchMany.toFixed(2)} of pgbench with ${CLIENTS.many} clients (target: at least ${target})`,
    `p99 ${p99Ms.toFixed(1)} ms (target: under ${MOST_P99_MS})`,
    `an empty request ${emptyToBare ?? '–'} of bare Fastify's (target: at most ${MOST_OF_BARE})`,
    ...(otherShare > QUIET_SHARE
      ? [`under ${Math.round(otherShare * 100)} % other load: repeat on an idle machine`]
      : []),
  ];
  const quick = p99Ms < MOST_P99_MS && (emptyToBare ?? 0) <= MOST_OF_BARE;
  const { disk, postgres } = system;
  const versions = {
    PostgreSQL: postgres.version,
    ...(pgbench ? { pgbench: pgbench.version } : {}),
  };
  return {
    processes,
    reached:
      toPgbenchMany === null ? (quick ? undefined : false) : quick && toPgbenchMany >= target,
    summary: parts.join(', '),
    besides: { disk, versions },
    figures,
  };
}
