/*
 * `npm run load`: the server and an external PostgreSQL under ten thousand candidates, each with their
 * own connection: sign-in, ten minutes of answers, the end; then all answers are read back
 * (docs/benchmarks.md). Takes about twenty minutes.
 *
 *   npm run load -- --short                   500 candidates, about a minute
 *   npm run load -- --minutes 1 --started     without the five minutes of sign-in
 *   npm run load -- --candidates 2000 --seed 7
 *   npm run load -- --embedded                with the embedded database of `npm start`
 */
import { parseArgs } from 'node:util';
import { type Figure, print, printRows, sized } from '../benchmark.ts';
import { type Kind, type Part, troublesOf } from '../load/figures.ts';
import { createSessions, invite, seat } from '../load/people.ts';
import { readBack } from '../load/read-back.ts';
import {
  descriptorLimit,
  type MeasuredPart,
  measurePart,
  processesFor,
  scenario,
} from '../load/system.ts';
import { rounded } from '../statistics.ts';

/** The highest p99, from the scheduled moment. */
const MOST_P99_MS = 500;
/** A candidate saves at least every so many seconds. */
const SAVE_EACH_SECONDS = 15;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** About a minute and 500 candidates; not recorded. */
    short: { type: 'boolean', default: false },
    /** With the embedded database of `npm start`. */
    embedded: { type: 'boolean', default: false },
    /** All candidates have already started: skips sign-in. */
    started: { type: 'boolean', default: false },
    candidates: { type: 'string' },
    minutes: { type: 'string' },
    'think-seconds': { type: 'string', default: sized('14', '0.5') },
  },
});
const { short, seed } = values;
const candidates = Number(values.candidates ?? (short ? 500 : sized(10_000, 20)));
const seconds = 60 * Number(values.minutes ?? (short ? 0.4 : sized(10, 0.07)));
const signInSeconds = short ? 15 : sized(300, 2);
const submitSeconds = short ? 5 : sized(60, 2);
// The rush is a fifth of the candidates, like 2,000 of ten thousand.
const rush = { people: Math.ceil(candidates / 5), seconds: short ? 5 : sized(20, 1) };
const database = values.embedded ? 'embedded' : 'external';
// Each candidate has a connection, and open files per process are limited.
const processes = sized(processesFor(candidates + rush.people), 2);

const name = `load${values.embedded ? '-embedded' : ''}${short ? '-short' : ''}`;
const env = { WEB_CONCURRENCY: String(processes) };
await scenario(name, { database, env }, async (system) => {
  print(
    `seed ${seed}, ${candidates} candidates, ${seconds / 60} minutes, ${database} PostgreSQL, ` +
      `serving processes: ${processes}; open files: ${descriptorLimit() ?? 'unknown'} allowed`,
  );
  const { postgres } = system;
  const { quiz, clients } = await seat(system, { questions: 40, processes });
  const parts: NamedPart[] = [];
  const measure = async (name: string, work: () => Promise<Part>) => {
    print(`${name} …`);
    const part = { name, ...(await measurePart(system.processes, work)) };
    parts.push(part);
    return part;
  };

  const entered: Figure[] = [];
  const enter = async (name: string, many: number, within: number, stay: boolean) => {
    const people = await invite(system, quiz.quizId, many);
    const part = await measure(name, () =>
      clients.enter({ seed: `${seed} ${name}`, seconds: within, people, stay }),
    );
    for (const kind of ['sign-in', 'start', 'paper'] as const) {
      const value = part.kinds[kind]?.ok ?? 0;
      entered.push({ name: `${kind} of ${many} within ${within} s`, value, least: many });
    }
    entered.push(p99(part, 'sign-in'));
  };
  if (values.started) {
    const people = await createSessions(system, quiz.quizId, candidates);
    // Simulate a restart during the assessment: all connect to a new process.
    if (database === 'external') await system.restartServer();
    await clients.add(people);
  } else {
    await enter(`${candidates} sign in`, candidates, signInSeconds, true);
  }
  await enter(`${rush.people} more sign in`, rush.people, rush.seconds, false);
  // Autovacuum would have done this in a database in use.
  await postgres.query('vacuum (analyze)');
  const sit = await measure(`${candidates} sit`, () =>
    clients.sit({
      seed: `${seed} sit`,
      seconds,
      // Below 15 s, so that at least 667 saves a second are scheduled for ten thousand.
      thinkMs: Number(values['think-seconds']) * 1_000,
      burst: { seconds: seconds / 10, times: 2 },
      heartbeatEveryMs: sized(10_000, 1_000),
      reportEveryMs: sized(600_000, 4_000),
    }),
  );
  const submit = await measure(`${candidates} submit`, () =>
    clients.submit({ seed: `${seed} submit`, seconds: submitSeconds }),
  );
  print('reading all answers back …');
  const acknowledged = await clients.acknowledged();
  await clients.leave();
  const { answers, lost } = await readBack(postgres, acknowledged, quiz.questions);
  const ended = await postgres.count(
    `select count(*) as n from participants p
     join participant_events e on e.participant_id = p.id and e.kind = 'ended'
     where p.status = 'completed' and p.submission_type = 'manual'`,
  );

  printParts(parts);
  const troubles = troublesOf(parts);
  for (const trouble of [troubles.first, lost[0]]) {
    if (trouble) print(`\nThe first: ${trouble.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
  }
  return {
    figures: [
      {
        name: 'saves/s',
        value: rounded((sit.kinds.save?.ok ?? 0) / Math.max(seconds, sit.wallSeconds - 1)),
        least: Math.floor(candidates / SAVE_EACH_SECONDS),
      },
      p99(sit, 'save'),
      p99(sit, 'heartbeat'),
      { name: 'requests with 5xx, refused or unanswered', value: troubles.count, most: 0 },
      { name: 'acknowledged answers lost', value: lost.length, most: 0 },
      { name: 'acknowledged answers read back', value: answers, least: 1 },
      {
        name: `submitted within ${submitSeconds} s`,
        value: submit.kinds.submit?.ok ?? 0,
        least: candidates,
      },
      // At most as many as well: each attempt ends once.
      { name: 'ends of these attempts', value: ended, least: candidates, most: candidates },
      p99(submit, 'submit'),
      ...entered,
    ],
  };
});

type NamedPart = MeasuredPart & { name: string };

function p99({ kinds, name }: NamedPart, kind: Kind): Figure {
  const value = rounded(kinds[kind]?.p99Ms ?? Number.NaN, 1);
  return { name: `p99 of a ${kind}, ${name}, ms`, value, most: MOST_P99_MS };
}

function printParts(parts: readonly NamedPart[]): void {
  print('');
  printRows(
    parts.flatMap(({ name, kinds, plannedSeconds }) =>
      Object.entries(kinds).map(([kind, f]) => ({
        what: name,
        request: kind,
        answered: f.ok,
        'per second': rounded(f.ok / plannedSeconds),
        'p50 ms': rounded(f.p50Ms, 1),
        'p99 ms': rounded(f.p99Ms, 1),
        'p99.9 ms': rounded(f.p999Ms, 1),
        'longest ms': rounded(f.longestMs, 1),
      })),
    ),
  );
  print('');
  printRows(
    parts.map(({ name, shares, latestMs }) => ({
      'of all processors, %': name,
      app: shares && rounded(shares.app * 100),
      PostgreSQL: shares && rounded(shares.postgres * 100),
      'load generator': shares && rounded(shares.load * 100),
      others: shares && rounded(shares.other * 100),
      'generator late, ms': rounded(latestMs),
    })),
  );
  print('\np99 in ms per ten seconds:');
  for (const { name, kinds } of parts) {
    for (const [kind, { p99MsByTenSeconds }] of Object.entries(kinds)) {
      print(`${name}, ${kind}: ${p99MsByTenSeconds.map((ms) => rounded(ms)).join(' ')}`);
    }
  }
}
