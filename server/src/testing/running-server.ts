import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('../../start.mjs', import.meta.url));
const READY_WITHIN_MS = 120_000;

export interface ServerOptions {
  env?: Record<string, string>;
  /** For Node itself, before the script. */
  nodeArgs?: string[];
  /** Serve the web app as well: builds it when its sources changed. */
  web?: boolean;
  dataDir?: string;
  port?: number;
}

/** A server started as `npm start` starts it, in a process of its own. */
export interface RunningServer {
  url: string;
  port: number;
  dataDir: string;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL to the server and to its database at once, as a power cut or an operator's panic. */
  kill(): Promise<void>;
  removeData(): void;
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'invigil-server-'));
  const port = options.port ?? (await freePort());
  const child = spawn(
    process.execPath,
    [...(options.nodeArgs ?? []), START, ...(options.web ? [] : ['--without-web'])],
    {
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'warn',
        TIME_ZONE: 'Europe/Berlin',
        ...options.env,
        PORT: String(port),
        DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  await untilReady(child);
  return {
    url: `http://localhost:${port}`,
    port,
    dataDir,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
    async kill() {
      const postmaster = postmasterPid(dataDir);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL');
      await exited;
    },
    removeData: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
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
}

function postmasterPid(dataDir: string): number | undefined {
  const line = readFileSync(join(dataDir, 'postgres-18', 'postmaster.pid'), 'utf8').split(
    '\n',
    1,
  )[0];
  return line === undefined ? undefined : Number(line);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
