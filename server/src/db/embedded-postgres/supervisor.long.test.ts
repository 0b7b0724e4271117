import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  eventually,
  isRunning,
  nodeProcess,
  pathWhereFail,
  QUICK,
  recordedLog,
  setUpDatabases,
  started,
  workFolder,
} from '@invigil/testkit/supervised-postgres';
import { beforeEach, describe, expect, it } from 'vitest';
import { StartProblem } from '../../runtime/app-error.ts';

const dataFolder = setUpDatabases();

const lockFile = (dataDir: string) => join(dataDir, 'postgres-18', 'postmaster.pid');

/** A process unrelated to PostgreSQL. */
function stranger(): { pid: number; end(): void } {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  return { pid: child.pid ?? 0, end: () => child.kill('SIGKILL') };
}

describe('a start that is refused', () => {
  it('reports that Invigil is already running there, with the process', async () => {
    const dataDir = dataFolder();
    await started(dataDir);
    await expect(started(dataDir)).rejects.toThrow(
      `Invigil is already running on ${dataDir} (process ${process.pid}).`,
    );
  });

  it('lets one of two concurrent starts succeed', async () => {
    const dataDir = join(workFolder(), 'data');
    const code = `
      try { const server = await start(process.env.DIR); console.log('won'); setInterval(() => {}, 1000); }
      catch (error) { console.log(error.name, error.message); }`;
    const [first, second] = [1, 2].map(() => nodeProcess(code, { env: { DIR: dataDir } }));
    const said = () => [...first!.said, ...second!.said];
    await eventually(() => said().length >= 2);
    expect(said().filter((line) => line === 'won')).toHaveLength(1);
    expect(
      said().filter((line) => line.startsWith('StartProblem Invigil is already running')),
    ).toHaveLength(1);
  });

  it('reports the reason from the log of the server', async () => {
    const settings = { ...QUICK, shared_buffers: 'plenty' };
    await expect(started(dataFolder(), { settings })).rejects.toThrow(
      /^The database does not start: invalid value for parameter "shared_buffers".*postgres\.log$/,
    );
  });

  it('creates no empty database beside one of another major version', async () => {
    const dataDir = workFolder();
    mkdirSync(join(dataDir, 'postgres-17'));
    await expect(started(dataDir)).rejects.toThrow(/postgres-17.*docs\/operating\.md/);
    expect(existsSync(join(dataDir, 'postgres-18'))).toBe(false);
  });

  it('names the file in the way when the data folder is a file', async () => {
    const file = join(workFolder(), 'data');
    writeFileSync(file, '');
    await expect(started(file)).rejects.toThrow(StartProblem);
  });

  it('stops when aborted, and leaves no process', async () => {
    const abort = new AbortController();
    const dataDir = dataFolder();
    const start = started(dataDir, { signal: abort.signal });
    start.catch(() => undefined);
    await eventually(() => existsSync(lockFile(dataDir)) || null).then(() => abort.abort());
    await start.then(
      (server) => server.stop(),
      (error) => expect(error).toHaveProperty('name', 'AbortError'),
    );
    expect(existsSync(lockFile(dataDir))).toBe(false);
  });
});

describe('a start', () => {
  it('creates a durable database that only a private socket reaches', async () => {
    const dataDir = join(workFolder(), 'data');
    const server = await started(dataDir, { settings: {} });
    const show = (name: string) => ask(server.connection, `show ${name}`);
    expect(await show('fsync')).toBe('on');
    expect(await show('synchronous_commit')).toBe('on');
    expect(await show('data_checksums')).toBe('on');
    expect(await show('listen_addresses')).toBe('');
    expect(await show('server_encoding')).toBe('UTF8');
    expect(await ask(server.connection, 'select datcollate from pg_database')).toBe('C');
    expect(await show('TimeZone')).toBe('UTC');
    expect(await show('jit')).toBe('off');
    expect(server.version).toMatch(/^18\.\d+$/);
    expect(await ask(server.connection, 'select usesuper from pg_user where usename = user')).toBe(
      'false',
    );
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres-18')).mode & 0o777).toBe(0o700);
    expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it('finds what the earlier start stored', async () => {
    const dataDir = dataFolder();
    const first = await started(dataDir);
    await ask(first.connection, 'create table kept as select 42 as answer');
    await first.stop();
    await first.exited;
    const second = await started(dataDir);
    expect(await ask(second.connection, 'select answer from kept')).toBe('42');
    expect(await ask(second.connection, 'select 1')).toBe('1');
  });

  it('removes what an interrupted first start left', async () => {
    const dataDir = dataFolder();
    mkdirSync(join(dataDir, 'postgres-18.new-4711', 'base'), { recursive: true });
    await started(dataDir);
    expect(existsSync(join(dataDir, 'postgres-18.new-4711'))).toBe(false);
  });

  it('works where the path is too long for a socket', async () => {
    const dataDir = join(workFolder(), 'a-long-name-'.repeat(10), 'data');
    const server = await started(dataDir);
    expect(Buffer.byteLength(server.connection.host)).toBeLessThan(90);
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700);
    expect(await ask(server.connection, 'select 1')).toBe('1');
  });

  it('works below private folders with blanks and commas in their names', async () => {
    const dataDir = join(workFolder(), 'Prüfung, "two" \\ 3', 'data');
    mkdirSync(join(dataDir, '..'), { mode: 0o700 });
    const server = await started(dataDir);
    expect(await ask(server.connection, 'select 1')).toBe('1');
  });
});

describe('the lock file of an earlier server', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = dataFolder();
  });

  it.each([
    ['is empty', () => ''],
    ['is cut short', () => '12'],
    ['names a process that is gone', (dir: string) => lockText(4_194_303, dir)],
    ['names a reused process number', (dir: string, pid: number) => lockText(pid, dir)],
  ])('does not block a start when it %s', async (_case, text) => {
    const other = stranger();
    try {
      writeFileSync(lockFile(dataDir), text(join(dataDir, 'postgres-18'), other.pid));
      writeFileSync(join(runFolder(), '.s.PGSQL.5432.lock'), `${other.pid}\n`);
      const server = await started(dataDir);
      expect(await ask(server.connection, 'select 1')).toBe('1');
      expect(isRunning(other.pid)).toBe(true);
    } finally {
      other.end();
    }
  });

  it.runIf(process.platform === 'linux')(
    'does not block when its process is a zombie',
    async () => {
      // The first ends soon, and the shell, by then `sleep 60`, never reaps it. Had it ended
      // before, the shell would have reaped it.
      const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60']);
      try {
        const pid = await new Promise<number>((found) => {
          parent.stdout.once('data', (text) => found(Number(String(text))));
        });
        await eventually(() => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
        writeFileSync(lockFile(dataDir), lockText(pid, join(dataDir, 'postgres-18')));
        const server = await started(dataDir);
        expect(await ask(server.connection, 'select 1')).toBe('1');
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  function runFolder(): string {
    mkdirSync(join(dataDir, 'run'), { recursive: true, mode: 0o700 });
    return join(dataDir, 'run');
  }

  function lockText(pid: number, cluster: string): string {
    return `${pid}\n${cluster}\n${Math.round(Date.now() / 1000)}\n5432\n${cluster}/../run\n\n`;
  }
});

describe('a killed process', () => {
  const hold = `
    const server = await start(process.env.DIR);
    console.log(server.pid);
    setInterval(() => {}, 1000);`;

  it.runIf(process.platform === 'linux')('of ours stops the database in order', async () => {
    const dataDir = dataFolder();
    const app = nodeProcess(hold, { env: { DIR: dataDir } });
    const pid = Number(await eventually(() => app.said[0]));
    app.kill('SIGKILL');
    // The database gets its signal shortly before our process is gone, and its lock with it.
    await eventually(() => app.signalCode !== null);
    await eventually(() => !isRunning(pid));
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8').trim()).toMatch(
      /database system is shut down$/,
    );
    const server = await started(dataDir);
    expect(await ask(server.connection, 'select 1')).toBe('1');
  });

  it('of ours that leaves its database running does not block the next start', async () => {
    const dataDir = dataFolder();
    const env = { DIR: dataDir, PATH: pathWhereFail('setpriv') };
    const app = nodeProcess(hold, { env });
    const pid = Number(await eventually(() => app.said[0]));
    app.kill('SIGKILL');
    await eventually(() => app.signalCode !== null);
    expect(isRunning(pid)).toBe(true);
    const log = recordedLog();
    const server = await started(dataDir, { log });
    expect(log.lines.join()).toContain('PostgreSQL of an earlier start is still running');
    expect(isRunning(pid)).toBe(false);
    expect(await ask(server.connection, 'select 1')).toBe('1');
  });

  it('of the database is replaced, and the same connection settings reach the new one', async () => {
    const log = recordedLog();
    const server = await started(dataFolder(), { log });
    await ask(server.connection, 'create table kept as select 42 as answer');
    const pid = server.pid!;
    process.kill(pid, 'SIGKILL');
    await eventually(() => server.pid !== null && server.pid !== pid);
    expect(await ask(server.connection, 'select answer from kept')).toBe('42');
    expect(log.lines.join()).toContain('PostgreSQL ended unexpectedly; restarting it');
  });

  it('of the database is not replaced after a stop', async () => {
    const dataDir = dataFolder();
    const server = await started(dataDir);
    process.kill(server.pid!, 'SIGKILL');
    await server.stop();
    await server.exited;
    expect(server.pid).toBeNull();
    const next = await started(dataDir);
    expect(await ask(next.connection, 'select 1')).toBe('1');
  });
});

it('keeps serving after Ctrl-C until it is stopped', async () => {
  const dataDir = dataFolder();
  const app = nodeProcess(
    `
    import { setTimeout as delay } from 'node:timers/promises';
    import pg from ${JSON.stringify(import.meta.resolve('pg'))};
    const server = await start(process.env.DIR);
    process.once('SIGINT', async () => {
      await delay(300);
      const client = new pg.Client(server.connection);
      await client.connect();
      const { rows } = await client.query('select 42 as answer');
      console.log('answer ' + rows[0].answer);
      await client.end();
      await server.stop();
      console.log('stopped');
      process.exit(0);
    });
    console.log('up');
    setInterval(() => {}, 1000);`,
    { env: { DIR: dataDir }, detached: true },
  );
  await eventually(() => app.said.includes('up'));
  // The signal goes to every process of the group, as from a terminal.
  process.kill(-app.pid!, 'SIGINT');
  await eventually(() => app.exitCode !== null);
  expect(app.said).toEqual(['up', 'answer 42', 'stopped']);
});
