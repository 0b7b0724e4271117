import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processesWorkingIn } from '../db/embedded-postgres/process-table.ts';

const START = fileURLToPath(new URL('../../start.mjs', import.meta.url));
const READY_WITHIN_MS = 120_000;

export interface ServerOptions {
  env?: Record<string, string>;
  /** For Node itself, before the script. */
  nodeArgs?: string[];
  /** For the server, such as `--demo`. */
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

function postmasterPid(dataDir: string): number | undefined {
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
