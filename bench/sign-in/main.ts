import { type BenchmarkResult, conclude, print, printTable, sized } from '../benchmark.ts';
import {
  type Invited,
  type Kind,
  type LoadClients,
  startLoadClients,
} from '../load/load-clients.ts';
import { invite, makeQuiz } from '../load/people.ts';
import { type MeasuredPart, measurePart } from '../load/run-load.ts';
import { type LoadSystem, startLoadSystem } from '../load/system.ts';
import { describeMachine } from '../machine.ts';
import { median, rounded } from '../statistics.ts';

const LINES = 64;
const ROUNDS = Number(process.env.SIGN_IN_ROUNDS ?? sized(5, 1));
const SECONDS = sized(4, 1);
const WARM_UP_SECONDS = sized(3, 1);
/** Enough that hardly anyone signs in twice. */
const PEOPLE = sized(20_000, 1_000);
const TARGET = 1_000;
const QUIET_SHARE = 0.1;

/** One round: sign-ins and the upper bound, on the same connections. */
interface Round {
  signIn: MeasuredPart;
  empty: MeasuredPart;
}

await conclude('sign-in', async (): Promise<BenchmarkResult> => {
  await using system = await startLoadSystem({
    name: 'sign-in',
    database: 'external',
    // More sign-ins from one address than a network may send on a quick machine.
    env: { REQUEST_BUDGET: '10' },
  });
  const quiz = await makeQuiz(system, 40);
  const people = await invite(system, quiz.quizId, PEOPLE);
  await system.pool.query('vacuum (analyze)');
  await using clients = await startLoadClients({ port: system.server.port, ...quiz });

  let from = 0;
  const signIn = async (seconds: number) => {
    const part = await measurePart(system, 'sign-in', LINES, () =>
      clients.signIn({ seconds, atOnce: LINES, people, from }),
    );
    requireServed(part, 'sign-in');
    from += part.kinds['sign-in']?.ok ?? 0;
    return part;
  };
  await signIn(WARM_UP_SECONDS);
  await ask(system, clients, 1);
  const rounds: Round[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    // Every other round in reverse order, so that neither always follows the other.
    const round: Partial<Round> = {};
    const parts = [
      async () => {
        round.signIn = await signIn(SECONDS);
      },
      async () => {
        round.empty = await ask(system, clients, SECONDS);
      },
    ];
    for (const part of i % 2 === 1 ? parts.reverse() : parts) await part();
    rounds.push(round as Round);
  }
  await requireSessions(system, people, from);
  return evaluate(rounds, system);
});

function ask(system: LoadSystem, clients: LoadClients, seconds: number): Promise<MeasuredPart> {
  return measurePart(system, 'empty', LINES, () => clients.ask({ seconds, atOnce: LINES }));
}

function requireServed(part: MeasuredPart, kind: Kind): void {
  const { refused = 0, failed = 0, unanswered = 0, firstTrouble } = part.kinds[kind] ?? {};
  if (refused + failed + unanswered > 0) throw new Error(`some sign-ins failed: ${firstTrouble}`);
}

/** Checks that every sign-in created a session. */
async function requireSessions(system: LoadSystem, people: Invited[], signIns: number) {
  const live = await system.postgres.count(
    'select count(*) as n from sessions where invitation_id is not null and ended_at is null',
  );
  const expected = Math.min(signIns, people.length);
  if (live !== expected) throw new Error(`${live} sessions live, ${expected} people signed in`);
}

function evaluate(rounds: readonly Round[], system: LoadSystem): BenchmarkResult {
  const lines = rounds.map(({ signIn, empty }) => {
    const perSecond = rateOf(signIn, 'sign-in');
    const limit = rateOf(empty, 'empty');
    const figures = signIn.kinds['sign-in'];
    return {
      perSecond: rounded(perSecond),
      p50Ms: rounded(figures?.p50Ms ?? 0, 1),
      p99Ms: rounded(figures?.p99Ms ?? 0, 1),
      emptyPerSecond: rounded(limit),
      toEmpty: rounded(perSecond / limit, 2),
      appMicros: microsOf(signIn, 'sign-in', 'app'),
      postgresMicros: microsOf(signIn, 'sign-in', 'postgres'),
      loadMicros: microsOf(signIn, 'sign-in', 'load'),
      emptyAppMicros: microsOf(empty, 'empty', 'app'),
      otherShare: signIn.shares?.other ?? 0,
    };
  });
  const columns = Object.keys(lines[0] ?? {}) as (keyof (typeof lines)[number])[];
  const middle = Object.fromEntries(
    columns.map((column) => [column, median(lines.map((line) => line[column]))]),
  ) as (typeof lines)[number];
  const cells = (line: typeof middle) =>
    columns.map((c) => (c === 'otherShare' ? `${rounded(line[c] * 100)} %` : line[c]));
  printTable(
    [
      'round',
      'sign-ins/s',
      'p50 ms',
      'p99 ms',
      'empty route, /s',
      'sign-ins ÷ empty',
      'app, µs each',
      'PostgreSQL, µs each',
      'load generator, µs each',
      'empty route: app, µs each',
      'other load',
    ],
    [
      ...lines.map((line, i) => [i + 1, ...cells(line)]),
      ['**median**', ...cells(middle).map((cell) => `**${cell}**`)],
    ],
  );
  print(`\n${LINES} concurrent keep-alive connections.`);
  const { perSecond, toEmpty, p99Ms, otherShare } = middle;
  const beside =
    otherShare > QUIET_SHARE
      ? `; measured under ${rounded(otherShare * 100)} % other load: repeat on an idle machine`
      : '';
  return {
    reached: perSecond >= TARGET,
    summary: `${perSecond} sign-ins/s with a correct code (target: at least ${TARGET}), ${toEmpty} of an empty route, p99 ${p99Ms} ms${beside}`,
    machine: {
      ...describeMachine(),
      disk: system.disk,
      versions: { PostgreSQL: system.postgres.version },
    },
    figures: { lines: LINES, medians: middle, rounds: lines },
  };
}

function rateOf(part: MeasuredPart, kind: Kind): number {
  return (part.kinds[kind]?.ok ?? 0) / part.wallSeconds;
}

/** Processor time of one request, in µs. */
function microsOf(part: MeasuredPart, kind: Kind, who: 'app' | 'postgres' | 'load'): number {
  const available = part.wallSeconds * 1_000_000 * describeMachine().cores;
  return rounded(((part.shares?.[who] ?? 0) * available) / (part.kinds[kind]?.ok ?? 1));
}
