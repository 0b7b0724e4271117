import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort, HttpPerson, postmasterPid, START } from '@invigil/testkit/running-server';
import {
  eventually,
  isRunning,
  setUpDatabases,
  started,
  workFolder,
} from '@invigil/testkit/supervised-postgres';
import { afterEach, describe, expect, it } from 'vitest';

interface Run {
  child: ChildProcess;
  /** Standard output and standard error, by line. */
  out: string[];
  err: string[];
  /** The exit code, or the signal that ended the process. */
  exit(): Promise<number | string>;
}

const runs: Run[] = [];
const dataFolder = setUpDatabases();
afterEach(async () => {
  for (const { child, exit } of runs.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exit();
  }
});

/** `npm start` without the web app, which takes seconds to build and has its own test. */
function run(env: Record<string, string>, ...more: string[]): Run {
  const child = spawn(process.execPath, [START, '--without-web', ...more], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'close');
  const collected = (stream: NodeJS.ReadableStream) => {
    const lines: string[] = [];
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter((line) => line !== ''));
    });
    return lines;
  };
  const result: Run = {
    child,
    out: collected(child.stdout),
    err: collected(child.stderr),
    exit: async () => {
      const [code, signal] = await ended;
      return code ?? signal;
    },
  };
  runs.push(result);
  return result;
}

/** The same, when it is ready. */
async function start(...settings: Parameters<typeof run>): Promise<Run> {
  const app = run(...settings);
  await eventually(() => app.out.some((line) => line.startsWith('Invigil is ready')), 60_000);
  return app;
}

const port = async () => String(await freePort());

describe('a start that is refused', () => {
  it('reports every problem of the settings, and creates nothing', async () => {
    const dataDir = join(workFolder(), 'data');
    const app = run({ DATA_DIR: dataDir, PORT: 'x', TIME_ZONE: 'y' });
    expect(await app.exit()).toBe(1);
    expect(app.err).toEqual([
      expect.stringMatching(/^PORT must be/),
      expect.stringMatching(/^TIME_ZONE must be/),
    ]);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('names the port in use and how to select another, before the database starts', {
    tags: 'long',
  }, async () => {
    const taken = await freePort();
    const server = createServer().listen(taken, '127.0.0.1');
    await once(server, 'listening');
    const dataDir = join(workFolder(), 'data');
    const app = run({ DATA_DIR: dataDir, PORT: String(taken) });
    expect(await app.exit()).toBe(1);
    server.close();
    expect(app.err).toEqual([
      `Port ${taken} on 127.0.0.1 is already in use. Use another one: PORT=${taken + 1} npm start`,
    ]);
    expect(readdirSync(dataDir)).not.toContain('postgres-18');
  });

  it('reports that Invigil is already running there, and leaves the first alone', {
    tags: 'long',
  }, async () => {
    const env = { DATA_DIR: dataFolder(), PORT: await port() };
    const first = await start(env);
    const second = run(env);
    expect(await second.exit()).toBe(1);
    expect(second.err).toEqual([
      `Invigil is already running on ${env.DATA_DIR} (process ${first.child.pid}). Stop it first, or use another DATA_DIR.`,
    ]);
    expect((await fetch(`http://localhost:${env.PORT}/readyz`)).status).toBe(200);
  });

  it('reports what is wrong with the database of DATABASE_URL', { tags: 'long' }, async () => {
    const server = await started(dataFolder());
    const app = run({
      DATA_DIR: join(workFolder(), 'data'),
      PORT: await port(),
      DATABASE_URL: `postgresql://nobody@localhost/invigil?host=${server.connection.host}`,
      SECRET_KEY: 'k'.repeat(32),
    });
    expect(await app.exit()).toBe(1);
    expect(app.err).toEqual([
      'The database of DATABASE_URL cannot be used: role "nobody" does not exist',
    ]);
  });

  it('requires a newer Node', { tags: 'long' }, async () => {
    const code = `
      Object.defineProperty(process.versions, 'node', { value: '20.19.0' });
      await import(${JSON.stringify(START)});`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code]);
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    const [status] = await once(child, 'close');
    expect(status).toBe(1);
    expect(text).toMatch(/^Invigil needs Node 24 .*"npm ci".*"npm start"\.\n$/);
  });
});

describe('a start', () => {
  it('prints the address and the first password once, and stops in order on SIGTERM', {
    tags: 'long',
  }, async () => {
    const env = { DATA_DIR: join(workFolder(), 'data'), PORT: await port() };
    const first = await start(env);
    await eventually(() => first.out.some((line) => line.startsWith('password: ')));
    expect(first.out).toEqual([
      `Invigil is ready at http://localhost:${env.PORT}`,
      'First administrator: admin@localhost.localdomain',
      expect.stringMatching(/^password: \S{12,}$/),
    ]);
    const pid = postmasterPid(env.DATA_DIR) ?? 0;
    first.child.kill('SIGTERM');
    expect(await first.exit()).toBe(0);
    expect(isRunning(pid)).toBe(false);

    const second = await start(env);
    second.child.kill('SIGTERM');
    expect(await second.exit()).toBe(0);
    expect(second.out.filter((line) => line.includes('password'))).toEqual([]);
  });

  it('prints a file name instead of the password where systemd would store its output', {
    tags: 'long',
  }, async () => {
    const env = { DATA_DIR: dataFolder(), PORT: await port() };
    const journal = join(workFolder(), 'journal');
    const output = openSync(journal, 'a');
    const { dev, ino } = fstatSync(output);
    const child = spawn(process.execPath, [START, '--without-web'], {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...env, JOURNAL_STREAM: `${dev}:${ino}` },
      stdio: ['ignore', output, 'inherit'],
    });
    const printed = () => readFileSync(journal, 'utf8');
    const path = join(env.DATA_DIR, 'first-password');
    try {
      await eventually(() => printed().includes('signs in.\n'), 60_000);
      const password = readFileSync(path, 'utf8').trim();
      expect(password).toMatch(/^\S{12,}$/);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(printed()).toContain(`Its password is in ${path}, `);
      expect(printed()).not.toContain(password);
      const admin = new HttpPerson(`http://localhost:${env.PORT}`);
      await admin.signIn('admin@localhost.localdomain', password);
      await eventually(() => !existsSync(path));
    } finally {
      closeSync(output);
      child.kill('SIGTERM');
      await once(child, 'close');
    }
  });

  it('prints the password to a program that reads it, also below a service of systemd', {
    tags: 'long',
  }, async () => {
    const env = { DATA_DIR: dataFolder(), PORT: await port(), JOURNAL_STREAM: '8:12345' };
    const app = await start({ ...env, INVOCATION_ID: 'of the service' });
    await eventually(() => app.out.some((line) => line.startsWith('password: ')));
    expect(existsSync(join(env.DATA_DIR, 'first-password'))).toBe(false);
  });

  it('with --demo fills an empty database, prints its sign-ins, and refuses a second time', {
    tags: 'long',
  }, async () => {
    const env = { DATA_DIR: dataFolder(), PORT: await port() };
    const first = await start(env, '--demo');
    await eventually(() => first.out.some((line) => line.startsWith('one-time password: ')));
    expect(first.out).toEqual([
      `Invigil is ready at http://localhost:${env.PORT}`,
      'First administrator: admin@localhost.localdomain',
      expect.stringMatching(/^password: \S{12,}$/),
      expect.stringMatching(/^Demonstration: 5 assessments, \d+ people, \d+ attempts$/),
      expect.stringMatching(/^Candidate for \D+: \S+@example\.org$/),
      expect.stringMatching(/^one-time password: (\w{5}-){2}\w{5}$/),
    ]);
    first.child.kill('SIGTERM');
    expect(await first.exit()).toBe(0);

    const second = run(env, '--demo');
    expect(await second.exit()).toBe(1);
    expect(second.err).toEqual([expect.stringMatching(/^The database is not empty/)]);
    expect(second.out).toEqual([]);
  });

  it('stops in order on Ctrl-C, which npm passes on a second time', { tags: 'long' }, async () => {
    const env = { DATA_DIR: dataFolder(), PORT: await port() };
    const app = await start(env);
    const group = -app.child.pid!;
    process.kill(group, 'SIGINT');
    process.kill(group, 'SIGINT');
    expect(await app.exit()).toBe(0);
    expect(postmasterPid(env.DATA_DIR)).toBeUndefined();
  });

  it('that is interrupted leaves nothing running', { tags: 'long' }, async () => {
    const dataDir = dataFolder();
    const app = run({ DATA_DIR: dataDir, PORT: await port() });
    await eventually(() => postmasterPid(dataDir));
    app.child.kill('SIGTERM');
    expect(await app.exit()).toBe(0);
    expect(postmasterPid(dataDir)).toBeUndefined();
  });

  it('recovers from kill -9 at the next start', { tags: 'long' }, async () => {
    const env = { DATA_DIR: dataFolder(), PORT: await port() };
    const first = await start(env);
    first.child.kill('SIGKILL');
    expect(await first.exit()).toBe('SIGKILL');
    await start(env);
    expect((await fetch(`http://localhost:${env.PORT}/readyz`)).status).toBe(200);
  });

  it('uses the database of DATABASE_URL and starts no other', { tags: 'long' }, async () => {
    const server = await started(dataFolder());
    const env = {
      DATA_DIR: join(workFolder(), 'data'),
      PORT: await port(),
      DATABASE_URL: `postgresql://invigil@localhost/invigil?host=${server.connection.host}`,
      SECRET_KEY: 'k'.repeat(32),
    };
    const app = await start(env);
    // This file names the head of the log, whose first entry is the start of the seals.
    await expect.poll(() => readdirSync(env.DATA_DIR)).toEqual(['trust.json']);
    app.child.kill('SIGTERM');
    expect(await app.exit()).toBe(0);
  });
});
