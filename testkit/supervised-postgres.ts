import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  inspectProcess,
  processesWorkingIn,
} from '../server/src/db/embedded-postgres/process-table.ts';
import type { Connection } from '../server/src/db/embedded-postgres/roles.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../server/src/db/embedded-postgres/supervisor.ts';

/**
 * Servers, processes and folders of a test of the supervisor, and their cleanup. Every test gets real
 * processes in its own folder; `cleanUp` after each leaves nothing behind.
 */
const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
const folders: string[] = [];

/** Settings for tests only: no waiting for the disk. */
export const QUICK = { fsync: 'off', shared_buffers: '16MB', max_connections: '20' };

/** The supervisor's log, one line per call. */
export function recordedLog() {
  const lines: string[] = [];
  const add = (...args: unknown[]) => {
    lines.push(args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' '));
  };
  return { lines, info: add, warn: add, error: add };
}

/** A new folder that only we can enter. */
export function workFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'invigil-test-')));
  folders.push(folder);
  return folder;
}

/** Starts a server that `cleanUp` stops. */
export async function started(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    dataDir,
    log: recordedLog(),
    settings: QUICK,
    ...options,
  });
  servers.push(server);
  return server;
}

/**
 * Gives the tests of a file copies of a data folder whose database was shut down in order, which are quick
 * to make. Everything that a test creates is removed after it.
 */
export function setUpDatabases(): () => string {
  let template: string;
  beforeAll(async () => {
    template = realpathSync(mkdtempSync(join(tmpdir(), 'invigil-template-')));
    const log = recordedLog();
    const server = await startEmbeddedPostgres({ dataDir: template, log, settings: QUICK });
    await server.stop();
  });
  afterEach(cleanUp);
  afterAll(() => rmSync(template, { recursive: true, force: true }));
  return () => {
    const dataDir = join(workFolder(), 'data');
    cpSync(template, dataDir, { recursive: true });
    return dataDir;
  };
}

/** Runs one statement on a connection of its own. */
export async function ask(connection: Connection, sql: string): Promise<string> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return String(Object.values(rows[0] ?? {})[0]);
  } finally {
    await client.end();
  }
}

/** A separate Node process that runs `code` with `startEmbeddedPostgres` available. */
export function nodeProcess(
  code: string,
  { env = {}, detached = false }: { env?: Record<string, string>; detached?: boolean } = {},
): ChildProcess & { said: string[] } {
  const supervisor = new URL('../server/src/db/embedded-postgres/supervisor.ts', import.meta.url)
    .href;
  const prelude = `
    import { startEmbeddedPostgres } from ${JSON.stringify(supervisor)};
    const log = { info() {}, warn() {}, error() {} };
    const settings = ${JSON.stringify(QUICK)};
    const start = (dataDir) => startEmbeddedPostgres({ dataDir, log, settings });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', prelude + code], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  children.push(child);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said.push(...text.split('\n').filter((line) => line !== ''));
    });
  }
  return Object.assign(child, { said });
}

/** A PATH on which the named programs fail, as where the system refuses their requests. */
export function pathWhereFail(...programs: string[]): string {
  const folder = join(workFolder(), 'bin');
  mkdirSync(folder);
  for (const program of programs) {
    writeFileSync(join(folder, program), '#!/bin/sh\nexit 1\n');
    chmodSync(join(folder, program), 0o755);
  }
  // Another user must be able to find them, too.
  chmodSync(join(folder, '..'), 0o755);
  return `${folder}${delimiter}${process.env.PATH ?? ''}`;
}

/** Waits until `check` returns something other than false, null or undefined. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  withinMs = 30_000,
): Promise<NonNullable<T>> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await check();
    if (found !== false && found !== null && found !== undefined) return found;
    if (performance.now() > until) throw new Error(`not so within ${withinMs} ms: ${check}`);
    await delay(20);
  }
}

/** A zombie does not count: its parent, perhaps the test itself, has not reaped it yet. */
export function isRunning(pid: number): boolean {
  return inspectProcess(pid) !== null;
}

/** Ends and removes everything that a test created. */
export async function cleanUp(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await eventually(() => child.exitCode !== null || child.signalCode !== null);
  }
  for (const folder of folders.splice(0)) {
    // The database of a killed process is shutting down, and writes until it ends.
    await eventually(() =>
      databasesBelow(folder).every((path) => !processesWorkingIn(path).length),
    );
    rmSync(folder, { recursive: true, force: true });
  }
}

function databasesBelow(folder: string): string[] {
  return ['.', 'data', ...readdirSync(folder)].map((name) => join(folder, name, 'postgres-18'));
}
