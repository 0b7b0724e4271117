import { makeQuiz, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { storeAttempts } from '@invigil/testkit/stored';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { PaperCache } from './paper-cache.ts';

const MIB = 1024 * 1024;
const QUESTIONS = 100;
const CHARACTERS = 4_000;

describe('the paper cache', () => {
  const app = setUpApp();
  /** Attempts of different assessments: their papers share nothing. */
  const attempts: string[] = [];

  beforeAll(async () => {
    const admin = await signInAdmin(app);
    for (let quiz = 0; quiz < 6; quiz += 1) {
      const { id } = await makeQuiz(app, admin, { totalQuestions: QUESTIONS });
      await app.pool.query('update questions set deleted_at = now() where quiz_id = $1', [id]);
      await app.pool.query(
        `with made as (
           insert into questions (id, quiz_id, order_number, current_version, next_option_id, created_at)
           select gen_random_uuid(), $1, n, 1, 5, now() from generate_series(1, $2::int) n
           returning id)
         insert into question_versions
           (question_id, version, question, option_ids, option_texts, correct_option_id, created_at)
         select id, 1, rpad(id::text, $3::int, 'q'), '{1,2,3,4}',
           array(select rpad(n || id::text, $3::int, 'o') from generate_series(1, 4) n), 1, now()
         from made`,
        [id, QUESTIONS, CHARACTERS],
      );
      const [attempt = ''] = await storeAttempts(app, id, [
        { email: `candidate-${quiz}@example.org`, startedAt: app.clock.now() },
      ]);
      await app.pool.query('delete from paper_questions where participant_id = $1', [attempt]);
      await app.pool.query(
        `insert into paper_questions
           (participant_id, position, question_id, question_version, option_order)
         select $1, row_number() over (), id, 1, '{4,3,2,1}' from questions
         where quiz_id = $2 and deleted_at is null`,
        [attempt, id],
      );
      attempts.push(attempt);
    }
  });
  const cacheOf = (megabytes: number) => new PaperCache(app.context.db, megabytes * MIB);

  it('stays within its memory limit, however large each paper is', async () => {
    const one = cacheOf(1_000);
    await one.get(attempts[0] ?? '');
    const size = one.bytes;
    // 100 questions × 5 texts × 4,000 characters, two bytes each.
    expect(size).toBeGreaterThan(QUESTIONS * 5 * CHARACTERS * 2);
    expect(size).toBeLessThan(QUESTIONS * 5 * CHARACTERS * 2 + MIB);

    const cache = cacheOf(10);
    for (const id of [...attempts, ...attempts]) {
      const paper = await cache.get(id);
      expect(paper.entries).toHaveLength(QUESTIONS);
      expect(cache.bytes).toBeLessThanOrEqual(10 * MIB);
    }
    expect(cache.bytes).toBe(2 * size);
    await Promise.all(attempts.map((id) => cache.get(id)));
    expect(cache.bytes).toBe(2 * size);
  });

  it('evicts the least recently used paper', async () => {
    const [a = '', b = '', c = ''] = attempts;
    const cache = cacheOf(10);
    await cache.get(a);
    await cache.get(b);
    await cache.get(a);
    await cache.get(c);
    const read = vi.spyOn(app.context.db.$client, 'query');
    try {
      await cache.get(a);
      await cache.get(c);
      expect(read).not.toHaveBeenCalled();
      await cache.get(b);
      expect(read).toHaveBeenCalled();
    } finally {
      read.mockRestore();
    }
  });

  it('holds a text once, and as long as a paper needs it', async () => {
    const [a = '', b = ''] = attempts;
    await app.pool.query(
      `insert into paper_questions (participant_id, position, question_id, question_version, option_order)
       select $1, 1000 + row_number() over (), question_id, 1, option_order
       from paper_questions where participant_id = $2`,
      [b, a],
    );
    const cache = cacheOf(1_000);
    await cache.get(b);
    const both = cache.bytes;
    await cache.get(a);
    expect(cache.bytes - both).toBeLessThan(QUESTIONS * 1_000);
    await app.pool.query(
      'delete from paper_questions where participant_id = $1 and position > 1000',
      [b],
    );
  });

  it('returns a paper larger than the limit without caching it', async () => {
    const cache = cacheOf(1);
    const [a = ''] = attempts;
    expect((await cache.get(a)).entries).toHaveLength(QUESTIONS);
    expect(cache.bytes).toBe(0);
    expect((await cache.get(a)).entries).toHaveLength(QUESTIONS);
  });

  it('is warmed with attempts in progress, last seen first, up to its limit', async () => {
    await app.pool.query(
      `update participants set last_seen_at = now() + array_position($1::uuid[], id) * interval '1 s'`,
      [attempts],
    );
    const all = cacheOf(1_000);
    await all.warm(60_000);
    const read = vi.spyOn(app.context.db.$client, 'query');
    try {
      for (const id of attempts) expect((await all.get(id)).entries).toHaveLength(QUESTIONS);
      expect(read).not.toHaveBeenCalled();
    } finally {
      read.mockRestore();
    }
    const few = cacheOf(10);
    await few.warm(60_000);
    expect(few.bytes).toBeLessThanOrEqual(10 * MIB);
    const none = cacheOf(1_000);
    await none.warm(0);
    expect(none.bytes).toBe(0);
  });

  it('does not cache a missing attempt', async () => {
    const cache = cacheOf(10);
    expect(await cache.find('0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c')).toBeUndefined();
    expect(cache.bytes).toBe(0);
  });
});
