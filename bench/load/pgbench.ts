import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunningPostgres } from '../running-postgres.ts';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('./upsert.sql', import.meta.url));
/** More than a client saves in one run, so that each run starts with newer revisions. */
const REVISIONS_PER_RUN = 1_000_000;

export interface PgbenchRun {
  /** Measured once all connections are open. */
  perSecond: number;
  requests: number;
  meanMs: number;
}

/** PostgreSQL's load generator: the upper bound of one statement per save, without HTTP or rules. */
export interface Pgbench {
  version: string;
  /** `seconds` include opening the connections. */
  run(clients: number, seconds: number): Promise<PgbenchRun>;
  /** Each client saves `times` times; once is little more than opening the connections. */
  saveEach(clients: number, times: number): Promise<void>;
}

/** Creates pgbench's table on the app's database server; `undefined` without pgbench. */
export async function openPgbench(
  postgres: RunningPostgres,
  questions: number,
): Promise<Pgbench | undefined> {
  const version = await pgbench('--version').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (version === undefined) return undefined;
  await postgres.query('create schema bench');
  await postgres.query(
    'create table bench.answers (like public.answers including constraints including indexes)',
  );
  const { host, port, user, database } = postgres.connection;
  const where = ['-h', host, '-p', String(port), '-U', user];
  let runs = 0;
  const save = (clients: number, ...howLong: string[]) => {
    const revision = runs * REVISIONS_PER_RUN;
    runs += 1;
    return pgbench(
      ...[...where, '-n', '-M', 'prepared', '-f', SCRIPT, ...howLong],
      ...['-c', String(clients), '-j', String(availableParallelism())],
      ...['-D', `questions=${questions}`, '-D', `revision=${revision}`],
      database,
    );
  };
  return {
    version: /[\d.]+/.exec(version)?.[0] ?? version.trim(),
    async run(clients, seconds) {
      const output = await save(clients, '-T', String(seconds));
      return {
        perSecond: figure(output, /^tps = ([\d.]+)/m),
        requests: figure(output, /^number of transactions actually processed: (\d+)/m),
        meanMs: figure(output, /^latency average = ([\d.]+) ms/m),
      };
    },
    async saveEach(clients, times) {
      await save(clients, '-t', String(times));
    },
  };
}

/** Runs without the caller's PostgreSQL settings, with English output. */
async function pgbench(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const { stdout } = await run('pgbench', args, { env });
  return stdout;
}

function figure(output: string, pattern: RegExp): number {
  const text = pattern.exec(output)?.[1];
  if (text === undefined) throw new Error(`pgbench did not print ${pattern}:\n${output}`);
  return Number(text);
}
