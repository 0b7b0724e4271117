import { setTimeout } from 'node:timers/promises';
import { inRounds, ratio, sized } from '../benchmark.ts';
import { createSessions, makeQuiz } from '../load/people.ts';
import { type LoadSystem, scenario } from '../load/system.ts';
import { rounded } from '../statistics.ts';

/*
 * The statistics of an assessment that 10,000 people took, with 100 questions each: a million answers read,
 * scored and counted in a thread, beside what PostgreSQL needs to join as many rows, and how long requests
 * wait in between. Each round corrects a key, so that nothing is kept from the round before.
 */
const PEOPLE = sized(10_000, 60);
const QUESTIONS = sized(100, 5);
const ROUNDS = sized(5, 1);

const SETTINGS = { database: 'embedded', env: { REQUEST_BUDGET: '1000' } } as const;
await scenario('result-statistics', SETTINGS, async (system) => {
  const quizId = await fill(system);
  const admin = await system.signIn();
  const readStatistics = () => admin.must('getQuizStatistics', { params: { id: quizId } });
  const medians = await inRounds(ROUNDS, async (round) => {
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
        waits.push((await timed(() => admin.must('me'))).ms);
        await setTimeout(50);
      }
    })();
    const computed = await timed(readStatistics);
    isDone = true;
    await others;
    const { n } = computed.result.test;
    if (n !== PEOPLE) throw new Error(`${n} counted`);
    const again = await timed(readStatistics);
    const longest = Math.max(...waits);
    return {
      'computed, ms': rounded(computed.ms),
      'again, ms': rounded(again.ms),
      'rows joined by PostgreSQL alone, ms': rounded(joined.ms),
      'computed ÷ joined': ratio(computed.ms, joined.ms),
      'longest request in between, ms': rounded(longest),
      'longest ÷ computed': ratio(longest, computed.ms),
    };
  });
  return {
    figures: [
      {
        name: `statistics of ${PEOPLE} attempts with ${QUESTIONS} questions, ms`,
        value: medians['computed, ms'],
        most: 2_000,
      },
      {
        name: 'computed ÷ rows joined by PostgreSQL alone',
        value: medians['computed ÷ joined'],
        most: 8,
      },
      {
        name: 'longest request in between ÷ computed',
        value: medians['longest ÷ computed'],
        most: 0.25,
      },
    ],
  };
});

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}

/** An assessment with everyone's papers and answers, the more right the higher the number. */
async function fill(system: LoadSystem): Promise<string> {
  const { quizId } = await makeQuiz(system, QUESTIONS);
  await createSessions(system, quizId, PEOPLE, { submit: true });
  const { query } = system.postgres;
  await query(`update users set groups = array['Group ' || n % 5]
    from (select id, row_number() over () as n from users) u where u.id = users.id`);
  await query(`insert into answers (participant_id, question_id, id, option_id, is_flagged, revision,
      created_at, saved_at)
    select participant_id, question_id, gen_random_uuid(),
      case when hashtext(participant_id::text) % 100 + random() * 100 > position then 1
        else 1 + floor(random() * 4) end, false, 1, now(), now()
    from paper_questions`);
  await query('vacuum (analyze)');
  return quizId;
}
