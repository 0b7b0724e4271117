import { setUpApp } from '@invigil/testkit/factories';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { deleteInPortions, insertInPortions, workInPortions } from './portions.ts';
import { signInFailures } from './schema/sessions.ts';
import { inTransaction } from './transaction.ts';

const app = setUpApp();
it.each([0, 1, 2, 5])('deletes %i rows two at a time, and no other', async (n) => {
  await app.pool.query(
    `insert into sign_in_failures select int4send(i), i, $2 from generate_series(0, $1) as i
     on conflict (key) do nothing`,
    [n, app.clock.now()],
  );
  const gone = await deleteInPortions(
    app.context.db,
    signInFailures,
    sql`${signInFailures.failures} > 0`,
    2,
  );
  expect(gone).toBe(n);
  const { rows } = await app.pool.query('select failures from sign_in_failures');
  expect(rows).toEqual([{ failures: 0 }]);
});

it('inserts more rows than a statement has parameters for', async () => {
  await app.pool.query('delete from sign_in_failures');
  const rows = Array.from({ length: 22_000 }, (_, i) => {
    const key = Buffer.alloc(4);
    key.writeInt32BE(i);
    return { key, failures: 1, blockedUntil: app.clock.now() };
  });
  await inTransaction(app.context.db, (tx) => insertInPortions(tx, signInFailures, rows));
  const { rows: stored } = await app.pool.query('select count(*)::int as n from sign_in_failures');
  expect(stored).toEqual([{ n: rows.length }]);
});

it('stops after the portion under way', async () => {
  const stop = new AbortController();
  let portions = 0;
  const work = async () => {
    portions += 1;
    if (portions === 2) stop.abort();
    return 5;
  };
  expect(await workInPortions(5, work, stop.signal)).toBe(10);
});
