import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type LoadClients, type Part, startLoadClients } from '../load/load-clients.ts';
import { createSessions, invite, makeQuiz } from '../load/people.ts';
import { headersOf, pathOf, requestOf } from '../load/requests.ts';
import { type LoadSystem, startLoadSystem } from '../load/system.ts';
import { startLoadGenerator } from '../load-generator.ts';
import { median } from '../statistics.ts';
import { hostileFiles } from './hostile-files.ts';
import type { Attack, AttackFigures } from './hostile-process.ts';

const HOSTILE = fileURLToPath(new URL('./hostile-process.ts', import.meta.url));

export interface OverloadSettings {
  candidates: number;
  /** Mean time between two saves of a candidate. */
  thinkMs: number;
  /** Length of each part: before, during and after an attack. */
  seconds: number;
  rounds: number;
  /** Connections of the large attacks. */
  connections: number;
  say(line: string): void;
}

/** An attack and its effects on the saves of honest candidates. */
export interface OverloadRun {
  name: string;
  /** Highest allowed ratio of the p99 of honest saves; `null`: only MOST_MS counts. */
  limit: number | null;
  /** Milliseconds, per round. */
  rounds: { beforeMs: number; duringMs: number; afterMs: number }[];
  /** Medians over the rounds. */
  ratio: number;
  ratioAfter: number;
  /** Honest requests that were refused, failed or unanswered. */
  troubled: number;
  firstTrouble: string | null;
  attack: AttackFigures;
  /** Attempts whose closing time moved, and those open more than 15 s after it. */
  moved: number;
  overdue: number;
}

export interface OverloadResult {
  runs: OverloadRun[];
  /** Log lines about serving processes killed by the parent. */
  killed: string[];
  system: Pick<LoadSystem, 'disk'> & { version: string };
}

/** Time for the service to recover from an attack before the next measurement. */
const RECOVERY_MS = 2_000;
const SETTLE_MS = 500;

/** 1 MB with 128,000 keys, which takes half a second to parse and validate. */
function manyKeys(): string {
  const monitor = Array.from({ length: 128_000 }, (_, i) => `"${i.toString(36)}":1`).join(',');
  return `{"seq":1,"monitor":{${monitor}}}`;
}

/** Runs each attack beside honest candidates on one server with two processes. */
export async function runOverload(settings: OverloadSettings): Promise<OverloadResult> {
  const { candidates, connections, say } = settings;
  await using system = await startLoadSystem({
    name: 'overload',
    database: 'embedded',
    env: { WEB_CONCURRENCY: '2' },
  });
  const { port } = system.server;
  const quiz = await makeQuiz(system, 40);
  const [hostile, ...honest] = await createSessions(system, quiz.quizId, candidates + 1);
  const [stranger] = await invite(system, quiz.quizId, 1);
  if (!hostile || !stranger) throw new Error('no test session was created');
  await using clients = await startLoadClients({ port, ...quiz });
  await clients.add(honest);
  await system.pool.query('vacuum (analyze)');

  const post = (name: 'heartbeat' | 'login', body: string, cookie?: string) =>
    requestOf('POST', pathOf(name, hostile.participantId), headersOf(port, cookie), body).toString(
      'latin1',
    );
  const spelled = post('heartbeat', '{"seq":1}', hostile.cookie).replace('/api/', '/%61pi/');
  const nowhere = requestOf('POST', '/api/nothing', headersOf(port), 'x'.repeat(1_000_000));
  const large = manyKeys();
  const wrong = JSON.stringify({ email: stranger.email, password: 'AAAAA-BBBBB-CCCCC' });
  const attacks = [
    [
      'one candidate, 41 connections, heartbeats of 1 MB',
      2,
      41,
      post('heartbeat', large, hostile.cookie),
    ],
    [
      'one candidate, many connections, heartbeats',
      4,
      connections,
      post('heartbeat', '{"seq":1}', hostile.cookie),
    ],
    ['the same, with the path in another spelling', 4, connections, spelled],
    ['strangers, many connections, sign-ins of 1 MB', 4, connections, post('login', large)],
    ['strangers, many connections, 1 MB to no route', 4, connections, nowhere.toString('latin1')],
    ['strangers, many connections, wrong one-time passwords', 4, connections, post('login', wrong)],
    ...(await hostileFiles(system.server.url, port)).map(
      ([what, request]) => [`an author, 8 connections, ${what}`, null, 8, request] as const,
    ),
  ] as const;

  await sit(clients, settings, 'warm-up');
  const runs: OverloadRun[] = [];
  for (const [name, limit, many, request] of attacks) {
    say(`${name} …`);
    runs.push({
      name,
      limit,
      ...(await playAttack(system, clients, settings, { port, connections: many, request })),
    });
  }
  return {
    runs,
    killed: system.server.output().match(/hangs and is killed/g) ?? [],
    system: { disk: system.disk, version: system.postgres.version },
  };
}

function sit(
  clients: LoadClients,
  { seconds, thinkMs }: OverloadSettings,
  seed: string,
): Promise<Part> {
  return clients.sit({
    seed,
    seconds,
    thinkMs,
    burst: { seconds: 0, times: 1 },
    heartbeatEveryMs: 10_000,
    reportEveryMs: 60_000,
  });
}

async function playAttack(
  system: LoadSystem,
  clients: LoadClients,
  settings: OverloadSettings,
  attack: Attack,
): Promise<Omit<OverloadRun, 'name' | 'limit'>> {
  const rounds: OverloadRun['rounds'] = [];
  const parts: Part[] = [];
  const figures: AttackFigures = { answers: {}, ended: 0 };
  const ends = await beginEnding(system, settings.seconds);
  for (let round = 0; round < settings.rounds; round += 1) {
    const before = await sit(clients, settings, `before ${round}`);
    await using hostile = startLoadGenerator<Attack | 'stop'>(HOSTILE);
    await hostile.order(attack);
    await delay(SETTLE_MS);
    const during = await sit(clients, settings, `during ${round}`);
    add(figures, await hostile.order<AttackFigures>('stop'));
    await hostile[Symbol.asyncDispose]();
    await delay(RECOVERY_MS);
    const after = await sit(clients, settings, `after ${round}`);
    parts.push(before, during, after);
    rounds.push({ beforeMs: p99(before), duringMs: p99(during), afterMs: p99(after) });
  }
  const kinds = parts.flatMap((part) => Object.values(part.kinds));
  return {
    rounds,
    ratio: median(rounds.map(({ beforeMs, duringMs }) => duringMs / beforeMs)),
    ratioAfter: median(rounds.map(({ beforeMs, afterMs }) => afterMs / beforeMs)),
    troubled: kinds.reduce((n, k) => n + k.refused + k.failed + k.unanswered, 0),
    firstTrouble: kinds.find((k) => k.firstTrouble !== null)?.firstTrouble ?? null,
    attack: figures,
    ...(await ends()),
  };
}

function p99({ kinds }: Part): number {
  return kinds.save?.p99Ms ?? Number.NaN;
}

function add(sum: AttackFigures, { answers, ended }: AttackFigures): void {
  for (const [status, n] of Object.entries(answers)) {
    sum.answers[status] = (sum.answers[status] ?? 0) + n;
  }
  sum.ended += ended;
}

/** Creates attempts that come due during the attack; the returned function reports how they ended. */
async function beginEnding(system: LoadSystem, seconds: number) {
  const quizId =
    (await system.postgres.texts('select id::text as text from quizzes limit 1'))[0] ?? '';
  const ids = (await createSessions(system, quizId, 20)).map(({ participantId }) => participantId);
  await system.pool.query(
    `update participants set deadline_at = now() + make_interval(secs => $2 * n.n / 10.0),
       close_at = now() + make_interval(secs => 10 + $2 * n.n / 10.0)
     from unnest($1::uuid[]) with ordinality as n(id, n) where participants.id = n.id`,
    [ids, seconds],
  );
  const { rows } = await system.pool.query<{ id: string; close_at: Date }>(
    'select id, close_at from participants where id = any ($1::uuid[])',
    [ids],
  );
  return async () => {
    const { rows: now } = await system.pool.query<{ id: string; close_at: Date; overdue: boolean }>(
      `select id, close_at, status = 'in_progress' and close_at < now() - interval '15 seconds' as overdue
       from participants where id = any ($1::uuid[])`,
      [ids],
    );
    const before = new Map(rows.map((row) => [row.id, row.close_at.getTime()]));
    return {
      moved: now.filter((row) => row.close_at.getTime() !== before.get(row.id)).length,
      overdue: now.filter((row) => row.overdue).length,
    };
  };
}
