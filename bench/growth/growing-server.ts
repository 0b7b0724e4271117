import { setTimeout as delay } from 'node:timers/promises';
import { loadAttempts, loadFixedRows } from '../admin-scale/load-rows.ts';
import { type Figure, measurePage, type Portal, totalOf } from '../admin-scale/measure.ts';
import { allPages, type Known } from '../admin-scale/pages.ts';
import { callEndpoint } from '../answer-path/call-endpoint.ts';
import { spentDuring } from '../answer-path/processor-time.ts';
import { ADMIN } from '../answer-path/start-candidates.ts';
import { CannotRun, sized } from '../benchmark.ts';
import { type LoadClients, startLoadClients } from '../load/load-clients.ts';
import { createSessions, type LoadQuiz, makeQuiz } from '../load/people.ts';
import { measurePart } from '../load/run-load.ts';
import { type LoadSystem, startLoadSystem } from '../load/system.ts';
import type { Disk } from '../machine.ts';
import { freeGb } from './free-space.ts';

/** Candidates who save and are closed at each size; new ones each time, so that sizes are comparable. */
const COHORT = sized(2_000, 20);
const SAVE_SECONDS = sized(15, 2);
/** 400 saves a second. */
const THINK_MS = 5_000;
const NEVER_MS = 1e12;
const PAGE_TIMES = sized(40, 2);
const SEALED_WITHIN_MS = 3_600_000;
const CLOSED_WITHIN_MS = 120_000;
/** Disk space of an attempt of 40 questions with its log, a generous estimate. */
const KB_PER_ATTEMPT = 40;

/** The pages of admin-scale measured at every size. */
const PAGES = [
  'participants, first page',
  'participants, of one assessment',
  'participants, by score desc',
  'participants, search for an address',
  'participant record',
  'dashboard figures',
];

/** Costs at one size. */
export interface Costs {
  participants: number;
  answers: number;
  databaseGb: number;
  /** Processor time of server and database for one save, and for one closing. */
  saveMicros: number;
  closingMicros: number;
  /** From the moment the whole cohort was due until the last attempt was closed. */
  closedWithinSeconds: number;
  pages: Figure[];
  otherShare: number;
}

export interface GrowingServer extends AsyncDisposable {
  disk: Disk;
  version: string;
  /** Loads attempts in bulk up to `size`; returns the seconds it took. */
  growTo(size: number): Promise<number>;
  measure(size: number): Promise<Costs>;
}

/** @param most the final number of participants */
export async function growingServer(most: number): Promise<GrowingServer> {
  await using undo = new AsyncDisposableStack();
  const system = undo.use(await startLoadSystem({ name: 'growth', database: 'embedded' }));
  const free = freeGb(system.server.dataDir);
  const needed = (most * KB_PER_ATTEMPT) / 1e6;
  if (free < needed) {
    throw new CannotRun(`${needed.toFixed(0)} GB are needed, ${free.toFixed(0)} GB are free`);
  }
  const { postgres, server, processes } = system;
  await loadFixedRows(postgres);
  const quiz = await makeQuiz(system, 40);
  const { cookie } = await callEndpoint(server.url, 'login', { body: ADMIN });
  if (cookie === undefined) throw new Error('the sign-in set no cookie');
  const portal: Portal = { url: server.url, cookie, processes };
  const clients = undo.use(await startLoadClients({ port: server.port, ...quiz }));
  let size = 0;
  const kept = undo.move();
  return {
    disk: system.disk,
    version: postgres.version,
    async growTo(next) {
      const seconds = await loadAttempts(postgres, { from: size, to: next, all: most });
      size = next;
      await sealed(system);
      return seconds;
    },
    async measure(participants) {
      const pages: Figure[] = [];
      const known = await readKnown(system, portal);
      for (const page of allPages(known).filter(({ name }) => PAGES.includes(name))) {
        pages.push(await measurePage(portal, page, PAGE_TIMES));
      }
      const save = await measureSaves(system, clients, quiz);
      const closing = await measureClosing(system, quiz);
      const count = (sql: string) => postgres.count(sql);
      return {
        participants,
        answers: await count('select count(*) as n from answers'),
        databaseGb: (await count('select pg_database_size(current_database()) as n')) / 1e9,
        saveMicros: save.micros,
        otherShare: save.otherShare,
        ...closing,
        pages,
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Waits until the audit log is sealed, so that its job does not disturb measurements. */
async function sealed({ postgres }: LoadSystem): Promise<void> {
  const until = performance.now() + SEALED_WITHIN_MS;
  while ((await postgres.count('select count(*) n from audit_entries where number is null')) > 0) {
    if (performance.now() > until) throw new Error('the audit log was not sealed in time');
    await delay(1_000);
  }
  await postgres.query('vacuum (analyze) audit_entries');
  await postgres.query('checkpoint');
}

async function readKnown({ postgres }: LoadSystem, portal: Portal): Promise<Known> {
  const ids = (table: string, where: string) =>
    postgres.texts(
      `select id::text as text from ${table} where ${where} order by md5(id::text) limit 1000`,
    );
  return {
    attempts: await ids('participants', 'replaced_at is null and submitted_at is not null'),
    quizzes: await ids('quizzes', `title like 'Assessment %'`),
    totals: {
      participants: await totalOf(portal, '/api/participants'),
      outbox: await totalOf(portal, '/api/outbox'),
      audit: await totalOf(portal, '/api/audit'),
    },
  };
}

/** Measures saves of a new cohort, after a warm-up. */
async function measureSaves(
  system: LoadSystem,
  clients: LoadClients,
  { quizId }: LoadQuiz,
): Promise<{ micros: number; otherShare: number }> {
  await clients.leave();
  await clients.add(await createSessions(system, quizId, COHORT));
  const sitting = {
    seconds: SAVE_SECONDS,
    thinkMs: THINK_MS,
    burst: { seconds: 0, times: 1 },
    heartbeatEveryMs: NEVER_MS,
    reportEveryMs: NEVER_MS,
  };
  await clients.sit({ ...sitting, seed: 'warm-up' });
  const { result, spent } = await spentDuring(system.processes, () =>
    measurePart(system, 'save', COHORT, () => clients.sit({ ...sitting, seed: 'measured' })),
  );
  const save = result.kinds.save;
  if (!save || save.refused + save.failed + save.unanswered > 0) {
    throw new Error(`some saves failed: ${save?.firstTrouble}`);
  }
  return {
    micros: spent ? (spent.app + spent.postgres) / save.ok : Number.NaN,
    otherShare: result.shares?.other ?? 0,
  };
}

/** Makes all attempts in progress due at once, and waits until the server has closed them. */
async function measureClosing({ postgres, processes }: LoadSystem, { quizId }: LoadQuiz) {
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
  return {
    closingMicros: spent ? (spent.app + spent.postgres) / due : Number.NaN,
    closedWithinSeconds: (performance.now() - began) / 1_000,
  };
}
