import { setUpApp } from '@invigil/testkit/factories';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { deleteInPortions } from './delete-in-portions.ts';
import { signInFailures } from './schema/sessions.ts';

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
