import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  ADMIN,
  beginOverHttp,
  HttpPerson,
  postmasterPid,
  type RunningServer,
  startServer,
} from '@invigil/testkit/running-server';
import {
  ask,
  eventually,
  isRunning,
  setUpDatabases,
  started,
} from '@invigil/testkit/supervised-postgres';
import { afterEach, describe, expect, it } from 'vitest';

const dataFolder = setUpDatabases();

/** One person in an attempt, and the administrator. */
async function sitDown({ url }: RunningServer) {
  const { admin, sittings } = await beginOverHttp(url);
  const [sitting] = sittings;
  if (!sitting) throw new Error('no one');
  return { admin, ...sitting };
}

describe('two servers on one database', () => {
  const servers: RunningServer[] = [];
  let connection: Awaited<ReturnType<typeof started>>['connection'];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      await server.kill().catch(() => undefined);
      server.removeData();
    }
  });

  async function startTwo(atOnce: boolean): Promise<[RunningServer, RunningServer]> {
    ({ connection } = await started(dataFolder(), { settings: { fsync: 'off' } }));
    const env = {
      DATABASE_URL: `postgresql://invigil@localhost/invigil?host=${connection.host}`,
      SECRET_KEY: 'k'.repeat(32),
    };
    const start = async () => {
      const server = await startServer({ env });
      servers.push(server);
      return server;
    };
    if (atOnce) return Promise.all([start(), start()]);
    const first = await start();
    // So that the first leads.
    await eventually(async () => (await leaders()) !== 'none');
    return [first, await start()];
  }
  const leaders = () =>
    ask(
      connection,
      "select coalesce(string_agg(pid::text, ','), 'none') from pg_locks where locktype = 'advisory' and objid = 7302119 and granted",
    );

  it('are set up once when started together, and share sessions and throttle', {
    tags: 'long',
  }, async () => {
    const [one, two] = await startTwo(true);
    expect(await ask(connection, 'select count(*) from admins')).toBe('1');
    const here = new HttpPerson(one.url);
    await here.signIn();
    const there = here.at(two.url);
    expect((await there.call('me')).status).toBe(200);
    await there.call('logout');
    expect((await here.call('me')).status).toBe(401);

    const body = { email: ADMIN.email, password: 'not the password' };
    const statuses: number[] = [];
    for (const server of [one, two, one, two]) {
      statuses.push((await new HttpPerson(server.url).call('login', { body })).status);
    }
    expect(statuses[0]).toBe(401);
    expect(statuses).toContain(429);
  });

  it('accept the same answers, and a new session at one ends the older at the other', async () => {
    const [one, two] = await startTwo(true);
    const { person: here, email, code, id, questions } = await sitDown(one);
    const there = here.at(two.url);
    const save = (person: HttpPerson, n: number, revision: number, option: number) =>
      person.call('saveAnswers', {
        params: { id },
        body: {
          answers: [
            {
              questionId: questions[n]?.id,
              selectedOption: questions[n]?.options[option],
              isFlagged: false,
              revision,
            },
          ],
        },
      });
    for (let revision = 1; revision <= 20; revision += 1) {
      const person = revision % 2 === 0 ? here : there;
      expect((await save(person, 0, revision, revision % 4)).status).toBe(200);
    }
    // A late save at the other process does not overwrite.
    expect((await save(there, 0, 3, 3)).body.stale).toMatchObject([{ revision: 20 }]);
    // Both have cached the session.
    const newer = new HttpPerson(two.url);
    await newer.signIn(email, code);
    expect((await save(here, 1, 1, 0)).status).toBe(401);
    expect((await save(newer, 1, 1, 0)).status).toBe(200);
    const stored = await ask(
      connection,
      'select string_agg(revision::text, $$,$$ order by revision) from answers',
    );
    expect(stored).toBe('1,20');
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'continue ending attempts after %s of the leader',
    { tags: 'long' },
    async (signal) => {
      const [one, two] = await startTwo(false);
      const leader = await leaders();
      const { admin, person: candidate, id } = await sitDown(two);
      process.kill(one.pid, signal);
      const ended = await admin.call('endParticipant', {
        params: { id },
        body: { reason: 'A test of this server' },
      });
      expect(ended.status).toBe(200);
      // Ten seconds for the browser, and at most fifteen more.
      await eventually(
        async () => (await candidate.call('me')).body.attempt?.status === 'completed',
        25_000,
      );
      expect(await leaders()).not.toContain(leader);
      if (signal === 'SIGSTOP') process.kill(one.pid, 'SIGCONT');
      expect((await fetch(`${two.url}/readyz`)).status).toBe(200);
      // It comes back without leading, and answers.
      if (signal === 'SIGSTOP') expect((await fetch(`${one.url}/readyz`)).status).toBe(200);
      expect(await leaders()).toMatch(/^\d+$/);
    },
  );
});

describe('a server whose event loop is blocked for longer than an outage', () => {
  const PRELOAD = fileURLToPath(new URL('../../../testkit/hold-event-loop.mjs', import.meta.url));
  let server: RunningServer | undefined;
  afterEach(async () => {
    await server?.kill().catch(() => undefined);
    server?.removeData();
  });

  it('is known to be up, and gives no extra minute to an attempt that came due', {
    tags: 'long',
  }, async () => {
    const { connection } = await started(dataFolder(), { settings: { fsync: 'off' } });
    server = await startServer({
      nodeArgs: ['--import', PRELOAD],
      env: {
        DATABASE_URL: `postgresql://invigil@localhost/invigil?host=${connection.host}`,
        SECRET_KEY: 'k'.repeat(32),
      },
    });
    const { admin, id } = await sitDown(server);
    // Due in ten seconds.
    await admin.call('endParticipant', {
      params: { id },
      body: { reason: 'A test of this server' },
    });
    const closeAt = () => ask(connection, 'select close_at::text from participants');
    const due = await closeAt();

    process.kill(server.pid, 'SIGUSR2');
    await delay(13_000);
    const isHeld = fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(500) });
    await expect(isHeld).rejects.toThrow();
    const silentSeconds = await ask(
      connection,
      'select extract(epoch from clock_timestamp() - alive_at) from liveness',
    );
    expect(Number(silentSeconds)).toBeLessThan(9);

    const status = () => ask(connection, 'select status from participants');
    await eventually(async () => (await status()) === 'completed');
    expect(await closeAt()).toBe(due);
  });
});

describe('WEB_CONCURRENCY=2', () => {
  let server: RunningServer;
  afterEach(async () => {
    await server.kill();
  });

  async function startTwoProcesses() {
    // No administrator is configured, unlike in the other tests: the new one's password is printed.
    const env = { LOG_LEVEL: 'fatal', WEB_CONCURRENCY: '2', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' };
    server = await startServer({ dataDir: dataFolder(), env });
    const { pid, url, dataDir } = server;
    await eventually(() => server.output().includes('password: '));
    const serving = () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
        .split(' ')
        .filter((text) => text !== '' && commandOf(text).includes('start.mjs'))
        .map(Number);
    return { url, serving, postmaster: postmasterPid(dataDir) ?? 0 };
  }

  it('serves from two processes on the embedded database, and stops in order', {
    tags: 'long',
  }, async () => {
    const { url, serving, postmaster } = await startTwoProcesses();
    expect(server.output().split('\n')).toEqual([
      expect.stringMatching(/^Invigil is ready at/),
      'First administrator: admin@localhost.localdomain',
      expect.stringMatching(/^password: \S{12,}$/),
      '',
    ]);
    const before = serving();
    expect(before).toHaveLength(2);
    // Whichever of them answers reports the metrics of both.
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^invigil_processes 2$/m);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    for (const pid of [...before, postmaster]) expect(isRunning(pid)).toBe(false);
  });

  it('replaces a killed process, and keeps serving', { tags: 'long' }, async () => {
    const { url, serving } = await startTwoProcesses();
    const [victim = 0, other] = serving();
    const answered = async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(/^invigil_responses_total\{class="4xx"\} (\d+)$/m.exec(text)?.[1]);
    };
    for (let i = 0; i < 40; i += 1) {
      await fetch(`${url}/api/quizzes`, { headers: { connection: 'close' } });
    }
    expect(await answered()).toBe(40);
    process.kill(victim, 'SIGKILL');
    await eventually(() => !isRunning(victim));
    // A connection that the kernel had given to the dying one may be reset; the next try succeeds.
    const ask = () => fetch(`${url}/readyz`).catch(() => undefined);
    await eventually(async () => (await ask())?.status === 200);
    await eventually(() => serving().length === 2);
    expect(serving()).not.toContain(victim);
    expect(serving()).toContain(other);
    // A count that falls would look like a counter reset.
    expect(await answered()).toBe(40);
  });

  it('kills and replaces one that hangs, whose connections no one would answer', {
    tags: 'long',
  }, async () => {
    const { url, serving } = await startTwoProcesses();
    const [victim = 0, other] = serving();
    // One that is only slow is left alone.
    process.kill(victim, 'SIGSTOP');
    await delay(3_000);
    process.kill(victim, 'SIGCONT');
    await delay(2_000);
    expect(serving()).toEqual([victim, other]);

    process.kill(victim, 'SIGSTOP');
    await eventually(() => !isRunning(victim));
    await eventually(() => serving().length === 2);
    expect(serving()).toContain(other);
    for (let i = 0; i < 20; i += 1) {
      const headers = { connection: 'close' };
      const asked = fetch(`${url}/readyz`, { headers, signal: AbortSignal.timeout(10_000) });
      expect((await asked).status).toBe(200);
    }
  });

  it('leaves nothing running when the parent is killed', { tags: 'long' }, async () => {
    const { serving, postmaster } = await startTwoProcesses();
    const before = serving();
    process.kill(server.pid, 'SIGKILL');
    await eventually(() => [...before, postmaster].every((pid) => !isRunning(pid)));
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
