import { setTimeout as delay } from 'node:timers/promises';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { inviteCandidate, mailServer, makeQuiz, signInAdmin } from '@invigil/testkit/factories';
import { startSilentServer } from '@invigil/testkit/mail-servers';
import { startOtherProcess } from '@invigil/testkit/other-process';
import type pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../boot/app.ts';
import { LOCKS } from '../db/advisory-locks.ts';
import type { Config } from '../runtime/config.ts';
import { sealAudit } from '../trust/seal-audit.ts';
import { runJobs } from './run-jobs.ts';

describe('leadership of the periodic jobs', () => {
  let app: TestApp;
  let lines: { level: number; msg: string }[];
  let cleanups: (() => Promise<unknown>)[];

  beforeEach(async () => {
    app = await startTestApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
    lines = [];
    cleanups = [];
  });
  afterEach(async () => {
    for (const cleanUp of cleanups.reverse()) await cleanUp();
    await app.stop();
  });

  /** Another process with its own connections, memory and log, on the same database and clock. */
  async function startProcess(
    differs?: Parameters<typeof startOtherProcess>[1],
    prepare?: (pool: pg.Pool) => void,
  ): Promise<App> {
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const other = await startOtherProcess(app, { log, ...differs }, prepare);
    cleanups.push(other.close);
    return other;
  }

  const leaders = async () =>
    (
      await app.pool.query(
        `select l.pid from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and l.objid = $1 and l.granted
           and d.datname = current_database()`,
        [LOCKS.leader],
      )
    ).rows.map((r) => r.pid as number);

  const until = (happened: () => Promise<boolean>) => expect.poll(happened).toBe(true);
  const untilLeader = () => until(async () => (await leaders()).length === 1);
  const untilOtherLeader = (earlier: number | undefined) =>
    until(async () => {
      const now = await leaders();
      return now.length === 1 && now[0] !== earlier;
    });
  const untilNoLeader = () => until(async () => (await leaders()).length === 0);

  /** Makes an attempt due, and resolves when a job has ended it. */
  async function untilDueAttemptEnds(email: string): Promise<void> {
    const admin = await signInAdmin(app, `admin-${email}`);
    const quiz = await makeQuiz(app, admin, { duration: 1 });
    const candidate = await inviteCandidate(app, admin, quiz.id, email);
    const { body } = await app.call('startParticipant', { as: candidate.cookie, body: {} });
    // The clock advances in steps: a leap would count as an outage and give a minute more.
    for (let i = 0; i < 9; i += 1) {
      app.clock.advance({ seconds: 8 });
      await app.pool.query('update liveness set alive_at = $1', [app.clock.now()]);
    }
    await until(async () => {
      const { rows } = await app.pool.query('select status from participants where id = $1', [
        body.id,
      ]);
      return rows[0].status === 'completed';
    });
  }

  it('is held by one of several processes, and taken over when that one stops', async () => {
    const first = await startProcess();
    first.startJobs();
    await untilLeader();
    const [leader] = await leaders();
    const second = await startProcess();
    second.startJobs();
    second.startJobs();
    await untilDueAttemptEnds('one@example.org');
    expect(await leaders()).toEqual([leader]);

    await first.close();
    await untilOtherLeader(leader);
    await untilDueAttemptEnds('two@example.org');
    await second.close();
    await untilNoLeader();
    expect(lines.filter((l) => l.level >= 40)).toEqual([]);
  });

  it('is acquired again, and closing continues, while mail hangs', { tags: 'long' }, async () => {
    const silent = await startSilentServer();
    const admin = await signInAdmin(app);
    const quiz = await makeQuiz(app, admin);
    const emails = Array.from({ length: 30 }, (_, i) => `mail${i}@example.org`);
    await app.call('inviteToQuiz', { as: admin, params: { id: quiz.id }, body: { emails } });
    await app.call('putSmtpSettings', { as: admin, body: mailServer(silent.port) });
    const process = await startProcess();
    process.startJobs();
    await until(async () => silent.taken >= 5);
    const [leader] = await leaders();
    await app.pool.query('select pg_terminate_backend($1)', [leader]);
    await untilOtherLeader(leader);
    await untilDueAttemptEnds('hanging@example.org');
    // A process that shuts down does not wait for a silent mail server either.
    const began = performance.now();
    await process.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    await silent.close();
    const { rows } = await app.pool.query("select from outbox where state = 'sending'");
    expect(rows).toHaveLength(0);
    expect(lines.map((l) => l.msg)).toContain(
      'leadership of the periodic jobs was lost with its connection',
    );
  });

  it('passes to a process whose clock is not late', { tags: 'long' }, async () => {
    let isLate = false;
    const { clock } = app;
    const lateClock = {
      now: () => clock.now(),
      isTrusted: () => !isLate,
      isLate: () => isLate,
      machineAgrees: () => true,
    };
    const first = await startProcess({ clock: lateClock });
    first.startJobs();
    await untilLeader();
    const [leader] = await leaders();
    isLate = true;
    const second = await startProcess();
    second.startJobs();
    await untilOtherLeader(leader);
    await untilDueAttemptEnds('trusted@example.org');
    // Alone it leads nevertheless: mail and sealing continue.
    await second.close();
    await untilNoLeader();
    await untilLeader();
  });

  it('is taken from a leader without a heartbeat', { tags: 'long' }, async () => {
    // Like a stopped process, or one behind a cut connection: it still holds the lock.
    const hanging = await app.pool.connect();
    hanging.on('error', () => undefined);
    await hanging.query('select pg_advisory_lock($1)', [LOCKS.leader]);
    const [silent] = await leaders();
    const process = await startProcess();
    process.startJobs();
    await delay(5_000);
    expect(await leaders()).toEqual([silent]);
    await untilOtherLeader(silent);
    await untilDueAttemptEnds('silent@example.org');
    hanging.release(true);
    expect(lines.filter((l) => l.level === 40).map((l) => l.msg)).toEqual([
      'the leader of the periodic jobs was hanging and was deposed',
    ]);
  });

  it('stays with a leader that sends heartbeats', { tags: 'long' }, async () => {
    const first = await startProcess();
    first.startJobs();
    await untilLeader();
    const [leader] = await leaders();
    const second = await startProcess();
    second.startJobs();
    await delay(12_000);
    expect(await leaders()).toEqual([leader]);
    expect(lines.filter((l) => l.level >= 40)).toEqual([]);
  });

  it('is not taken by a process that stops while trying', async () => {
    for (let i = 0; i < 5; i += 1) {
      const process = await startProcess();
      process.startJobs();
      await delay(i * 3);
      await process.close();
      await untilNoLeader();
    }
    await delay(50);
    expect(lines.filter((l) => l.level >= 40)).toEqual([]);
  });

  it('returns a connection that breaks during an attempt to lead', async () => {
    let queries = 0;
    let connections: pg.Pool | undefined;
    const process = await startProcess({}, (pool) => {
      connections = pool;
      pool.on('connect', (client) => {
        client.query = (() => {
          queries += 1;
          return Promise.reject(new Error('Connection terminated unexpectedly'));
        }) as never;
      });
    });
    if (!connections) throw new Error('no connections');
    const jobs = runJobs(process.context, connections);
    await until(async () => queries > 0);
    await delay(50);
    await jobs.stop();
    expect(connections.totalCount).toBe(0);
  });

  describe('runs', () => {
    const startLeader = async (settings: Partial<Config> = {}) => {
      const config = { ...app.context.config, ...settings };
      const process = await startProcess({ config });
      process.startJobs();
      await untilLeader();
      return process;
    };
    const count = async (query: string) => (await app.pool.query(query)).rowCount ?? 0;

    it('the removal of erased data from the files of the database', async () => {
      await app.pool.query('insert into erased_leftovers (since) values (now())');
      const isRemoved = async () => (await count('select from erased_leftovers')) === 0;
      // A run that meets an older snapshot, even one of another test, leaves it to the next, a
      // minute later; a new leader begins with a run at once.
      for (let leaders = 0; leaders < 5 && !(await isRemoved()); leaders += 1) {
        const leader = await startLeader();
        await until(isRemoved).catch(() => undefined);
        await leader.close();
      }
      expect(await isRemoved()).toBe(true);
    });

    it('the sealing of the audit log', async () => {
      await signInAdmin(app);
      const unsealed = 'select from audit_entries where number is null';
      expect(await count(unsealed)).toBe(1);
      await startLeader();
      await until(async () => (await count(unsealed)) === 0);
    });

    it('the mail with the head of the audit log, if it has a recipient', async () => {
      await signInAdmin(app);
      await sealAudit(app.context);
      const mails = "select from outbox where recipient = 'auditor@example.org'";
      await startLeader({ auditHeadEmail: 'auditor@example.org' });
      await until(async () => (await count(mails)) === 1);
    });
  });
});
