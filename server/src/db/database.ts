import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { isDatabaseAway } from './database-away.ts';

declare const transactional: unique symbol;

export type Database = NodePgDatabase & { $client: pg.Pool };
export type Tx = NodePgDatabase & { readonly [transactional]: true };
/** A connection for a query: on its own, or in a transaction. */
export type Queryable = Database | Tx;

export function openDatabase(pool: pg.Pool): Database {
  return drizzle(pool);
}

/** Registers a task for after the commit: mail, live frames, success logs. */
export type AfterCommit = (task: () => void) => void;

/** Drizzle's view of a connection, created once per connection because that costs more than a query. */
const onConnection = new WeakMap<pg.PoolClient, Tx>();
/** The reverse. Beginning a transaction on one of these nests, with a savepoint. */
const connectionOf = new WeakMap<object, pg.PoolClient>();

/*
 * A batch looks rows up by their keys only. A connection caches its plans, and a plan made while the
 * tables were nearly empty reads whole tables until the database has updated its statistics, up to a
 * minute after they have filled. So only index plans are made here, for our statements and for checks of
 * foreign keys.
 */
const BEGIN_BATCH = `begin; set local enable_seqscan = off; set local enable_hashjoin = off;
  set local enable_mergejoin = off`;

/** Like `inTransaction`, for a batch of what many people do at once. */
export function inBatch<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, work, BEGIN_BATCH);
}

/** Runs `work` on one consistent, read-only snapshot of the database. */
export function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, work, 'begin isolation level repeatable read read only');
}

/**
 * Not Drizzle's own, which never releases its connection when the `begin` on it fails, as on one that
 * broke silently (ten of these exhaust the pool), and also awaits the `rollback` on a database that
 * hangs. A connection that broke or hangs is discarded.
 */
export async function transaction<T>(
  db: Database,
  work: (tx: Tx) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const held = connectionOf.get(db);
  if (held) return savepoint(held, () => work(transactionOn(held)));
  const client = await db.$client.connect();
  let isBroken = false;
  try {
    await client.query(begin);
    const result = await work(transactionOn(client));
    await client.query('commit');
    return result;
  } catch (error) {
    isBroken = isDatabaseAway(error) || !(await rollBack(client));
    throw error;
  } finally {
    client.release(isBroken);
  }
}

function transactionOn(client: pg.PoolClient): Tx {
  const known = onConnection.get(client);
  if (known) return known;
  const made = drizzle(client) as unknown as Tx;
  onConnection.set(client, made);
  connectionOf.set(made, client);
  return made;
}

/** A connection on which its owner has begun a transaction, and will end it. */
export function transactionOf(client: pg.Client): Tx {
  return drizzle(client) as unknown as Tx;
}

/** Runs a statement that the database parses and plans once per connection, identified by its name. */
export async function runNamed<Row extends pg.QueryResultRow>(
  db: Queryable,
  statement: { name: string; text: string; values: unknown[] },
): Promise<Row[]> {
  const { rows } = await (connectionOf.get(db) ?? (db as Database).$client).query<Row>(statement);
  return rows;
}

/** The database within a transaction, for use cases that would begin their own. */
export function insideOf(tx: Tx): Database {
  return tx as unknown as Database;
}

async function savepoint<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('savepoint inner_work');
  try {
    const result = await work();
    await client.query('release savepoint inner_work');
    return result;
  } catch (error) {
    await client.query('rollback to savepoint inner_work').catch(() => undefined);
    throw error;
  }
}

function rollBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** The only row of an `insert … returning` or of a lookup that must find it. */
export function onlyRow<T>(rows: T[]): T {
  const row = rows[0];
  if (row === undefined) throw new Error('a row was expected, but none was returned');
  return row;
}
