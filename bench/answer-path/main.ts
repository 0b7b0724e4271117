import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { superuserConnection } from '../../server/src/db/embedded-postgres/roles.ts';
import { openPool } from '../../server/src/db/pool.ts';
import { startServer } from '../../server/src/testing/running-server.ts';
import { silentLog } from '../../server/src/testing/silent-log.ts';
import { startSmtpSink } from '../../server/src/testing/smtp-sink.ts';
import { conclude, type Finding, print, printTable } from '../benchmark.ts';
import { describeDisk, describeMachine } from '../machine.ts';
import { median, rounded } from '../statistics.ts';
import { requireAcknowledgedAnswers } from './check-answers.ts';
import { type Crowd, startCrowd } from './crowd.ts';
import { findPgbench, type Pgbench } from './pgbench.ts';
import { type Postgres, runningPostgres } from './running-postgres.ts';
import { type Round, roundFigures, summarize } from './rounds.ts';
import { ADMIN, seatCandidates } from './seat-candidates.ts';
import { startWatching, serverProcess } from './processor-time.ts';

const CANDIDATES = 256;
const QUESTIONS = 40;
const FEW_CLIENTS = 32;
const ROUNDS = 5;
const SECONDS = { warmUp: 3, measured: 4 };
const AIMS = { ofPgbench: 1, p99Ms: 100 };
/** pgbench's clients come on top of the server's own connections. */
const MAX_CONNECTIONS = String(CANDIDATES + 64);

/** In the checkout, because the system's folder for temporary files is often in memory. */
const DATA = fileURLToPath(new URL('../data/', import.meta.url));
/** For Node before the server's script, such as `--cpu-prof --cpu-prof-dir=/tmp/profile`. */
const NODE_ARGS = (process.env['BENCH_SERVER_NODE_ARGS'] ?? '').split(' ').filter(Boolean);

await conclude('answer-path', async (): Promise<Finding> => {
  mkdirSync(DATA, { recursive: true });
  const folder = mkdtempSync(join(DATA, 'answer-path-'));
  try {
    return await measureIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(dirname(join(DATA, 'x')), { recursive: true, force: true });
  }
});
