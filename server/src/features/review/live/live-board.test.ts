import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { type OpenFrames, openFrames } from '@invigil/testkit/open-frames';
import { STILL } from '@invigil/testkit/stills';
import { storeAttempts } from '@invigil/testkit/stored';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../db/new-id.ts';
import { participants } from '../../../db/schema/attempts.ts';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';
import { listBoardQuizzes } from './board-queries.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('the live board', () => {
  const app = setUpApp();
  let admin: string;
  let quiz: MadeQuiz;
  let url: string;
  const open: OpenFrames[] = [];
  const begun: BegunAttempt[] = [];

  beforeAll(async () => {
    url = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    admin = await signInAdmin(app);
    quiz = await makeQuiz(app, admin, { title: 'Network Fundamentals' });
  });
  afterEach(async () => {
    for (const frames of open.splice(0)) frames.close();
    for (const attempt of begun.splice(0)) await attempt.submit();
  });

  async function begin() {
    const attempt = await beginAttempt(app, admin, quiz);
    begun.push(attempt);
    return attempt;
  }
  async function stream(path: string, as = admin) {
    const frames = await openFrames(`${url}/api/${path}`, as);
    open.push(frames);
    return frames;
  }
  const report = (attempt: BegunAttempt, violationType: string) =>
    app.call('reportViolation', {
      as: attempt.candidate.cookie,
      body: { participantId: attempt.id, violationType, notes: null },
    });
  const listOf = (
    frame: Record<string, unknown> | undefined,
    name: 'attempts' | 'ended' | 'gone',
  ) => (frame?.[name] ?? []) as { id: string }[];
  const idsOf = (frame: Record<string, unknown> | undefined) =>
    listOf(frame, 'attempts').map(({ id }) => id);
  /** The next frame with a change; one without only updates the time. */
  async function nextChange(frames: OpenFrames) {
    for (;;) {
      const frame = await frames.next();
      const isChange = listOf(frame, 'attempts').length > 0 || listOf(frame, 'gone').length > 0;
      if (isChange || !frame) return frame;
    }
  }
  /** The row of an attempt from the next frame that has it. */
  async function nextOf(frames: OpenFrames, id: string) {
    for (;;) {
      const frame = await frames.next();
      const row = listOf(frame, 'attempts').find((a) => a.id === id);
      if (row || !frame) return row;
    }
  }

  it('sends all attempts in progress first, the most urgent on top', async () => {
    const calm = await begin();
    const watched = await begin();
    const last = await begin();
    await report(watched, 'multiple_faces');
    await report(last, 'face_not_detected');
    await report(last, 'voice_detected');
    await calm.save(0, 1, 1);
    const frames = await stream('live');
    const first = await frames.next();
    expect(first).toMatchObject({ isWhole: true, gone: [], writing: 3, needAttention: 2 });
    expect(idsOf(first)).toEqual([last.id, watched.id, calm.id]);
    expect(first?.attempts).toMatchObject([
      {
        userEmail: last.candidate.email,
        quizTitle: 'Network Fundamentals',
        violationCount: 2,
        violationLimit: 3,
        attention: { kind: 'last_chance' },
        lastSignal: { type: 'voice_detected', counted: true },
      },
      { attention: { kind: 'high_flag' }, lastSignal: { type: 'multiple_faces', counted: false } },
      {
        attention: null,
        lastSignal: null,
        answeredCount: 1,
        totalQuestions: 5,
        remainingMs: 1_800_000,
        connection: 'online',
        isPhone: false,
        hasCamera: true,
      },
    ]);
    expect(first?.quizzes).toEqual([
      {
        quizId: quiz.id,
        title: 'Network Fundamentals',
        writing: 3,
        notStarted: 0,
        completed: expect.any(Number),
        dismissed: 0,
      },
    ]);
    expect(first?.ended).toBeDefined();
  });

  it('flags no missing face that may be covered', async () => {
    const covered = await begin();
    await app.context.db
      .update(participants)
      .set({ faceCovered: true })
      .where(eq(participants.id, covered.id));
    await report(covered, 'face_not_detected');
    const frames = await stream('live');
    expect((await frames.next())?.attempts).toMatchObject([
      { attention: null, lastSignal: { type: 'face_not_detected', counted: false } },
    ]);
    await report(covered, 'multiple_faces');
    expect(await nextOf(frames, covered.id)).toMatchObject({ attention: { kind: 'high_flag' } });
  });

  it('counts a person with another attempt that has not begun as not started', async () => {
    await begin();
    const again = await begin();
    await again.submit();
    const notStarted = async () => {
      const quizzes = await listBoardQuizzes(app.context.db, app.clock.now(), app.clock.now());
      return quizzes.find(({ quizId }) => quizId === quiz.id)?.notStarted;
    };
    expect(await notStarted()).toBe(0);
    await app.call('replaceParticipant', {
      as: admin,
      params: { id: again.id },
      body: { how: 'another', reason: 'The camera failed' },
    });
    expect(await notStarted()).toBe(1);
    again.id = (await again.start()).body.id;
    expect(await notStarted()).toBe(0);
  });

  it('counts the ends of the last day only', async () => {
    const own = await makeQuiz(app, admin, { title: 'Every day' });
    begun.push(await beginAttempt(app, admin, own));
    const startedAt = (hoursAgo: number) =>
      new Date(app.clock.now().getTime() - hoursAgo * 3_600_000);
    await storeAttempts(app, own.id, [
      { email: 'today@example.org', startedAt: startedAt(23), endedAfter: 60 },
      {
        email: 'dismissed@example.org',
        startedAt: startedAt(2),
        endedAfter: 60,
        status: 'dismissed',
      },
      { email: 'before@example.org', startedAt: startedAt(25), endedAfter: 60 },
    ]);
    const frame = await (await stream('live')).next();
    expect(frame?.quizzes).toContainEqual(
      expect.objectContaining({ quizId: own.id, writing: 1, completed: 1, dismissed: 1 }),
    );
  });

  it('lists the ends of the last half hour', async () => {
    const own = await makeQuiz(app, admin, { title: 'Ends' });
    const endedAgo = (minutes: number) => ({
      email: `ended${minutes}@example.org`,
      startedAt: new Date(app.clock.now().getTime() - minutes * 60_000 - 1_000),
      endedAfter: 1,
    });
    await storeAttempts(app, own.id, [endedAgo(29), endedAgo(31)]);
    const few = await (await stream('live')).next();
    expect(JSON.stringify(few?.ended)).toContain('ended29@example.org');
    expect(JSON.stringify(few?.ended)).not.toContain('ended31@example.org');
  });

  it('keeps attention for two minutes, whatever harmless event follows', {
    tags: 'long',
  }, async () => {
    const attempt = await begin();
    await report(attempt, 'clipboard');
    app.clock.advance({ seconds: 1 });
    await report(attempt, 'multiple_faces');
    app.clock.advance({ seconds: 1 });
    const since = new Date(app.clock.now().getTime() - 1_000).toISOString();
    for (const type of ['context_menu', 'clipboard', 'window_blur']) await report(attempt, type);
    const frames = await stream('live');
    expect(await nextOf(frames, attempt.id)).toMatchObject({
      attention: { kind: 'high_flag', since, signal: { type: 'multiple_faces', counted: false } },
      lastSignal: { type: 'window_blur' },
    });
    /** The row after one more harmless event. */
    const oneMoreAfter = async (seconds: number) => {
      app.clock.advance({ seconds });
      await attempt.heartbeat();
      await report(attempt, 'context_menu');
      const at = app.clock.now().toISOString();
      for (;;) {
        const row = await nextOf(frames, attempt.id);
        if (!row || JSON.stringify(row).includes(`"at":"${at}"`)) return row;
      }
    };
    expect(await oneMoreAfter(118)).toMatchObject({ attention: { kind: 'high_flag' } });
    expect(await oneMoreAfter(2)).toMatchObject({ attention: { kind: 'low_flag' } });
    expect(await oneMoreAfter(1)).toMatchObject({ attention: null });
  });

  it('detects an attempt that is one violation away from the limit of one kind', async () => {
    const limits = { ...STRICT_POLICY.limits, combined: 10 };
    const policy = { ...STRICT_POLICY, preset: 'custom', limits };
    const strict = await makeQuiz(app, admin, { title: 'By kind', policy });
    const near = await beginAttempt(app, admin, strict);
    const far = await beginAttempt(app, admin, strict);
    begun.push(near, far);
    await report(far, 'face_not_detected');
    await report(far, 'voice_detected');
    await report(near, 'face_not_detected');
    app.clock.advance({ seconds: 11 });
    await report(near, 'face_not_detected');
    const frame = await (await stream('live')).next();
    expect(listOf(frame, 'attempts')).toMatchObject([
      { id: near.id, violationCount: 2, attention: { kind: 'last_chance' } },
      { id: far.id, violationCount: 2, attention: { kind: 'violation' } },
    ]);
  });

  it('sends only what changed in its next frame', async () => {
    const one = await begin();
    const two = await begin();
    const frames = await stream('live');
    await frames.next();
    await one.save(0, 1, 1);
    expect(await nextOf(frames, one.id)).toMatchObject({ answeredCount: 1 });
    await report(two, 'face_not_detected');
    const frame = await nextChange(frames);
    expect(frame).toMatchObject({ isWhole: false, needAttention: 1 });
    expect(idsOf(frame)).toEqual([two.id]);
    await two.submit();
    begun.splice(begun.indexOf(two), 1);
    const end = await nextChange(frames);
    expect(end).toMatchObject({ gone: [two.id], attempts: [], writing: 1 });
    expect(listOf(end, 'ended')[0]).toMatchObject({ id: two.id, status: 'completed' });
  });

  it('sends nothing about an attempt that only sends heartbeats', { tags: 'long' }, async () => {
    const attempt = await begin();
    const frames = await stream('live');
    await frames.next();
    app.clock.advance({ seconds: 10 });
    await attempt.heartbeat();
    expect(await frames.next()).toMatchObject({ attempts: [], gone: [], writing: 1 });
  });

  it('shows a browser that has lost contact, and its return', { tags: 'long' }, async () => {
    const attempt = await begin();
    const frames = await stream('live');
    await frames.next();
    app.clock.advance({ seconds: 26 });
    expect(await nextOf(frames, attempt.id)).toMatchObject({
      connection: 'offline',
      attention: { kind: 'offline', since: attempt.startedAt.toISOString() },
    });
    await attempt.heartbeat();
    expect(await nextOf(frames, attempt.id)).toMatchObject({
      connection: 'online',
      attention: null,
    });
  });

  it('sends at most one frame a second, and queries the database once for all viewers', {
    tags: 'long',
  }, async () => {
    const attempt = await begin();
    const watchers = await Promise.all([stream('live'), stream('live'), stream('live')]);
    for (const frames of watchers) await frames.next();
    const query = app.context.db.execute.bind(app.context.db);
    let queries = 0;
    app.context.db.execute = ((statement: never) => {
      queries += 1;
      return query(statement);
    }) as typeof app.context.db.execute;
    const began = performance.now();
    for (let i = 0; i < 3; i += 1) {
      await attempt.save(0, i % 2, i + 1);
      for (const frames of watchers) await frames.next();
    }
    const seconds = (performance.now() - began) / 1_000;
    app.context.db.execute = query;
    expect(seconds).toBeGreaterThan(1.9);
    // The board and, every few polls, the two queries of whole assessments.
    expect(queries).toBeLessThanOrEqual(Math.ceil(seconds) + 2 + 2);
  });

  it('keeps its frames a second apart after a slow poll', { tags: 'long' }, async () => {
    const attempt = await begin();
    const frames = await stream('live');
    await frames.next();
    const query = app.context.db.execute.bind(app.context.db);
    let slowUntil = 0;
    app.context.db.execute = (async (statement: never) => {
      if (slowUntil === 0) {
        await new Promise((resolve) => setTimeout(resolve, 800));
        slowUntil = performance.now();
      }
      return query(statement);
    }) as unknown as typeof app.context.db.execute;
    await attempt.save(0, 1, 1);
    await frames.next();
    await frames.next();
    app.context.db.execute = query;
    expect(performance.now() - slowUntil).toBeGreaterThan(900);
  });

  it('ends with the session of the administrator', { tags: 'long' }, async () => {
    const other = await signInAdmin(app, 'other@example.org');
    const frames = await stream('live', other);
    await frames.next();
    const seen = async () =>
      (await app.pool.query('select max(last_seen_at) as at from sessions')).rows[0].at;
    // An open stream is activity: watching for half an hour does not sign out.
    for (let i = 0; i < 2; i += 1) {
      app.clock.advance({ minutes: 20 });
      await expect.poll(seen).toEqual(app.clock.now());
    }
    await app.call('logout', { as: other });
    const isOver = async () => (await frames.next()) === undefined;
    await expect.poll(isOver).toBe(true);
    expect((await stream('live', other)).status).toBe(401);
    admin = await signInAdmin(app, 'later@example.org');
  });

  it('counts the attempts in progress', async () => {
    const count = async () => (await app.call('getLiveCount', { as: admin })).body;
    const before = (await count()).writing;
    await begin();
    await begin();
    expect(await count()).toEqual({ writing: before + 2 });
  });

  describe('lets an administrator watch one person', () => {
    const thumbnail = (attempt: BegunAttempt, jpeg = STILL) =>
      app.call('sendThumbnail', {
        as: attempt.candidate.cookie,
        params: { id: attempt.id },
        body: { jpeg },
      });

    it('but not without an attempt in progress, or with the camera off', async () => {
      expect((await stream(`participants/${UNKNOWN}/watch`)).status).toBe(404);
      const attempt = await beginAttempt(app, admin, quiz);
      await attempt.submit();
      expect((await stream(`participants/${attempt.id}/watch`)).status).toBe(409);
      const unmonitored = await makeQuiz(app, admin, { policy: { preset: 'off' } });
      const off = await beginAttempt(app, admin, unmonitored);
      expect((await stream(`participants/${off.id}/watch`)).status).toBe(403);
      expect((await thumbnail(off)).status).toBe(403);
      await off.submit();
    });

    it('until the attempt ends', async () => {
      const attempt = await begin();
      const watching = await stream(`participants/${attempt.id}/watch`);
      await watching.next();
      const end = { as: admin, params: { id: attempt.id }, body: { reason: 'r' } };
      await app.call('endParticipant', end);
      app.clock.advance({ seconds: 11 });
      await closeDueParticipants(app.context);
      expect(await watching.next()).toBeUndefined();
    });
  });

  describe('applies an action to many', () => {
    const applyToMany = (
      ids: string[],
      action: object,
      reason: unknown = 'The room was locked late',
      id = newId(),
    ) => app.call('applyToMany', { as: admin, body: { id, ids, action, reason } });

    /**
     * Every commit that audits an action on the attempt fails, until the returned function is
     * called.
     */
    async function failCommitsOf(id: string) {
      await app.pool.query(`
        create function fail() returns trigger language plpgsql as
          $$ begin raise exception 'the disk is full'; end $$;
        create constraint trigger fail after insert on audit_entries
          deferrable initially deferred for each row
          when (new.subject_id = '${id}') execute function fail()`);
      return () => app.pool.query('drop function fail cascade');
    }

    it('but refuses an empty list, a missing reason and an unknown action', async () => {
      const { id } = await begin();
      const end = { kind: 'end' };
      for (const reply of [
        await applyToMany([], end),
        await applyToMany([id], end, ' '),
        await applyToMany([id], { kind: 'extend', minutes: 0 }),
        await applyToMany([id], { kind: 'message', text: '' }),
        await applyToMany([id], { kind: 'shout' }),
        await applyToMany(Array(1_001).fill(id), end),
        await applyToMany([id], end, 'r', 'again'),
      ]) {
        expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
      }
      expect(
        (await app.call('getParticipantRecord', { as: admin, params: { id } })).body.actions,
      ).toEqual([]);
    });

    it('and reports each attempt it could not apply to, once', async () => {
      const [one, two, gone] = [await begin(), await begin(), await beginAttempt(app, admin, quiz)];
      await gone.submit();
      const ids = [one.id, gone.id, two.id, UNKNOWN, one.id];
      expect((await applyToMany(ids, { kind: 'extend', minutes: 5 })).body).toMatchObject({
        done: [one.id, two.id],
        refused: [
          { id: gone.id, code: 'NOT_RUNNING' },
          { id: UNKNOWN, code: 'NOT_FOUND' },
        ],
      });
      for (const { record, deadlineAt } of [one, two]) {
        const { body } = await record();
        expect(Date.parse(body.deadlineAt)).toBe(deadlineAt.getTime() + 300_000);
        expect(body.actions).toMatchObject([
          { action: 'participant.extended', reason: 'The room was locked late' },
        ]);
      }
    });

    it.each([
      ['extra time', { kind: 'extend', minutes: 5 }, 'participant.extended'],
      ['a message', { kind: 'message', text: 'Continue, please' }, 'participant.messaged'],
      ['the end', { kind: 'end' }, 'participant.ended'],
    ])(
      'applies %s once to each when it fails midway and is sent again',
      async (_, action, logged) => {
        const three = [await begin(), await begin(), await begin()];
        const ids = three.map(({ id }) => id);
        const actionId = newId();
        const restore = await failCommitsOf(three[1]?.id ?? '');
        expect((await applyToMany(ids, action, 'r', actionId)).status).toBe(500);
        await restore();
        const applied = async () =>
          Promise.all(
            three.map(async ({ record }) => {
              const { deadlineAt, actions } = (await record()).body;
              return { deadlineAt, actions: actions.map((one: { action: string }) => one.action) };
            }),
          );
        expect((await applied()).map(({ actions }) => actions)).toEqual([[logged], [], []]);
        expect((await applyToMany(ids, action, 'r', actionId)).body).toEqual({
          done: ids,
          refused: [],
        });
        expect((await applyToMany(ids, action, 'r', actionId)).body).toEqual({
          done: ids,
          refused: [],
        });
        const minutes = 'minutes' in action ? Number(action.minutes) : 0;
        expect(await applied()).toEqual(
          three.map(({ deadlineAt }) => ({
            deadlineAt: new Date(deadlineAt.getTime() + minutes * 60_000).toISOString(),
            actions: [logged],
          })),
        );
      },
    );

    it('ends each ten seconds after it was processed, however long the others took', async () => {
      const three = [await begin(), await begin(), await begin()];
      const began = app.clock.now().getTime();
      let reads = 0;
      // Each reading of the clock takes a second.
      vi.spyOn(app.clock, 'now').mockImplementation(() => new Date(began + 1_000 * reads++));
      const ids = three.map(({ id }) => id);
      expect((await applyToMany(ids, { kind: 'end' })).body.done).toEqual(ids);
      vi.restoreAllMocks();
      const { rows } = await app.pool.query(
        'select close_at from participants where id = any ($1::uuid[]) order by close_at',
        [ids],
      );
      const [first, , last] = rows.map((row) => row.close_at.getTime() as number);
      expect((last ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2_000);
    });

    it('accepts a message without a reason', async () => {
      const { id, record } = await begin();
      const action = { kind: 'message', text: 'Please close the window' };
      const body = { id: newId(), ids: [id], action };
      const sent = await app.call('applyToMany', { as: admin, body });
      expect(sent).toMatchObject({ status: 200, body: { done: [id] } });
      const { actions, messages } = (await record()).body;
      expect(actions).toMatchObject([{ action: 'participant.messaged', reason: null }]);
      expect(messages).toMatchObject([{ text: 'Please close the window' }]);
    });
  });
});
