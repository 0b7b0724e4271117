import { setTimeout } from 'node:timers/promises';
import { conclude, print, printRows, sized } from '../benchmark.ts';
import { otherShareOf, spentDuring } from '../load/processor-time.ts';
import { type LoadSystem, startLoadSystem } from '../load/system.ts';
import { median, rounded } from '../statistics.ts';

/*
 * The statistics of an assessment that 10,000 people took, with 100 questions each: a million answers read,
 * scored and counted in a thread, beside what PostgreSQL needs to join as many rows, and how long requests
 * wait in between. Each round corrects a key, so that nothing is kept from the round before.
 */
const PEOPLE = sized(10_000, 60);
const QUESTIONS = sized(100, 5);
const ROUNDS = sized(5, 1);

await conclude('result-statistics', async () => {
  await using system = await startLoadSystem({
    name: 'result-statistics',
    database: 'embedded',
    env: { REQUEST_BUDGET: '1000' },
  });
  const { cookie } = await system.signIn();
  const quizId = await fill(system);
  const { result: rounds, spent } = await spentDuring(system.processes, async () => {
    const all = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await system.postgres.query(
        `update question_versions set correct_option_id = ${1 + (round % 4)}
         where (question_id, version) in (select id, 1 from questions where quiz_id = '${quizId}' limit 1)`,
      );
      const joined = await timed(() =>
        system.postgres.count(`select count(a.option_id) as n from paper_questions pq
          join participants p on p.id = pq.participant_id
          left join answers a on a.participant_id = pq.participant_id and a.question_id = pq.question_id
          where p.quiz_id = '${quizId}'`),
      );
      const waits: number[] = [];
      let isDone = false;
      const others = (async () => {
        while (!isDone) {
          waits.push((await timed(() => get(system, cookie, '/api/auth/me'))).ms);
          await setTimeout(50);
        }
      })();
      const computed = await timed(() => get(system, cookie, `/api/quizzes/${quizId}/statistics`));
      isDone = true;
      await others;
      const { test } = computed.result as { test: { n: number } };
      if (test.n !== PEOPLE) throw new Error(`${test.n} counted`);
      const again = await timed(() => get(system, cookie, `/api/quizzes/${quizId}/statistics`));
      all.push({
        joined: joined.ms,
        computed: computed.ms,
        again: again.ms,
        longest: Math.max(...waits),
      });
    }
    return all;
  });
  const figure = (of: (round: (typeof rounds)[number]) => number) =>
    rounded(median(rounds.map(of)), 2);
  print('');
  printRows([
    {
      'computed, ms': figure(({ computed }) => computed),
      'again, ms': figure(({ again }) => again),
      'rows joined by PostgreSQL alone, ms': figure(({ joined }) => joined),
      'longest request in between, ms': figure(({ longest }) => longest),
    },
  ]);
  return {
    figures: [
      {
        name: `statistics of ${PEOPLE} attempts with ${QUESTIONS} questions, s`,
        value: figure(({ computed }) => computed / 1_000),
        most: 2,
      },
      {
        name: 'computed ÷ rows joined by PostgreSQL alone',
        value: figure(({ computed, joined }) => computed / joined),
        most: 8,
      },
      {
        name: 'longest request in between ÷ computed',
        value: figure(({ longest, computed }) => longest / computed),
        most: 0.25,
      },
    ],
    machine: system.machine,
    details: { people: PEOPLE, questions: QUESTIONS, rounds },
    otherShare: spent && otherShareOf(spent),
  };
});

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}

async function get({ server }: LoadSystem, cookie: string, path: string): Promise<unknown> {
  const response = await fetch(server.url + path, { headers: { cookie } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** An assessment with everyone's papers and answers, the more right the higher the number. */
async function fill({ postgres: { pool, query } }: LoadSystem): Promise<string> {
  const make = async (sql: string, values: unknown[] = []) =>
    (await pool.query<{ id: string }>(sql, values)).rows[0]?.id ?? '';
  const categoryId = await make(
    `insert into categories (id, name, created_at) values (gen_random_uuid(), 'C', now()) returning id`,
  );
  const quizId = await make(
    `insert into quizzes (id, title, category_id, duration, total_questions, finish_after_end,
       is_active, policy_version, version, created_at, updated_at)
     values (gen_random_uuid(), 'Statistics', $1, 60, ${QUESTIONS}, false, true, 1, 1, now(), now())
     returning id`,
    [categoryId],
  );
  await query(`insert into quiz_policies (quiz_id, version, settings, created_at)
    values ('${quizId}', 1, '{}', now())`);
  await query(`insert into questions (id, quiz_id, order_number, current_version, next_option_id, created_at)
    select gen_random_uuid(), '${quizId}', i, 1, 5, now() from generate_series(1, ${QUESTIONS}) i`);
  await query(`insert into question_versions
      (question_id, version, question, option_ids, option_texts, correct_option_id, created_at)
    select id, 1, 'Question ' || order_number, '{1,2,3,4}', '{a,b,c,d}', 1, now()
    from questions where quiz_id = '${quizId}'`);
  await query(`insert into users (id, email, groups, created_at)
    select gen_random_uuid(), 'p' || i || '@example.org', array['Group ' || i % 5], now()
    from generate_series(1, ${PEOPLE}) i`);
  await query(`insert into invitations (id, user_id, quiz_id, extra_time_factor, camera_enabled,
      microphone_enabled, created_at, last_invited_at)
    select gen_random_uuid(), id, '${quizId}', 1, true, true, now(), now() from users`);
  await query(`insert into participants (id, invitation_id, user_id, quiz_id, attempt, status,
      policy_version, total_marks, started_at, deadline_at, close_at, close_reason, submitted_at,
      submission_type, score, answered_count, receipt_id, last_seen_at, counted_violations,
      violation_calls, fullscreen_exits, tab_switches, camera_enabled, microphone_enabled, face_covered)
    select gen_random_uuid(), id, user_id, quiz_id, 1, 'completed', 1, ${QUESTIONS},
      now() - interval '1 hour', now(), now(), 'auto', now(), 'manual', 0, ${QUESTIONS},
      'AAAAA-BBBBB', now(), 0, 0, 0, 0, true, true, false
    from invitations`);
  // Without its statistics, the database joins what follows in hours.
  await query('analyze');
  await query(`insert into paper_questions (participant_id, position, question_id, question_version, option_order)
    select p.id, row_number() over (partition by p.id order by q.order_number), q.id, 1, '{1,2,3,4}'
    from participants p cross join questions q where p.quiz_id = '${quizId}'`);
  await query('analyze');
  await query(`insert into answers (participant_id, question_id, id, option_id, is_flagged, revision,
      created_at, saved_at)
    select participant_id, question_id, gen_random_uuid(),
      case when hashtext(participant_id::text) % 100 + random() * 100 > position then 1
        else 1 + floor(random() * 4) end, false, 1, now(), now()
    from paper_questions`);
  await query('vacuum (analyze)');
  return quizId;
}
