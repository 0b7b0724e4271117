import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Logger } from 'pino';
import { connectionsFor, openPool, requireDatabase } from '../db/connection/pool.ts';
import { requireSessions } from '../db/connection/require-sessions.ts';
import { openDatabase as openPoolAsDatabase } from '../db/database.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres/supervisor.ts';
import { migrate } from '../db/upkeep/migrate.ts';
import { storeAssets } from '../http/web-files/kept-web-assets.ts';
import { ensureWebBuild } from '../http/web-files/web-build.ts';
import { requireSecretKey } from '../key-rotation/require-key.ts';
import type { Config } from '../runtime/config.ts';
import { claimDataDir, makeDataDir } from '../runtime/data-dir.ts';
import { deriveKeys } from '../security/keys.ts';
import { loadSecretKey } from '../security/secret-key.ts';
import { storeFirstPolicy } from '../sessions/sign-in-policy.ts';
import { extendSeals } from '../trust/extend-seals.ts';
import { TrustRoot } from '../trust/trust-root.ts';
import { requireFreePort } from './port.ts';
import type { Shutdown } from './shutdown.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Installation {
  connection: pg.PoolConfig;
  /** The folder of the built web app, or `null` for an API alone. */
  webDist: string | null;
}

/**
 * Prepares what the serving processes share: data folder, free port, web build, a running and migrated
 * database. Registers with `shutdown` how to close each, before opening it.
 *
 * @param withWeb false for `npm run dev`, where Vite serves the web app
 * @throws StartProblem
 */
export async function openInstallation(
  config: Config,
  log: Logger,
  { signal, onEnd }: Shutdown,
  withWeb: boolean,
): Promise<Installation & { pool: pg.Pool }> {
  const { dataDir, databaseUrl } = config;
  makeDataDir(dataDir);
  const openDatabase =
    databaseUrl === null ? embeddedDatabase() : async () => ({ connectionString: databaseUrl });
  await requireFreePort(config);
  const [webDist, { pool, connection }] = await Promise.all([
    withWeb ? buildWeb() : null,
    openDatabase().then(connectTo),
  ]);
  await migrate(pool, log, signal);
  await requireSecretKey(pool, config);
  const keys = deriveKeys(config.secretKey ?? loadSecretKey(dataDir));
  const trust = new TrustRoot(dataDir, keys.integrity, log);
  const db = openPoolAsDatabase(pool);
  await storeFirstPolicy({ db, keys, trust }, new Date());
  await extendSeals({ db, keys, trust, log }, new Date());
  return { connection, webDist, pool };

  async function buildWeb() {
    const folder = await ensureWebBuild({ root: ROOT, dataDir, log, signal });
    // A failure is only logged: this build is served all the same, and only pages of earlier ones may miss
    // files.
    await storeAssets(folder, dataDir).catch((error: unknown) => {
      log.warn({ err: error }, 'the files of the web app could not be stored for later versions');
    });
    return folder;
  }

  /** Claims the data folder now, so that a second start is refused before anything else. */
  function embeddedDatabase() {
    const claim = claimDataDir(dataDir);
    onEnd('data folder', () => claim.release());
    const settings = { max_connections: String(connectionsFor(config.webConcurrency)) };
    return async () => {
      const starting = startEmbeddedPostgres({ dataDir, log, signal, claim, settings });
      // Also when stopped during its start: it is then aborted, and there is nothing to stop.
      onEnd('database', () => starting.then((database) => database.stop(), ignore));
      return (await starting).connection;
    };
  }

  async function connectTo(connection: pg.PoolConfig) {
    const pool = openPool(connection, log);
    onEnd('connections', () => pool.end());
    await requireDatabase(pool, log, signal);
    if (databaseUrl !== null) await requireSessions(pool);
    return { pool, connection };
  }
}

function ignore(): void {
  // The failure is reported where it was awaited.
}
