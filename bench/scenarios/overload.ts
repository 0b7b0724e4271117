import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Figure, print, printRows, sized } from '../benchmark.ts';
import { type Part, troublesOf } from '../load/figures.ts';
import { hostileFiles } from '../load/hostile-files.ts';
import type { Attack, AttackFigures } from '../load/hostile-process.ts';
import { hostileWork } from '../load/hostile-work.ts';
import type { LoadClients } from '../load/load-clients.ts';
import { startLoadGenerator } from '../load/load-generator.ts';
import { createSessions, invite, seat } from '../load/people.ts';
import { headersOf, pathOf, requestOf } from '../load/requests.ts';
import { type LoadSystem, requireDescriptors, scenario } from '../load/system.ts';
import { evenly } from '../load/timetable.ts';
import { median, rounded } from '../statistics.ts';

const HOSTILE = fileURLToPath(new URL('../load/hostile-process.ts', import.meta.url));
const CANDIDATES = sized(200, 10);
const THINK_MS = sized(2_000, 200);
const SECONDS = sized(8, 1);
const ROUNDS = Number(process.env.OVERLOAD_ROUNDS ?? sized(3, 1));
/** A part of the names of attacks; without it all. */
const ONLY = process.env.OVERLOAD_ONLY ?? '';
const CONNECTIONS = sized(1_500, 30);
/** Time for the service to recover from an attack before the next measurement. */
const RECOVERY_MS = 2_000;
const SETTLE_MS = 500;
/** The highest p99 of honest saves during an attack and after it. */
const MOST_MS = 500;
/** Limits for work that may be done beside candidates: the highest p99, or ratio to that before it. */
const WORK_MOST_MS = 250;
const WORK_MOST_RATIO = 4;
/** Highest ratio of the p99 after an attack: the variation of two measurements. */
const MOST_AFTER = 2;

/** Runs each attack beside honest candidates on one server with two processes. */
const SETTINGS = { database: 'embedded', env: { WEB_CONCURRENCY: '2' } } as const;
await scenario('overload', SETTINGS, async (system) => {
  requireDescriptors(CONNECTIONS + CANDIDATES);
  const { quiz, clients } = await seat(system, { questions: 40, many: CANDIDATES });
  const [hostile] = await createSessions(system, quiz.quizId, 1);
  const [stranger] = await invite(system, quiz.quizId, 1);
  if (!hostile || !stranger) throw new Error('no test session was created');
  const { port } = system.server;
  await system.postgres.query('vacuum (analyze)');

  const post = (name: 'heartbeat' | 'login', body: string, cookie?: string) =>
    requestOf('POST', pathOf(name, hostile.participantId), headersOf(port, cookie), body).toString(
      'latin1',
    );
  const small = post('heartbeat', '{"seq":1}', hostile.cookie);
  // 1 MB with 128,000 keys, which takes half a second to parse and validate.
  const keys = Array.from({ length: 128_000 }, (_, i) => `"${i.toString(36)}":1`).join(',');
  const large = `{"seq":1,"monitor":{${keys}}}`;
  const nowhere = requestOf('POST', '/api/nothing', headersOf(port), 'x'.repeat(1_000_000));
  const wrong = JSON.stringify({ email: stranger.email, password: 'AAAAA-BBBBB-CCCCC' });
  const admin = await system.signIn();
  const attacks: [name: string, connections: number, request: string, limit?: number][] = [
    [
      'one candidate, 41 connections, heartbeats of 1 MB',
      41,
      post('heartbeat', large, hostile.cookie),
      2,
    ],
    ['one candidate, many connections, heartbeats', CONNECTIONS, small, 4],
    [
      'the same, with the path in another spelling',
      CONNECTIONS,
      small.replace('/api/', '/%61pi/'),
      4,
    ],
    ['strangers, many connections, sign-ins of 1 MB', CONNECTIONS, post('login', large), 4],
    ['strangers, many connections, 1 MB to no route', CONNECTIONS, nowhere.toString('latin1'), 4],
    ['strangers, many connections, wrong one-time passwords', CONNECTIONS, post('login', wrong), 4],
  ];
  for (const [name, request] of hostileFiles(port, admin.cookie)) {
    attacks.push([`an author, 8 connections, ${name}`, 8, request]);
  }
  const all: Planned[] = [
    ...attacks.map(([name, connections, request, limit]) => ({
      ...{ name, attack: { connections, request }, limit, isWork: false },
    })),
    ...(await hostileWork(system, admin)).map(([name, attack]) => ({ name, attack, isWork: true })),
  ];
  await sit(clients, 'warm-up');
  const runs: (Planned & Awaited<ReturnType<typeof playAttack>>)[] = [];
  for (const planned of all) {
    if (!planned.name.includes(ONLY)) continue;
    print(`${planned.name} …`);
    const attack = { port, ...planned.attack };
    runs.push({ ...planned, ...(await playAttack(system, clients, attack, quiz.quizId)) });
  }
  print('');
  printRows(
    runs.map((run) => ({
      attack: run.name,
      'p99 before, ms': run.rounds.map(({ beforeMs }) => rounded(beforeMs, 1)).join(', '),
      during: run.rounds.map(({ duringMs }) => rounded(duringMs, 1)).join(', '),
      'ratio (limit)': `${rounded(run.ratio, 2)} (${run.limit ?? '–'})`,
      'from 2 s after': rounded(run.ratioAfter, 2),
      'failed honest requests': run.troubles.first ?? run.troubles.count,
      'deadlines moved': run.moved + run.overdue,
      'responses to the attacker': Object.entries(run.answers)
        .map(([status, n]) => `${n} × ${status}`)
        .join(', '),
    })),
  );
  const sum = (of: (run: (typeof runs)[number]) => number) => runs.reduce((n, r) => n + of(r), 0);
  const slowest = runs
    .filter(({ isWork }) => !isWork)
    .map((run) => median(run.rounds.map(({ duringMs, afterMs }) => Math.max(duringMs, afterMs))));
  return {
    isPart: ONLY !== '',
    figures: [
      ...runs.flatMap(({ name, limit, ratio, ratioAfter }): Figure[] =>
        limit === undefined
          ? []
          : [
              { name: `p99 ÷ before: ${name}`, value: rounded(ratio, 2), most: limit },
              { name: 'from 2 s after it', value: rounded(ratioAfter, 2), most: MOST_AFTER },
            ],
      ),
      ...runs
        .filter(({ isWork }) => isWork)
        .map(({ name, rounds }): Figure => {
          const most = ({ beforeMs }: Round) => Math.max(WORK_MOST_MS, WORK_MOST_RATIO * beforeMs);
          const shares = rounds.map((round) => round.duringMs / most(round));
          return {
            name: `p99 ÷ (250 ms, or 4 × before): ${name}`,
            value: rounded(median(shares), 2),
            most: 1,
          };
        }),
      {
        name: 'p99 of honest saves at most, ms',
        value: slowest.length > 0 ? rounded(Math.max(...slowest)) : null,
        most: MOST_MS,
      },
      { name: 'failed honest requests', value: sum((run) => run.troubles.count), most: 0 },
      { name: 'ends moved', value: sum((run) => run.moved), most: 0 },
      { name: 'attempts left open', value: sum((run) => run.overdue), most: 0 },
      {
        name: 'attacks without a response',
        value: runs.filter(
          ({ answers, attack }) =>
            Object.keys(answers).length === 0 && attack.leavesAfterMs === undefined,
        ).length,
        most: 0,
      },
      {
        name: 'processes killed',
        value: system.server.output().match(/hangs and is killed/g)?.length ?? 0,
        most: 0,
      },
    ],
  };
});

interface Planned {
  name: string;
  attack: Omit<Attack, 'port'>;
  /** The highest ratio of the p99 of honest saves; without one, only MOST_MS counts. */
  limit?: number | undefined;
  /** Work that may be done beside candidates, with limits of its own. */
  isWork: boolean;
}

interface Round {
  beforeMs: number;
  duringMs: number;
  afterMs: number;
}

function sit(clients: LoadClients, seed: string): Promise<Part> {
  return clients.sit(evenly({ seed, seconds: SECONDS, thinkMs: THINK_MS, reportEveryMs: 60_000 }));
}

/** An attack and its effects on the saves of honest candidates, with medians over the rounds. */
async function playAttack(
  system: LoadSystem,
  clients: LoadClients,
  attack: Attack,
  quizId: string,
) {
  const rounds: Round[] = [];
  const parts: Part[] = [];
  const answers: AttackFigures['answers'] = {};
  const ends = await beginEnding(system, quizId);
  const p99 = ({ kinds }: Part) => kinds.save?.p99Ms ?? Number.NaN;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await sit(clients, `before ${round}`);
    await using hostile = startLoadGenerator<Attack | 'stop'>(HOSTILE);
    await hostile.order(attack);
    await delay(SETTLE_MS);
    const during = await sit(clients, `during ${round}`);
    const figures = await hostile.order<AttackFigures>('stop');
    for (const [status, n] of Object.entries(figures.answers)) {
      answers[status] = (answers[status] ?? 0) + n;
    }
    await hostile[Symbol.asyncDispose]();
    await delay(RECOVERY_MS);
    const after = await sit(clients, `after ${round}`);
    parts.push(before, during, after);
    rounds.push({ beforeMs: p99(before), duringMs: p99(during), afterMs: p99(after) });
  }
  return {
    rounds,
    ratio: median(rounds.map(({ beforeMs, duringMs }) => duringMs / beforeMs)),
    ratioAfter: median(rounds.map(({ beforeMs, afterMs }) => afterMs / beforeMs)),
    troubles: troublesOf(parts),
    answers,
    ...(await ends()),
  };
}

/**
 * Creates attempts that come due during the attack. The returned function counts those whose closing time
 * moved, and those open more than 15 s after it.
 */
async function beginEnding(system: LoadSystem, quizId: string) {
  const { pool } = system.postgres;
  const people = await createSessions(system, quizId, 20);
  const ids = people.map(({ participantId }) => participantId);
  await pool.query(
    `update participants set deadline_at = now() + make_interval(secs => $2 * n.n / 10.0),
       close_at = now() + make_interval(secs => 10 + $2 * n.n / 10.0)
     from unnest($1::uuid[]) with ordinality as n(id, n) where participants.id = n.id`,
    [ids, SECONDS],
  );
  const read = async () => {
    const { rows } = await pool.query<{ id: string; end: string; overdue: boolean }>(
      `select id, close_at::text as end,
         status = 'in_progress' and close_at < now() - interval '15 seconds' as overdue
       from participants where id = any ($1::uuid[]) order by id`,
      [ids],
    );
    return rows;
  };
  const before = await read();
  return async () => {
    const now = await read();
    return {
      moved: now.filter(({ end }, i) => end !== before[i]?.end).length,
      overdue: now.filter(({ overdue }) => overdue).length,
    };
  };
}
