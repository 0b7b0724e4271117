import { conclude, type Finding, print } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import { median } from '../statistics.ts';
import { requireAcknowledged } from './acknowledged.ts';
import { startCrowd } from './crowd.ts';
import { openPgbench } from './pgbench.ts';
import { prepareServer } from './prepared-server.ts';
import { printReport } from './report.ts';
import { type Round, runRound } from './round.ts';

const CANDIDATES = 256;
const QUESTIONS = 40;
/** pgbench with as many clients as candidates, and with fewer, where a small machine does better. */
const CLIENTS = { many: CANDIDATES, few: 32 };
const ROUNDS = 5;
const WARM_UP_SECONDS = 3;
/** The aims: at least pgbench's rate with as many clients, and this as the slowest hundredth. */
const LEAST_OF_PGBENCH = 1;
const MOST_P99_MS = 100;
/** More than this of the machine in other hands, and pgbench's many processes get more of the rest. */
const QUIET_SHARE = 0.1;

await conclude('answer-path', async (): Promise<Finding> => {
  await using prepared = await prepareServer({ candidates: CANDIDATES, questions: QUESTIONS });
  const { postgres, disk } = prepared;
  await using crowd = await startCrowd(prepared.port, prepared.seats);
  const pgbench = await openPgbench(postgres, QUESTIONS);

  await crowd.save({ seconds: WARM_UP_SECONDS });
  await pgbench?.saveEach(CLIENTS.many, QUESTIONS * 2);
  await crowd.ask({ seconds: 1 });
  const alone = await crowd.save({ seconds: 1, candidates: 1 });
  const rounds: Round[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    rounds.push(
      await runRound({ prepared, crowd, pgbench, clients: CLIENTS, backwards: i % 2 === 1 }),
    );
  }
  await requireAcknowledged(prepared, await crowd.acknowledged());

  const figures = printReport(rounds, alone, CLIENTS);
  const p99Ms = median(rounds.map(({ save }) => save.p99Ms));
  const ratio = figures.ratios.toPgbenchMany;
  const quick = p99Ms < MOST_P99_MS;
  const otherShare = figures.medians.otherShare ?? 0;
  const beside =
    otherShare > QUIET_SHARE
      ? `; measured beside ${Math.round(otherShare * 100)} % other load, so measure again on a quiet machine`
      : '';
  const rate = `${figures.medians.savesPerSecond} durable saves/s, p99 ${p99Ms.toFixed(1)} ms (aim: under ${MOST_P99_MS})`;
  const machine = {
    ...describeMachine(),
    disk,
    versions: { PostgreSQL: postgres.version, ...(pgbench ? { pgbench: pgbench.version } : {}) },
  };
  if (ratio === null) {
    print('\npgbench is missing: the packages postgresql (Debian) or postgresql-contrib have it.');
    const summary = `${rate}; no pgbench here to compare with: install it (Debian: apt install postgresql)`;
    return { reached: quick ? undefined : false, summary, machine, figures };
  }
  return {
    reached: quick && ratio >= LEAST_OF_PGBENCH,
    summary: `${rate}, ${ratio.toFixed(2)} of pgbench with ${CLIENTS.many} clients (aim: at least ${LEAST_OF_PGBENCH.toFixed(1)})${beside}`,
    machine,
    figures,
  };
});
