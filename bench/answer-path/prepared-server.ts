import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerOptions, startServer } from '../../server/src/testing/running-server.ts';
import { startSmtpSink } from '../../server/src/testing/smtp-sink.ts';
import { type Disk, describeDisk } from '../machine.ts';
import { openPostgres, postmasterFile, type RunningPostgres } from '../running-postgres.ts';
import { findChild } from './processor-time.ts';
import { ADMIN, type Seat, seatCandidates } from './seat-candidates.ts';

/** In the checkout, because the system's folder for temporary files is often in memory. */
const DATA = fileURLToPath(new URL('../data/', import.meta.url));

/** What the server itself takes of the database's connections, generously. */
const OWN_CONNECTIONS = 64;

/** A server as `npm start` starts it, with everybody in the middle of the test. */
export interface PreparedServer extends AsyncDisposable {
  url: string;
  port: number;
  seats: Seat[];
  postgres: RunningPostgres;
  disk: Disk;
  /** Process ids; zeros where there is no /proc to measure them by. */
  processes: { app: number; postmaster: number };
}

/**
 * Starts the real server on a new database with its default, durable settings, and seats the
 * candidates through its interface. The one setting that differs is `max_connections`, because
 * pgbench opens one for each of its clients; it needs a second start.
 */
export async function prepareServer(wanted: {
  candidates: number;
  questions: number;
}): Promise<PreparedServer> {
  mkdirSync(DATA, { recursive: true });
  const dataDir = mkdtempSync(join(DATA, 'answer-path-'));
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const disk = describeDisk(dataDir);
  const sink = await startSmtpSink();
  undo.defer(() => sink.close());
  const options: ServerOptions = {
    dataDir,
    env: {
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      SMTP_ALLOWED_HOSTS: '127.0.0.1',
      SMTP_URL: `smtp://u:p@127.0.0.1:${sink.port}?from=exams@example.org`,
    },
    // Such as `--cpu-prof --cpu-prof-dir=/tmp/profile`, to see where the time goes.
    nodeArgs: (process.env.BENCH_SERVER_NODE_ARGS ?? '').split(' ').filter(Boolean),
  };

  const first = await startServer({ ...options, nodeArgs: [] });
  try {
    const { postgres, end } = await openPostgres(dataDir);
    await postgres.query(
      `alter system set max_connections = ${wanted.candidates + OWN_CONNECTIONS}`,
    );
    await end();
  } finally {
    await first.stop();
  }
  const server = await startServer(options);
  undo.defer(async () => void (await server.stop()));
  const { postgres, end } = await openPostgres(dataDir);
  undo.defer(end);
  const seats = await seatCandidates({ url: server.url, sink, ...wanted });

  const linux = process.platform === 'linux';
  const processes = linux
    ? { app: findChild('start.mjs'), postmaster: postmasterFile(dataDir).pid }
    : { app: 0, postmaster: 0 };
  const kept = undo.move();
  return {
    url: server.url,
    port: server.port,
    seats,
    postgres,
    disk,
    processes,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
