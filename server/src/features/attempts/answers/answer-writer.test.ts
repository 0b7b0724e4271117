import { startTestDatabase, type TestDatabase } from '@invigil/testkit/app';
import { HeldWindow } from '@invigil/testkit/held-window';
import { silentLog } from '@invigil/testkit/silent-log';
import {
  RUNNING_DEADLINE,
  type StoredQuiz,
  type StoredRunning,
  storeQuiz,
  storeRunning,
} from '@invigil/testkit/stored';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBatchPool } from '../../../db/connection/pool.ts';
import { openDatabase } from '../../../db/database.ts';
import { DatabaseTooSlow } from '../../../db/database-away.ts';
import { newId } from '../../../db/new-id.ts';
import { leaveParticipantSession } from '../../../db/queries/attempts/changes.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { Metrics } from '../../../metrics/metrics.ts';
import { type AnswerChange, AnswerWriter } from './answer-writer.ts';

const NOW = new Date('2026-05-14T08:10:00.000Z');

describe('the answer writer', () => {
  let database: TestDatabase;
  let quiz: StoredQuiz;
  let metrics: Metrics;
  let writer: AnswerWriter;
  let attempt: StoredRunning;

  beforeAll(async () => {
    database = await startTestDatabase();
    quiz = await storeQuiz(database.pool);
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    metrics = new Metrics();
    const { pool } = database;
    writer = new AnswerWriter({ pool, batchPool: pool }, metrics);
    attempt = await storeRunning(database.pool, quiz);
  });

  const outcomes = async () => {
    const [saves] = await metrics.registry.getMetricsAsJSON();
    return Object.fromEntries(saves?.values.map((v) => [v.labels.outcome, v.value]) ?? []);
  };
  /** The values of a histogram: by the upper bound of the bucket, `count` and `sum`. */
  const histogram = async (name: 'saveBatches' | 'saveSeconds') => {
    const { values } = await metrics[name].get();
    const key = (v: (typeof values)[number]) =>
      v.labels.le ?? v.metricName?.slice(v.metricName.lastIndexOf('_') + 1) ?? '';
    return Object.fromEntries(values.map((v) => [key(v), v.value]));
  };

  const change = (question: number, optionId: number | null, revision: number): AnswerChange => ({
    questionId: quiz.questionIds[question] ?? '',
    optionId,
    response: null,
    isFlagged: false,
    revision,
  });
  const save = (changes: AnswerChange[], as: Partial<StoredRunning> = {}, now = NOW) => {
    const { participantId, sessionId } = { ...attempt, ...as };
    return writer.save({ participantId, sessionId, changes, now });
  };
  const stored = async ({ participantId } = attempt) => {
    const { rows } = await database.pool.query(
      `select question_id, option_id, is_flagged, revision, created_at, saved_at from answers
       where participant_id = $1 order by question_id`,
      [participantId],
    );
    return rows.map((r) => [
      quiz.questionIds.indexOf(r.question_id),
      r.option_id,
      r.is_flagged,
      r.revision,
    ]);
  };
  const set = (column: string, value: unknown) =>
    database.pool.query(`update participants set ${column} = $2 where id = $1`, [
      attempt.participantId,
      value,
    ]);

  it('delays no other save while stored values are read for a stale copy', async () => {
    const { pool } = database;
    const reads: (() => void)[] = [];
    // The general pool reads what is stored; batches continue on their own pool.
    const query = async (config: { name: string }) => {
      if (config.name === 'stored-answers') await new Promise<void>((go) => reads.push(go));
      return pool.query(config as never);
    };
    const slow = Object.assign(Object.create(pool), { query }) as typeof pool;
    writer = new AnswerWriter({ pool: slow, batchPool: pool }, metrics);
    await save([change(0, 1, 2)]);
    const copy = save([change(0, 2, 1)]);
    await expect.poll(() => reads).toHaveLength(1);
    const other = await storeRunning(pool, quiz);
    expect(await save([change(0, 1, 1)], other)).toMatchObject({ kind: 'saved', unchanged: [] });
    reads[0]?.();
    expect(await copy).toMatchObject({ kind: 'saved', unchanged: [{ revision: 2 }] });
  });

  it.each([
    ['another option', { optionId: 3 }],
    ['another flag', { optionId: 2, isFlagged: true }],
    ['no option', { optionId: null }],
  ])(
    'refuses a revision that is stored with %s, writes nothing, and returns what is stored',
    async (_, other) => {
      await save([change(1, 2, 4)]);
      expect(await save([change(0, 1, 1), { ...change(1, 2, 4), ...other }])).toEqual({
        kind: 'conflict',
        deadlineAt: RUNNING_DEADLINE,
        pausedUntil: null,
        violationCount: 2,
        unchanged: [{ ...change(1, 2, 4) }],
      });
      expect(await stored()).toEqual([[1, 2, false, 4]]);
      expect(await outcomes()).toEqual({ saved: 1, conflict: 1, refused: 0, failed: 0 });
    },
  );

  it('does not wait for a heartbeat that is being written', async () => {
    const heartbeat = await HeldWindow.open(
      database.pool,
      'update participants set last_seen_at = $2 where id = $1',
      [attempt.participantId, NOW],
    );
    try {
      expect(await save([change(0, 1, 1)])).toMatchObject({ kind: 'saved' });
    } finally {
      await heartbeat.release();
    }
  });

  it('commits wholly before a sign-out that arrives while it is being written', async () => {
    const held = await HeldWindow.atAnswer(database.pool, {
      participantId: attempt.participantId,
      questionId: quiz.questionIds[0],
      optionId: 3,
      at: NOW,
    });
    const saving = save([change(0, 1, 1)]);
    await held.untilStuck(database.pool, 1);
    // Read the answers as soon as the sign-out is stored: the two replies may come in either order.
    const leaving = inTransaction(openDatabase(database.pool), (tx) =>
      leaveParticipantSession(tx, attempt.sessionId),
    ).then(() => stored());
    await held.untilStuck(database.pool, 2);
    await held.release();
    expect(await saving).toMatchObject({ kind: 'saved' });
    expect(await leaving).toEqual([[0, 1, false, 1]]);
    expect(await save([change(1, 1, 1)])).toEqual({ kind: 'refused' });
  });

  it('is planned once by the database, not once per batch', async () => {
    const batchPool = openBatchPool(database.pool, silentLog);
    writer = new AnswerWriter({ pool: database.pool, batchPool }, metrics);
    for (let revision = 1; revision <= 20; revision += 1) await save([change(0, 1, revision)]);
    const { rows } = await batchPool.query(
      "select generic_plans::int as once, custom_plans::int as replanned from pg_prepared_statements where name = 'save-answers'",
    );
    await batchPool.end();
    expect(rows).toEqual([{ once: 20, replanned: 0 }]);
  });

  it('returns the deadline and the larger of the two violation counts', async () => {
    const outcome = {
      kind: 'saved',
      deadlineAt: RUNNING_DEADLINE,
      pausedUntil: null,
      violationCount: 2,
      unchanged: [],
    };
    expect(await save([change(0, 1, 1), change(2, null, 3)])).toEqual(outcome);
    await set('violation_calls', 7);
    expect(await save([change(0, 2, 2)])).toEqual({ ...outcome, violationCount: 7 });
    expect(await stored()).toEqual([
      [0, 2, false, 2],
      [2, null, false, 3],
    ]);
  });

  it('stores when an answer first arrived and when it last changed, by the time passed in', async () => {
    await save([change(0, 1, 1)]);
    const later = new Date(NOW.getTime() + 60_000);
    await save([change(0, 2, 2)], {}, later);
    const { rows } = await database.pool.query(
      'select created_at, saved_at from answers where participant_id = $1',
      [attempt.participantId],
    );
    expect(rows).toEqual([{ created_at: NOW, saved_at: later }]);
  });

  it('returns a higher stored revision even with the same content, but no repeated row', async () => {
    await save([change(0, 1, 1), change(1, 2, 4)]);
    expect(await save([change(0, 1, 1), change(1, 2, 3)])).toMatchObject({
      kind: 'saved',
      unchanged: [{ questionId: quiz.questionIds[1], optionId: 2, isFlagged: false, revision: 4 }],
    });
  });

  it('reads what is stored only when something was not written', async () => {
    const asked = vi.spyOn(database.pool, 'query');
    await save([change(0, 1, 1), change(1, 1, 1)]);
    expect(asked).toHaveBeenCalledTimes(1);
    await save([change(0, 1, 1), change(1, 1, 1)]);
    expect(asked).toHaveBeenCalledTimes(3);
  });

  it('answers each save of a batch separately', async () => {
    const [other, third] = [
      await storeRunning(database.pool, quiz),
      await storeRunning(database.pool, quiz),
    ];
    await save([change(0, 4, 9)], third);
    await writer.idle();
    const saves = await Promise.all([
      save([change(0, 1, 1)]),
      save([change(0, 2, 1), change(1, 3, 1)], other),
      save([change(1, 1, 1)], { ...other, participantId: newId() }),
      save([change(0, 3, 9), change(1, 1, 1)], third),
    ]);
    expect(saves.map(({ kind }) => kind)).toEqual(['saved', 'saved', 'refused', 'conflict']);
    expect(await outcomes()).toEqual({ saved: 3, conflict: 1, refused: 1, failed: 0 });
    expect(await stored()).toEqual([[0, 1, false, 1]]);
    expect(await stored(other)).toEqual([
      [0, 2, false, 1],
      [1, 3, false, 1],
    ]);
    expect(await stored(third)).toEqual([[0, 4, false, 9]]);
    // The first went alone because nothing was running; the others were batched behind it.
    expect(await histogram('saveBatches')).toMatchObject({ 1: 2, 2: 2, 5: 3, count: 3, sum: 5 });
  });

  it('writes nothing of a save whose equal revision another process wrote, and all of its batch', async () => {
    const [first, second] = [
      await storeRunning(database.pool, quiz),
      await storeRunning(database.pool, quiz),
    ];
    const held = await HeldWindow.atAnswer(database.pool, {
      participantId: attempt.participantId,
      questionId: quiz.questionIds[1],
      optionId: 3,
      at: NOW,
    });
    // The first goes alone, the others are batched behind it.
    const saving = [
      save([change(0, 1, 1)], first),
      save([change(0, 1, 1), change(1, 1, 1), change(2, 1, 1)]),
      save([change(0, 2, 1)], second),
    ];
    await held.untilStuck(database.pool, 1);
    await held.commit();
    expect((await Promise.all(saving)).map(({ kind }) => kind)).toEqual([
      'saved',
      'conflict',
      'saved',
    ]);
    expect(await stored()).toEqual([[1, 3, false, 1]]);
    expect(await stored(first)).toEqual([[0, 1, false, 1]]);
    expect(await stored(second)).toEqual([[0, 2, false, 1]]);
    expect(await histogram('saveBatches')).toMatchObject({ count: 2 });
  });

  it('puts at most 200 saves into one batch', async () => {
    const saves = Array.from({ length: 202 }, () =>
      save([change(0, 1, 1)], { participantId: newId() }),
    );
    expect(new Set((await Promise.all(saves)).map(({ kind }) => kind))).toEqual(
      new Set(['refused']),
    );
    // One alone, 200 together, then the last one.
    const batches = { 1: 2, 100: 2, 200: 3, count: 3, sum: 202 };
    expect(await histogram('saveBatches')).toMatchObject(batches);
  });

  describe('when the database fails', () => {
    const failing = (code: string) =>
      vi
        .spyOn(database.pool, 'query')
        .mockImplementation((() =>
          Promise.reject(Object.assign(new Error('failed'), { code }))) as never);
    const several = () =>
      Promise.allSettled(
        [1, 2, 3, 4].map(() => save([change(0, 1, 1)], { participantId: newId() })),
      );

    it('retries each save of a batch alone, so that one bad save fails alone', async () => {
      const tried = failing('22003');
      expect((await several()).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
      // The first alone, the three together, and each of the three.
      expect(tried).toHaveBeenCalledTimes(5);
      expect(await outcomes()).toMatchObject({ failed: 4 });
    });

    it('does not retry each save when the database is away', async () => {
      const tried = failing('57P01');
      expect((await several()).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
      expect(tried).toHaveBeenCalledTimes(3);
      expect(await outcomes()).toMatchObject({ failed: 4 });
    });

    it('answers within 12.5 s when the database hangs, and no sooner than 12 s', async () => {
      vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
      try {
        vi.spyOn(database.pool, 'query').mockImplementation(
          (() => new Promise(() => undefined)) as never,
        );
        let reason: unknown;
        void save([change(0, 1, 1)]).catch((error: unknown) => {
          reason = error;
        });
        await vi.advanceTimersByTimeAsync(11_500);
        expect(reason).toBeUndefined();
        await vi.advanceTimersByTimeAsync(1_000);
        expect(reason).toBeInstanceOf(DatabaseTooSlow);
        expect((reason as Error).message).toBe('a save waited too long');
        expect(await outcomes()).toMatchObject({ failed: 1 });
      } finally {
        vi.useRealTimers();
      }
    });
  });

  it('is idle once every save has been answered', async () => {
    let isAnswered = false;
    void save([change(0, 1, 1)]).then(() => {
      isAnswered = true;
    });
    await writer.idle();
    expect(isAnswered).toBe(true);
  });
});
