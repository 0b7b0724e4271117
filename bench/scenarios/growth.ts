import { statfsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CannotRun, print, printRows, sized } from '../benchmark.ts';
import { troublesOf } from '../load/figures.ts';
import type { LoadClients } from '../load/load-clients.ts';
import { allPages } from '../load/pages.ts';
import { createSessions, seat } from '../load/people.ts';
import { Portal } from '../load/portal.ts';
import { spentDuring } from '../load/processor-time.ts';
import { type LoadSystem, scenario } from '../load/system.ts';
import { evenly } from '../load/timetable.ts';
import { rounded } from '../statistics.ts';

/** Numbers of participants to measure at; `GROWTH_SIZES=2000,4000` for a small trial. */
const SIZES = (process.env.GROWTH_SIZES ?? sized('10000,100000,1000000', '300,600'))
  .split(',')
  .map(Number);
/** Highest cost of a save and a closing, as a multiple of the first size; of a page, each tenfold. */
const MOST_WRITES = 2;
const MOST_PAGE_TENFOLD = 2;
/** Candidates who save and are closed at each size; new ones each time, so that sizes are comparable. */
const COHORT = sized(2_000, 20);
const SAVE_SECONDS = sized(15, 2);
/** 400 saves a second. */
const THINK_MS = 5_000;
const NEVER_MS = 1e12;
const PAGE_TIMES = sized(40, 2);
const CLOSED_WITHIN_MS = 120_000;
/** Disk space of an attempt of 40 questions with its log, a generous estimate. */
const KB_PER_ATTEMPT = 40;

/** The pages of admin-scale measured at every size. */
const PAGES = [
  'participants, first page',
  'participant record',
  'participants, by score desc',
  'participants, of one assessment',
  'participants, search for an address',
  'dashboard figures',
];

await scenario('growth', { database: 'embedded' }, async (system) => {
  const most = Math.max(...SIZES);
  const { bavail, bsize } = statfsSync(system.server.dataDir);
  const needed = (most * KB_PER_ATTEMPT) / 1e6;
  if (bavail * bsize < needed * 1e9) throw new CannotRun(`${rounded(needed)} GB are needed`);
  const portal = await Portal.open(system);
  const { quiz, clients } = await seat(system, { questions: 40 });
  const all: Costs[] = [];
  for (const [i, size] of SIZES.entries()) {
    await portal.load({ from: SIZES[i - 1] ?? 0, to: size, all: most });
    const known = await portal.known();
    const pages: [string, number][] = [];
    for (const page of allPages(known).filter(({ name }) => PAGES.includes(name))) {
      const { processorMs, p50Ms } = await portal.measure(page, PAGE_TIMES);
      pages.push([`${page.name}, ms`, processorMs ?? p50Ms]);
    }
    const count = (sql: string) => system.postgres.count(`select ${sql} as n`);
    all.push({
      participants: size,
      answers: await count('(select count(*) from answers)'),
      'database, GB': rounded((await count('pg_database_size(current_database())')) / 1e9, 2),
      'save, µs': await measureSaves(system, clients, quiz.quizId),
      'closing, µs': await measureClosing(system, quiz.quizId),
      ...Object.fromEntries(pages),
    });
  }
  printRows(all);
  const [first = {}] = all;
  const compared = Object.keys(first).slice(3);
  const growth = (costs: Costs, column: string) => (costs[column] ?? 0) / (first[column] ?? 1);
  print(`\nThe same as ratios to ${first.participants} participants:\n`);
  const ratios = all.map((costs) => ({
    participants: costs.participants ?? 0,
    ...Object.fromEntries(compared.map((column) => [column, rounded(growth(costs, column), 2)])),
  }));
  printRows(ratios);
  print('\nProcessor time of server and database together.');
  const allowed = (costs: Costs) => MOST_PAGE_TENFOLD ** Math.log10(growth(costs, 'participants'));
  const mostOf = (of: (costs: Costs) => number) => rounded(Math.max(...all.map(of)), 2);
  return {
    figures: [
      {
        name: 'a save at the most participants ÷ at the fewest',
        value: mostOf((costs) => growth(costs, 'save, µs')),
        most: MOST_WRITES,
      },
      {
        name: 'a closing, the same',
        value: mostOf((costs) => growth(costs, 'closing, µs')),
        most: MOST_WRITES,
      },
      {
        name: `the most expensive page ÷ ${MOST_PAGE_TENFOLD} times as much for each tenfold`,
        value: mostOf((costs) =>
          Math.max(...compared.slice(2).map((column) => growth(costs, column) / allowed(costs))),
        ),
        most: 1,
      },
    ],
  };
});

type Costs = Record<string, number>;

/** Processor time of server and database for a save of a new cohort, after a warm-up. */
async function measureSaves(system: LoadSystem, clients: LoadClients, quizId: string) {
  await clients.leave();
  await clients.add(await createSessions(system, quizId, COHORT));
  const sitting = (seed: string) =>
    evenly({
      seed,
      seconds: SAVE_SECONDS,
      thinkMs: THINK_MS,
      heartbeatEveryMs: NEVER_MS,
      reportEveryMs: NEVER_MS,
    });
  await clients.sit(sitting('warm-up'));
  const { result, spent } = await spentDuring(system.processes, () =>
    clients.sit(sitting('measured')),
  );
  const { count, first } = troublesOf([result]);
  if (count > 0) throw new Error(`some saves failed: ${first}`);
  const micros = ((spent?.app ?? 0) + (spent?.postgres ?? 0)) / (result.kinds.save?.ok ?? 0);
  return rounded(micros);
}

/** The same for closing an attempt: makes all due at once and waits until the server has closed them. */
async function measureClosing({ postgres, processes }: LoadSystem, quizId: string) {
  const running = `from participants where quiz_id = '${quizId}' and status = 'in_progress'`;
  const due = await postgres.count(`select count(*) as n ${running}`);
  const began = performance.now();
  const { spent } = await spentDuring(processes, async () => {
    await postgres.query(
      `update participants set started_at = now() - interval '2 hours',
         deadline_at = now() - interval '20 seconds', close_at = now() - interval '10 seconds'
       where quiz_id = '${quizId}' and status = 'in_progress'`,
    );
    while ((await postgres.count(`select count(*) as n ${running}`)) > 0) {
      if (performance.now() - began > CLOSED_WITHIN_MS) throw new Error('not closed in time');
      await delay(250);
    }
  });
  print(`${due} attempts were closed after ${rounded((performance.now() - began) / 1_000, 1)} s.`);
  return rounded(((spent?.app ?? 0) + (spent?.postgres ?? 0)) / due);
}
