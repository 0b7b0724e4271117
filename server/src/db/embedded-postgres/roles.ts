import { Client } from 'pg';
import { SOCKET_PORT } from './socket-folder.ts';

/** How to connect: spread into the options of a `pg` pool or client. */
export interface Connection {
  /** The folder of the socket. */
  host: string;
  port: number;
  user: string;
  database: string;
}

export const SUPERUSER = 'postgres';
/** Role and database of the app. */
const APP = 'invigil';

/** The connection of the supervisor, and of tests that create their own databases. */
export function superuserConnection(socketFolder: string): Connection {
  return { host: socketFolder, port: SOCKET_PORT, user: SUPERUSER, database: 'postgres' };
}

/** The connection of the app: no superuser, so that its statements cannot run programs or read files. */
export function appConnection(socketFolder: string): Connection {
  return { host: socketFolder, port: SOCKET_PORT, user: APP, database: APP };
}

/** Creates the app's role and database if missing. Safe to repeat and to interrupt. */
export async function ensureDatabase(socketFolder: string): Promise<void> {
  const client = new Client(superuserConnection(socketFolder));
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $1) as database`,
      [APP],
    );
    if (found.rows[0]?.role !== true) await client.query(`create role ${APP} login createdb`);
    if (found.rows[0]?.database !== true) {
      await client.query(`create database ${APP} owner ${APP}`);
    }
  } finally {
    await client.end();
  }
  await letRemoveLog(socketFolder);
}

/** Lets the app's role remove old write-ahead log, which holds what was erased (erased-leftovers.ts). */
async function letRemoveLog(socketFolder: string): Promise<void> {
  const client = new Client({ ...superuserConnection(socketFolder), database: APP });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ may: boolean }>(
      `select pg_has_role($1, 'pg_checkpoint', 'usage')
         and has_function_privilege($1, 'pg_switch_wal()', 'execute') as may`,
      [APP],
    );
    if (rows[0]?.may === true) return;
    await client.query(`grant pg_checkpoint to ${APP}`);
    await client.query(`grant execute on function pg_switch_wal() to ${APP}`);
  } finally {
    await client.end();
  }
}
