import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { findChromium } from '../../scripts/find-chromium.mjs';
import { startServer } from '../../server/src/testing/running-server.ts';
import { startSmtpSink } from '../../server/src/testing/smtp-sink.ts';
import { watchOtherLoad } from '../admin-scale/other-load.ts';
import { callEndpoint } from '../answer-path/call-endpoint.ts';
import { findChild, spentDuring } from '../answer-path/processor-time.ts';
import { ADMIN, startCandidates, type TestSession } from '../answer-path/start-candidates.ts';
import {
  type BenchmarkResult,
  CannotRun,
  conclude,
  print,
  printTable,
  sized,
} from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import { postmasterFile } from '../running-postgres.ts';
import { median, rounded } from '../statistics.ts';
import { type Frames, readFrames } from './read-frames.ts';
import { startTraffic } from './traffic.ts';
import { type PageCost, watchPage } from './watch-page.ts';

const UNDER_WAY = sized({ many: 500, few: 10 }, { many: 20, few: 5 });
const QUESTIONS = 25;
const WATCHERS = sized([0, 1, 5], [0, 1]);
const MEASURED_MS = sized(20_000, 2_000);
/** Time for the first frame, which is complete, and the first heartbeats. */
const SETTLE_MS = sized(12_000, 1_000);
/** The targets. */
const LONGEST_TASK_MS = 100;
/** Frames per second: one, with a margin for the last one. */
const MOST_FRAMES = 1.02;
const SUBMITTED_AT_A_TIME = 16;

const PAGE_HEAD = [
  'script, ms a second',
  'style and layout, ms a second',
  'longest task, ms',
  'tasks over 50 ms',
  'longest input to picture, ms',
  'focus kept',
  'scrolled, px',
];

interface ServerCost {
  watchers: number;
  /** Processor milliseconds a second. */
  appMs: number;
  postgresMs: number;
  requests: number;
  frames: Frames[];
}

await conclude('live-board', async (): Promise<BenchmarkResult> => {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new CannotRun('no Chromium is installed');
  await using undo = new AsyncDisposableStack();
  const sink = await startSmtpSink();
  undo.defer(() => sink.close());
  const server = await startServer({
    web: true,
    env: {
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      SMTP_ALLOWED_HOSTS: '127.0.0.1',
      SMTP_URL: `smtp://u:p@127.0.0.1:${sink.port}?from=exams@example.org`,
    },
  });
  undo.defer(() => server.removeData());
  undo.defer(async () => void (await server.stop()));
  const { url } = server;
  const sessions = await startCandidates({
    url,
    sink,
    candidates: UNDER_WAY.many,
    questions: QUESTIONS,
  });
  const { cookie } = await callEndpoint(url, 'login', { body: ADMIN });
  if (cookie === undefined) throw new Error('the sign-in set no cookie');
  const linux = process.platform === 'linux';
  const processes = linux
    ? { app: findChild('start.mjs'), postmaster: postmasterFile(server.dataDir).pid }
    : { app: 0, postmaster: 0 };
  const other = watchOtherLoad(processes);

  const costs: ServerCost[] = [];
  for (const watchers of WATCHERS) costs.push(await measureServer(sessions, watchers));
  const otherShare = other.end() ?? 0;

  const browser = await chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
    ],
  });
  undo.defer(() => browser.close());
  const many = await measurePage(sessions);
  await submitAll(url, sessions.slice(UNDER_WAY.few));
  const few = await measurePage(sessions.slice(0, UNDER_WAY.few));

  const [none] = costs;
  if (!none) throw new Error('nothing was measured');
  const extra = (cost: ServerCost) => cost.appMs + cost.postgresMs - none.appMs - none.postgresMs;
  const total = (cost: ServerCost) => cost.appMs + cost.postgresMs;
  print(
    `\n${UNDER_WAY.many} in progress; cost of the server by number of watching administrators:\n`,
  );
  printTable(
    [
      'watchers',
      'requests/s',
      'server, ms of processor a second',
      'database, ms a second',
      'both ÷ without watchers',
      'thereof per frame, ms',
      'frames/s and watcher',
      'shortest gap, ms',
      'KB a frame',
      'first frame, KB',
    ],
    costs.map((cost) => [
      cost.watchers,
      rounded(cost.requests),
      rounded(cost.appMs),
      rounded(cost.postgresMs),
      rounded(total(cost) / total(none), 2),
      cost.watchers === 0 ? '–' : rounded(extra(cost), 1),
      ...frameCells(cost.frames),
    ]),
  );
  print('\nThe page in Chromium, used by keyboard and wheel:\n');
  printTable(
    ['in progress', ...PAGE_HEAD],
    [
      [UNDER_WAY.few, ...pageCells(few)],
      [UNDER_WAY.many, ...pageCells(many)],
      ['ratio', rounded(many.scriptMs / few.scriptMs, 1), rounded(many.layoutMs / few.layoutMs, 1)],
    ].map((row) => [...row, ...Array(PAGE_HEAD.length + 1 - row.length).fill('')]),
  );
  print(`\nOther load while the server was measured: ${Math.round(otherShare * 100)} %.`);

  const rates = costs.map(({ frames }) => frameFigures(frames).perSecond ?? 0);
  const fastest = Math.max(...rates);
  const isUsable = many.focused === many.steps && many.scrolledBy > 0;
  const five = costs.at(-1) ?? none;
  return {
    reached: many.longestTaskMs < LONGEST_TASK_MS && fastest <= MOST_FRAMES && isUsable,
    summary:
      `longest task of the page ${rounded(many.longestTaskMs)} ms with ${UNDER_WAY.many} in progress, ` +
      `${rounded(few.longestTaskMs)} ms with ${UNDER_WAY.few} (target: under ${LONGEST_TASK_MS}); ` +
      `${fastest} frames a second and watcher; server and database ` +
      `${rounded(total(five) / total(none), 2)} of their cost without watchers, with five of them` +
      (otherShare > 0.1 ? `; under ${Math.round(otherShare * 100)} % other load` : ''),
    machine: describeMachine(),
    figures: {
      server: costs.map(({ frames, ...cost }) => ({ ...cost, frames: frameFigures(frames) })),
      page: { few, many },
      otherShare,
    },
  };

  async function measureServer(people: TestSession[], watchers: number): Promise<ServerCost> {
    const endTraffic = startTraffic(url, people);
    const readers = Array.from({ length: watchers }, () => readFrames(url, cookie ?? ''));
    await delay(SETTLE_MS);
    const began = performance.now();
    const { spent } = await spentDuring(processes, () => delay(MEASURED_MS));
    const seconds = (performance.now() - began) / 1_000;
    const frames = await Promise.all(readers.map((end) => end()));
    const sent = await endTraffic();
    const all = sent.heartbeats + sent.saves + sent.reports;
    return {
      watchers,
      appMs: (spent?.app ?? 0) / 1_000 / seconds,
      postgresMs: (spent?.postgres ?? 0) / 1_000 / seconds,
      requests: all / ((SETTLE_MS + MEASURED_MS) / 1_000),
      frames,
    };
  }

  async function measurePage(people: TestSession[]): Promise<PageCost> {
    const endTraffic = startTraffic(url, people);
    await delay(SETTLE_MS);
    const cost = await watchPage(browser, { url, cookie: cookie ?? '', atLeast: people.length });
    await endTraffic();
    return cost;
  }
});

function pageCells(cost: PageCost): (string | number)[] {
  return [
    rounded(cost.scriptMs),
    rounded(cost.layoutMs),
    rounded(cost.longestTaskMs),
    cost.longTasks,
    rounded(cost.longestInputMs),
    `${cost.focused} of ${cost.steps}`,
    cost.scrolledBy,
  ];
}

function frameCells(frames: Frames[]): (string | number)[] {
  const { perSecond, shortestGapMs, kilobytes, firstKilobytes } = frameFigures(frames);
  return [perSecond, shortestGapMs, kilobytes, firstKilobytes].map((value) => value ?? '–');
}

function frameFigures(frames: Frames[]) {
  const gaps = frames.flatMap((one) => one.gaps);
  const bytes = frames.flatMap((one) => one.bytes);
  if (gaps.length === 0 || bytes.length === 0) {
    return { perSecond: null, shortestGapMs: null, kilobytes: null, firstKilobytes: null };
  }
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return {
    perSecond: rounded(1_000 / mean, 2),
    shortestGapMs: rounded(Math.min(...gaps)),
    kilobytes: rounded(median(bytes) / 1_000, 1),
    firstKilobytes: rounded(median(frames.map((one) => one.firstBytes)) / 1_000),
  };
}

async function submitAll(url: string, sessions: readonly TestSession[]): Promise<void> {
  const waiting = [...sessions];
  const oneAfterTheOther = async () => {
    for (let session = waiting.shift(); session !== undefined; session = waiting.shift()) {
      const params = { id: session.participantId };
      await callEndpoint(url, 'submitParticipant', { as: session.cookie, params, body: {} });
    }
  };
  await Promise.all(Array.from({ length: SUBMITTED_AT_A_TIME }, oneAfterTheOther));
}
