import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { silentLog } from '@invigil/testkit/silent-log';
import { installedBinaries } from '../../../server/src/db/embedded-postgres/binaries.ts';
import { choosePlacement } from '../../../server/src/db/embedded-postgres/placement.ts';
import { startPostmaster } from '../../../server/src/db/embedded-postgres/postmaster.ts';
import { serverLog } from '../../../server/src/db/embedded-postgres/server-log.ts';
import {
  makeSocketFolder,
  SOCKET_PORT,
} from '../../../server/src/db/embedded-postgres/socket-folder.ts';
import { startEmbeddedPostgres } from '../../../server/src/db/embedded-postgres/supervisor.ts';
import { signalPostgres, withPostgres } from '../../running-postgres.ts';
import { type LineProxy, startLineProxy } from '../injected/line-proxy.ts';

const run = promisify(execFile);
const REPLICATES_WITHIN_MS = 30_000;

/** A PostgreSQL primary and its synchronous standby, as an operator would run them. */
export interface ReplicatedDatabase extends AsyncDisposable {
  /** The value of `DATABASE_URL`, which names both servers. */
  url: string;
  /** The proxy between primary and standby. */
  line: LineProxy;
  signalPrimary(signal: NodeJS.Signals): void;
  /** Promotes the standby, which becomes `home`. */
  promote(): Promise<void>;
  /** The data folder of the server that takes writes. */
  readonly home: string;
}

/** Starts both in this folder. A commit is acknowledged once the standby has it on disk. */
export async function startReplicatedDatabase(folder: string): Promise<ReplicatedDatabase> {
  // Loopback addresses: both servers have the same port, because it also names the socket.
  const address = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`;
  const first = { dataDir: join(folder, 'first'), host: address() };
  const second = { dataDir: join(folder, 'second'), host: address() };
  await using undo = new AsyncDisposableStack();

  const { stop, connection } = await startEmbeddedPostgres({
    dataDir: first.dataDir,
    log: silentLog,
  });
  await stop();
  const primary = await placeOf(first.dataDir);
  const trust = 'host all,replication all 127.0.0.0/8 trust\n';
  writeFileSync(join(primary.placement.cluster, 'pg_hba.conf'), `local all all trust\n${trust}`);
  await run('cp', ['-a', first.dataDir, second.dataDir]);
  const standby = await placeOf(second.dataDir);
  appendFileSync(join(standby.placement.cluster, 'standby.signal'), '');

  const start = async (
    { placement, socketFolder }: typeof primary,
    host: string,
    settings: Record<string, string>,
  ) => {
    const log = serverLog(join(placement.base, 'postgres.log'));
    await startPostmaster({
      ...{ placement, socketFolder, log: silentLog, serverLog: log },
      settings: { ...settings, listen_addresses: host },
    });
    const signal = (name: NodeJS.Signals) => signalPostgres(placement.cluster, name);
    undo.defer(() => signal('SIGKILL'));
    return signal;
  };
  const signalPrimary = await start(primary, first.host, { synchronous_standby_names: '*' });
  const line = await startLineProxy(SOCKET_PORT, first.host);
  undo.defer(() => line.close());
  const from = `host=127.0.0.1 port=${line.port} user=postgres`;
  await start(standby, second.host, { primary_conninfo: from });
  await untilSynchronous(first.dataDir);

  let home = first.dataDir;
  const kept = undo.move();
  return {
    url: `postgresql://${connection.user}@${first.host}:${SOCKET_PORT},${second.host}:${SOCKET_PORT}/${connection.database}`,
    line,
    signalPrimary,
    async promote() {
      await withPostgres(second.dataDir, 'postgres', (postgres) =>
        postgres.query('select pg_promote()'),
      );
      home = second.dataDir;
    },
    get home() {
      return home;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function placeOf(dataDir: string) {
  const placement = await choosePlacement({
    ...{ dataDir, native: installedBinaries(), log: silentLog },
    stateRoot: join(dataDir, 'elsewhere'),
  });
  return { placement, socketFolder: makeSocketFolder(placement.base, placement.identity) };
}

async function untilSynchronous(dataDir: string): Promise<void> {
  const until = performance.now() + REPLICATES_WITHIN_MS;
  for (;;) {
    const found = await withPostgres(dataDir, 'postgres', (postgres) =>
      postgres.count("select count(*) as n from pg_stat_replication where sync_state = 'sync'"),
    );
    if (found > 0) return;
    if (performance.now() > until) throw new Error('the standby does not follow its primary');
    await delay(50);
  }
}
