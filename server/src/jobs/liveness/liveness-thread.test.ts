import { startTestDatabase, type TestDatabase } from '@invigil/testkit/app';
import { silentLog } from '@invigil/testkit/silent-log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../db/database.ts';
import { recordAliveAndRecover } from './liveness.ts';
import { type LivenessThread, startLivenessThread } from './liveness-thread.ts';
import { OUTAGE_MS } from './liveness-watch.ts';

let database: TestDatabase;
let thread: LivenessThread;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(async () => {
  await thread.stop();
  await database.stop();
});

it('records liveness while the event loop is blocked for longer than an outage', {
  tags: 'long',
}, async () => {
  thread = await startLivenessThread(database.connection, silentLog);
  const aliveAt = async (): Promise<Date> =>
    (await database.pool.query('select alive_at from liveness')).rows[0].alive_at;
  const before = await aliveAt();
  // In real time: a blocked event loop cannot be simulated with fake timers.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OUTAGE_MS + 1_500);
  const { rows } = await database.pool.query<{ now: Date }>('select clock_timestamp() as now');
  const now = rows[0]?.now ?? new Date(0);
  const after = await aliveAt();
  expect(now.getTime() - before.getTime()).toBeGreaterThan(OUTAGE_MS);
  // Every five seconds, looked for every second.
  expect(now.getTime() - after.getTime()).toBeLessThan(6_500);
  // So the first run after it detects no outage.
  const noted = await recordAliveAndRecover(
    { db: openDatabase(database.pool), log: silentLog },
    now,
  );
  expect(noted).toMatchObject({ covered: 0, aliveAt: after });
});
