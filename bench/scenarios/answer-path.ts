import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  conclude,
  type Figure,
  mediansOf,
  print,
  printRounds,
  printRows,
  ratio,
  sized,
} from '../benchmark.ts';
import { type Kind, type Part, troublesOf } from '../load/figures.ts';
import { startLoadClients } from '../load/load-clients.ts';
import { seat } from '../load/people.ts';
import { openPgbench } from '../load/pgbench.ts';
import { difference, spentDuring } from '../load/processor-time.ts';
import { readBack } from '../load/read-back.ts';
import { startLoadSystem } from '../load/system.ts';
import { costOf, otherShareIn, type Rate, yardstickOf } from '../load/yardstick.ts';
import { type Disk, describeMachine, type Machine } from '../machine.ts';
import { rounded } from '../statistics.ts';

// With fewer, each would save more often than a session may (BUDGET_LIMITS).
const CANDIDATES = sized(256, 32);
/** pgbench with up to as many clients as candidates: how many are fastest depends on the machine. */
const CLIENTS = sized([16, 32, 64, 128, CANDIDATES], [16, CANDIDATES]);
/** So short that all of them take about as long as two did for as long as the saves. */
const PGBENCH_SECONDS = sized(2, 1);
const QUESTIONS = 40;
const ROUNDS = sized(5, 1);
const WARM_UP_SECONDS = sized(3, 1);
const SECONDS = sized(4, 1);
/** How long pgbench takes to open 256 connections. */
const CONNECTING_SECONDS = 1;
/** Lets connections close and buffers drain. */
const PAUSE_MS = 500;
/** Database connections of the server itself, a generous estimate. */
const OWN_CONNECTIONS = 64;
/** Limits by number of serving processes, as a share of pgbench's best rate. */
const SERVING = [
  { processes: 1, least: 0.9 },
  { processes: 2, least: 1 },
];
const MOST_P99_MS = 50;
/** The server's time for an empty request, against bare Fastify's. */
const MOST_OF_BARE = 1.5;
const BARE_FASTIFY = fileURLToPath(import.meta.resolve('@invigil/testkit/bare-fastify'));

await conclude('answer-path', async () => {
  const figures: Figure[] = [];
  let machine: Machine = describeMachine();
  let otherShare = 0;
  const warnings = new Set<string>();
  for (const serving of SERVING) {
    print(`\n### ${serving.processes} serving\n`);
    const measured = await measure(serving);
    figures.push(...measured.figures);
    machine = measured.machine;
    otherShare = Math.max(otherShare, measured.otherShare);
    if (measured.warning !== null) warnings.add(measured.warning);
  }
  return { figures, machine, otherShare, warnings: [...warnings] };
});

async function measure({ processes, least }: (typeof SERVING)[number]) {
  await using system = await startLoadSystem({
    database: 'external',
    env: { WEB_CONCURRENCY: String(processes) },
    // pgbench opens one for each of its clients.
    maxConnections: CANDIDATES + OWN_CONNECTIONS,
  });
  const { quiz, clients: load } = await seat(system, { questions: QUESTIONS, many: CANDIDATES });
  using undo = new DisposableStack();
  const fastify = fork(BARE_FASTIFY);
  undo.defer(() => fastify.disconnect());
  const [barePort] = await once(fastify, 'message');
  await using bare = await startLoadClients({ port: barePort, quizId: '', questions: [] });
  const pgbench = await openPgbench(system.postgres, QUESTIONS);

  const watch = async <T>(work: () => Promise<T>, who = system.processes) => {
    await delay(PAUSE_MS);
    return spentDuring(who, work);
  };
  const send = async (
    clients: typeof load,
    request: 'save' | 'empty',
    { seconds = SECONDS, atOnce = CANDIDATES } = {},
  ) => {
    const who = clients === bare ? { app: fastify.pid ?? 0, postmaster: 0 } : system.processes;
    const { result, spent } = await watch(() => clients.repeat({ request, seconds, atOnce }), who);
    const { first } = troublesOf([result]);
    if (first !== null) throw new Error(`refused: ${first}`);
    const { ok = 0 } = result.kinds[request] ?? {};
    return { ...resultOf(result, request), ...costOf(spent, ok, result.loadMicros) };
  };
  const limit = async (clients: number) => {
    if (pgbench === undefined) return undefined;
    const { spent: connecting } = await watch(() => pgbench.saveEach(clients, 1));
    const { result, spent } = await watch(() =>
      pgbench.run(clients, PGBENCH_SECONDS + CONNECTING_SECONDS),
    );
    const running = spent && connecting ? difference(spent, connecting) : undefined;
    return { ...result, ...costOf(running, result.requests, running?.ended ?? 0) };
  };

  await send(load, 'save', { seconds: WARM_UP_SECONDS });
  await pgbench?.saveEach(CANDIDATES, QUESTIONS * 2);
  await send(load, 'empty', { seconds: 1 });
  await send(bare, 'empty', { seconds: 1 });
  // Short: a single candidate saves more often than a session may (BUDGET_LIMITS).
  const alone = await send(load, 'save', { seconds: 0.25, atOnce: 1 });
  const rounds: Round[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const round: Partial<Round> & Pick<Round, 'pgbench'> = { pgbench: new Map() };
    const parts = [
      async () => (round.save = await send(load, 'save')),
      ...CLIENTS.map((clients) => async () => {
        const measured = await limit(clients);
        if (measured) round.pgbench.set(clients, measured);
      }),
      async () => (round.empty = await send(load, 'empty')),
      async () => (round.bare = await send(bare, 'empty')),
    ];
    // Every other round in reverse order, so that no part always follows the same one.
    for (const part of i % 2 === 1 ? parts.reverse() : parts) await part();
    rounds.push(round as Round);
  }
  const { lost } = await readBack(system.postgres, await load.acknowledged(), quiz.questions);
  if (lost[0]) throw new Error(`${lost.length} acknowledged answers are lost: ${lost[0]}`);
  const machine: Machine & { disk: Disk } = {
    ...system.machine,
    versions: { ...system.machine.versions, ...(pgbench && { pgbench: pgbench.version }) },
  };
  return { ...report(rounds, alone, processes, least), machine };
}

interface Round {
  save: Rate & { p50Ms: number; p99Ms: number };
  empty: Rate;
  bare: Rate;
  /** By number of clients; empty without pgbench. */
  pgbench: Map<number, Rate>;
}

function resultOf(part: Part, kind: Kind) {
  const { ok = 0, p50Ms = 0, p99Ms = 0 } = part.kinds[kind] ?? {};
  return { perSecond: ok / part.wallSeconds, p50Ms, p99Ms };
}

function report(rounds: readonly Round[], alone: Round['save'], processes: number, least: number) {
  const than = (save: Rate, other: Rate | undefined) =>
    other === undefined ? null : ratio(save.perSecond, other.perSecond);
  const perSecond = (rate: Rate | undefined) => (rate ? rounded(rate.perSecond) : null);
  const { best, warning } = yardstickOf(rounds.map(({ pgbench }) => pgbench));
  const limitOf = ({ pgbench }: Round, clients: number | null) =>
    clients === null ? undefined : pgbench.get(clients);
  const rows = rounds.map((round) => ({
    'saves/s': rounded(round.save.perSecond),
    'p50 ms': rounded(round.save.p50Ms, 1),
    'p99 ms': rounded(round.save.p99Ms, 1),
    ...Object.fromEntries(
      CLIENTS.map((clients) => [`pgbench ${clients}, /s`, perSecond(limitOf(round, clients))]),
    ),
    'empty route, /s': perSecond(round.empty),
    'bare Fastify, /s': perSecond(round.bare),
    'saves ÷ best pgbench': than(round.save, limitOf(round, best)),
    'saves ÷ empty': than(round.save, round.empty),
    'other load, %': round.save.otherShare === null ? null : rounded(round.save.otherShare * 100),
  }));
  const medians = printRounds(rows);
  print('\nProcessor time, median of the rounds, in µs for one request:\n');
  const parts: [what: string, rates: (Rate | undefined)[]][] = [
    ['save', rounds.map(({ save }) => save)],
    ['empty route', rounds.map(({ empty }) => empty)],
    ['bare Fastify', rounds.map(({ bare }) => bare)],
    ...CLIENTS.map((clients): [string, (Rate | undefined)[]] => [
      `pgbench ${clients}`,
      rounds.map((round) => limitOf(round, clients)),
    ]),
  ];
  const costs = parts.map(([what, rates]) => {
    const measured = rates.filter((rate) => rate !== undefined);
    const [server, PostgreSQL, sender] = (['app', 'postgres', 'sender'] as const).map((who) => {
      const { micros } = mediansOf(measured.map((rate) => ({ micros: rate[who] })));
      return typeof micros === 'number' ? rounded(micros, 1) : null;
    });
    const all = rounded((server ?? 0) + (PostgreSQL ?? 0) + (sender ?? 0), 1);
    return {
      ...{ what, server: server ?? null, PostgreSQL: PostgreSQL ?? null },
      ...{ 'load generator or pgbench': sender ?? null, all },
    };
  });
  printRows(costs);
  const [save, empty, bare] = costs;
  const pgbench = costs.find(({ what }) => what === `pgbench ${best}`);
  print(
    `\nA single candidate: p50 ${rounded(alone.p50Ms, 2)} ms, p99 ${rounded(alone.p99Ms, 2)} ms.`,
  );
  const name = (figure: string) => `${processes} serving: ${figure}`;
  const figures: Figure[] = [
    { name: name('durable saves/s'), value: medians['saves/s'] ?? null },
    {
      name: name(`saves ÷ pgbench at its best, with ${best ?? 'no'} clients`),
      value: medians['saves ÷ best pgbench'] ?? null,
      least,
    },
    { name: name('p99 of a save, ms'), value: medians['p99 ms'] ?? null, most: MOST_P99_MS },
    {
      name: name("an empty request ÷ bare Fastify's, processor time"),
      value: ratio(empty?.server ?? 0, bare?.server ?? 0),
      most: MOST_OF_BARE,
    },
    {
      name: name("a save ÷ pgbench's, processor time"),
      value: ratio(save?.all ?? 0, pgbench?.all ?? 0),
    },
  ];
  return { figures, otherShare: otherShareIn(parts.map(([, rates]) => rates)), warning };
}
