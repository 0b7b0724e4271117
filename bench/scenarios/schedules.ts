import { inRounds, ratio, sized } from '../benchmark.ts';
import { makeQuiz } from '../load/people.ts';
import { type LoadSystem, scenario } from '../load/system.ts';
import { rounded } from '../statistics.ts';

/*
 * A rule for a group that 100,000 invited people are in: set, and changed. Beside what PostgreSQL alone needs to
 * write as many invitations in one statement, and while someone asks the server every 50 ms.
 */
const PEOPLE = sized(100_000, 200);
const ROUNDS = sized(5, 1);
const ASKED_EVERY_MS = 50;
const SETTINGS = { database: 'embedded', env: { REQUEST_BUDGET: '1000' } } as const;

await scenario('schedules', SETTINGS, async (system) => {
  const { pool } = system.postgres;
  const { quizId } = await makeQuiz(system, 5, { preset: 'off' });
  await pool.query(`
    insert into users (id, email, groups, created_at)
    select gen_random_uuid(), 'timed-' || i || '@example.org', '{B}', now()
    from generate_series(1, ${PEOPLE}) i`);
  await pool.query(
    `insert into invitations (id, user_id, quiz_id, extra_time_factor, camera_enabled, microphone_enabled,
       created_at, last_invited_at)
     select gen_random_uuid(), id, $1, 1, true, true, now(), now() from users where groups = '{B}'`,
    [quizId],
  );
  await pool.query('vacuum (analyze) users, invitations');
  const admin = await system.signIn();
  const medians = await inRounds(ROUNDS, async (round) => {
    const alone = await withoutServer(system, quizId);
    const waits = askAgainAndAgain(system);
    const began = performance.now();
    const opensAt = new Date(Date.UTC(2030, 0, 1 + round)).toISOString();
    const rules = [{ group: 'B', window: { opensAt, endDate: null }, minutes: 45 }];
    const reply = await admin.must('setSchedule', {
      params: { id: quizId },
      body: { rules, dryRun: false },
    });
    const seconds = (performance.now() - began) / 1_000;
    if (reply.changed !== PEOPLE) throw new Error(`${reply.changed} people have other times`);
    const longestMs = await waits.stop();
    await pool.query('vacuum (analyze) invitations');
    return {
      'a rule changes, s': rounded(seconds, 2),
      'rows written by PostgreSQL alone, s': rounded(alone, 2),
      'changed ÷ written': ratio(seconds, alone),
      'longest request meanwhile, ms': rounded(longestMs),
      'longest ÷ change': ratio(longestMs / 1_000, seconds),
    };
  });
  return {
    figures: [
      {
        name: `a changed rule for ${PEOPLE} people ÷ rows written by PostgreSQL alone`,
        value: medians['changed ÷ written'],
        most: 4,
      },
      { name: 'a rule changes, s', value: medians['a rule changes, s'] },
      {
        name: 'longest request meanwhile ÷ the change',
        value: medians['longest ÷ change'],
        most: 0.25,
      },
    ],
  };
});

/** Seconds in which PostgreSQL writes times into as many invitations, which is undone. */
async function withoutServer({ postgres: { pool } }: LoadSystem, quizId: string): Promise<number> {
  const client = await pool.connect();
  await client.query('begin');
  const began = performance.now();
  await client.query(
    `update invitations set opens_at = now(), end_date = null, duration = 45 where quiz_id = $1`,
    [quizId],
  );
  const seconds = (performance.now() - began) / 1_000;
  await client.query('rollback');
  client.release();
  await pool.query('vacuum (analyze) invitations');
  return seconds;
}

/** Asks for the state of the server until it is stopped; says how long the longest answer took. */
function askAgainAndAgain({ server }: LoadSystem): { stop(): Promise<number> } {
  let isStopped = false;
  let longestMs = 0;
  const asking = (async () => {
    while (!isStopped) {
      const began = performance.now();
      await fetch(`${server.url}/readyz`);
      longestMs = Math.max(longestMs, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS));
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await asking;
      return longestMs;
    },
  };
}
