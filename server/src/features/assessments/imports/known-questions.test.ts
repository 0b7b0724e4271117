import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { startTestDatabase, type TestDatabase } from '@invigil/testkit/app';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../db/database.ts';
import { KnownQuestions } from './known-questions.ts';

/** Questions with one text in the bank; their first options tell them apart. */
const EQUAL = 3_000;
const GROUPS = 15;

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  await database.pool.query(
    `with q as (
       insert into questions (id, order_number, current_version, next_option_id, created_at)
       select gen_random_uuid(), n, 1, 5, now() from generate_series(1, ${EQUAL}) n
       returning id, order_number)
     insert into question_versions (question_id, version, question, option_ids, option_texts,
       correct_option_id, created_at)
     select id, 1, 'Equal', '{1,2,3,4}', array['Option ' || order_number, 'b', 'c', 'd'], 1, now()
     from q`,
  );
});
afterAll(() => database.stop());

it('a text is looked up once, however many questions of the bank and the file have it', async () => {
  const known = new KnownQuestions(openDatabase(database.pool), 'all', null);
  /** Milliseconds of processor time that a group of 200 takes. */
  const compare = async (first: number): Promise<number> => {
    const group = Array.from({ length: 200 }, (_, i) =>
      plainDefinition('Equal', [`Option ${first + i}`, 'b', 'c', 'd'], 'b'),
    );
    const before = process.cpuUsage();
    expect(await known.areDuplicates(group)).toEqual(group.map(() => false));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const first = await compare(0);
  let rest = 0;
  for (let i = 1; i < GROUPS; i += 1) rest += await compare(i * 200);
  // If each of these groups read the bank again, as they once did, it would be many times the first.
  expect(rest).toBeLessThan(2 * first);
  const same = ['Option 17', 'b', 'c', 'd'];
  const wanted = [plainDefinition('Equal', same, 'Option 17'), plainDefinition('Equal', same, 'd')];
  expect(await known.areDuplicates(wanted)).toEqual([true, false]);
});
