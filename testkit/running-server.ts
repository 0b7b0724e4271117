import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processesWorkingIn } from '../server/src/db/embedded-postgres/process-table.ts';
import { ADMIN, HttpPerson } from './http-person.ts';
import { inviteBy, type MadeQuiz, makeQuizBy } from './made-quiz.ts';

export { ADMIN, HttpPerson };

/** The script that `npm start` and the commands run. */
export const START = fileURLToPath(new URL('../server/start.mjs', import.meta.url));
const READY_WITHIN_MS = 120_000;

export interface ServerOptions {
  env?: Record<string, string>;
  /** Arguments of Node itself, before the script. */
  nodeArgs?: string[];
  /** Arguments of the server, such as `--demo`. */
  args?: string[];
  /** Serve the web app as well: builds it when its sources changed. */
  web?: boolean;
  dataDir?: string;
  port?: number;
}

/** A server started as `npm start` starts it, in a separate process. */
export interface RunningServer {
  url: string;
  port: number;
  dataDir: string;
  pid: number;
  /** The end of its output so far. */
  output(): string;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
  /** Sends a signal to every process of its embedded database. */
  signalDatabase(signal: NodeJS.Signals): void;
  /** SIGKILL to the server and its database at once, as in a power cut. */
  kill(): Promise<void>;
  removeData(): void;
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'invigil-server-'));
  const port = options.port ?? (await freePort());
  const child = spawn(
    process.execPath,
    [
      ...(options.nodeArgs ?? []),
      START,
      ...(options.web ? [] : ['--without-web']),
      ...(options.args ?? []),
    ],
    {
      env: {
        PATH: process.env.PATH,
        LOG_LEVEL: 'warn',
        TIME_ZONE: 'Europe/Berlin',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        ...options.env,
        PORT: String(port),
        DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const output = await untilReady(child);
  return {
    url: `http://localhost:${port}`,
    port,
    dataDir,
    pid: child.pid ?? 0,
    output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
    signalDatabase(signal) {
      for (const { pid } of processesWorkingIn(join(dataDir, 'postgres-18'))) {
        process.kill(pid, signal);
      }
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const postmaster = postmasterPid(dataDir);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL');
      await exited;
    },
    removeData: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** Runs a command of the server with these settings, and types something: its exit code and its output. */
export function runCommand(
  env: Record<string, string>,
  args: string[],
  typed = '',
): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env } };
    const child = execFile(process.execPath, [START, ...args], options, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + err });
    });
    child.stdin?.end(typed);
  });
}

async function untilReady(child: ChildProcess): Promise<() => string> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`not ready in time:\n${output}`)),
      READY_WITHIN_MS,
    );
    const listen = (stream: NodeJS.ReadableStream | null) =>
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-20_000);
        if (!output.includes('Invigil is ready')) return;
        clearTimeout(timer);
        resolve();
      });
    listen(child.stdout);
    listen(child.stderr);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`ended with ${code} before it was ready:\n${output}`));
    });
  });
  return () => output;
}

/** The first process of the embedded database, if it runs. */
export function postmasterPid(dataDir: string): number | undefined {
  const path = join(dataDir, 'postgres-18', 'postmaster.pid');
  return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : undefined;
}

/** Below the ports that systems give to outgoing connections, so that none of those can take it. */
const PORTS = { from: 18_000, to: 32_000 };

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Such an assessment with people invited to it, created at a running server. */
export async function inviteOverHttp(
  admin: HttpPerson,
  emails: string[],
): Promise<{ quizId: string; codes: string[]; questions: MadeQuiz['questions'] }> {
  const { id: quizId, questions } = await makeQuizBy(admin.must);
  return { quizId, codes: await inviteBy(admin.must, quizId, emails), questions };
}

/** Someone in an attempt at a running server. */
export interface Sitting {
  person: HttpPerson;
  email: string;
  code: string;
  /** The attempt's id. */
  id: string;
  questions: MadeQuiz['questions'];
}

/** An invited person signs in and starts. */
export async function sitDown(
  url: string,
  { email, code }: { email: string; code: string },
  userAgent?: string,
): Promise<Omit<Sitting, 'questions'>> {
  const person = new HttpPerson(url, userAgent);
  await person.signIn(email, code);
  const { id } = await person.must('startParticipant', { body: {} });
  return { person, email, code, id };
}

/** An administrator, and people who have started such an assessment. */
export async function beginOverHttp(
  url: string,
  people = 1,
): Promise<{ admin: HttpPerson; quizId: string; sittings: Sitting[] }> {
  const admin = new HttpPerson(url);
  await admin.signIn();
  const emails = Array.from({ length: people }, (_, i) => `c${i}@example.org`);
  const { quizId, codes, questions } = await inviteOverHttp(admin, emails);
  const begin = async (email: string, i: number) => ({
    ...(await sitDown(url, { email, code: codes[i] ?? '' })),
    questions,
  });
  return { admin, quizId, sittings: await Promise.all(emails.map(begin)) };
}
