import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  inviteCandidate,
  makeQuiz,
  plainQuestions,
  setUpAppWithAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { describe, expect, it, vi } from 'vitest';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('starting', () => {
  const app = setUpAppWithAdmin();
  let n = 0;
  const newCandidate = (quizId: string) => {
    n += 1;
    return inviteCandidate(app, app.admin, quizId, `s${n}@example.org`);
  };
  const start = (as: string, body: unknown = {}) => app.call('startParticipant', { as, body });
  const rowsOf = async (quizId: string) =>
    (await app.pool.query('select * from participants where quiz_id = $1', [quizId])).rows;
  const editQuiz = async (id: string, change: object) => {
    const quizzes = (await app.call('listQuizzes', { as: app.admin })).body;
    const quiz = quizzes.find((q: { id: string }) => q.id === id);
    await app.call('updateQuiz', { as: app.admin, params: { id }, body: { ...quiz, ...change } });
  };

  it('lets the session cookie outlive the browser, and the deadline with all extra time', async () => {
    const { cookie } = await newCandidate((await makeQuiz(app, app.admin, { duration: 10 })).id);
    const { headers } = await start(cookie);
    // By the browser's own clock from now on, however wrong that is.
    expect(String(headers['set-cookie'])).toContain('Max-Age=604800;');
    expect(String(headers['set-cookie'])).not.toContain('Expires');
    expect(String(headers['set-cookie'])).toMatch(/HttpOnly.*SameSite=Lax/);
  });

  describe('with a consent', () => {
    const consent = (to: object) => ({
      consent: {
        textVersion: '2026-2',
        to: { camera: true, microphone: true, stills: true, ...to },
      },
    });
    const quizWith = async (change: object) => {
      const policy = { ...STRICT_POLICY, preset: 'custom', ...change };
      return newCandidate((await makeQuiz(app, app.admin, { policy })).id);
    };

    it.each([
      ['the camera', { stillEveryMs: null }, { camera: false }],
      ['the microphone', {}, { microphone: false }],
      ['stills at intervals', { stillEveryMs: 60_000 }, { stills: false }],
    ])(
      'is refused where %s was switched on after reading, and starts once it has been read again',
      async (_, policy, to) => {
        const { cookie } = await quizWith(policy);
        expect(await start(cookie, consent(to))).toMatchObject({
          status: 409,
          body: { code: 'CONSENT_OUTDATED' },
        });
        expect((await app.call('me', { as: cookie })).body.attempt).toBeNull();
        expect((await start(cookie, consent({}))).status).toBe(201);
        // The running attempt has its consent; a page that continues with it is not asked again.
        expect((await start(cookie, consent(to))).status).toBe(200);
      },
    );

    it.each([
      ['a sensor that is not used', { camera: false }, { camera: false, stills: false }],
      ['a consent without details', {}, null],
    ])('starts without %s', async (_, policy, to) => {
      const { cookie } = await quizWith(policy);
      const body = to === null ? { consent: { textVersion: '2026-2' } } : consent(to);
      expect((await start(cookie, body)).status).toBe(201);
    });
  });

  describe('is refused, writing no row', () => {
    it('for another person or assessment', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const other = await makeQuiz(app, app.admin);
      const one = await newCandidate(quiz.id);
      const two = await newCandidate(quiz.id);
      for (const body of [
        { userId: two.userId },
        { userId: UNKNOWN },
        { quizId: other.id },
        { userId: one.userId, quizId: other.id },
        { resumes: UNKNOWN },
      ]) {
        expect(await start(one.cookie, body)).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        });
      }
      expect((await start(one.cookie, { quizId: 'mine' })).status).toBe(400);
      expect(await rowsOf(quiz.id)).toEqual([]);
    });

    it.each([
      ['inactive', { isActive: false }],
      ['past its end date', { endDate: '2026-05-14T07:59:59.999Z' }],
    ])('when the assessment is %s', async (_, change) => {
      const quiz = await makeQuiz(app, app.admin);
      const candidate = await newCandidate(quiz.id);
      await editQuiz(quiz.id, change);
      expect(await start(candidate.cookie)).toMatchObject({
        status: 403,
        body: {
          code: 'QUIZ_INACTIVE',
          message: 'This assessment is no longer active and cannot be accessed.',
        },
      });
      expect(await rowsOf(quiz.id)).toEqual([]);
    });

    it('without questions, and accepted once there is one', async () => {
      const quiz = await makeQuiz(app, app.admin, { questions: plainQuestions(1) });
      const candidate = await newCandidate(quiz.id);
      const params = { id: quiz.id, questionId: quiz.questions[0]?.id ?? '' };
      await app.call('deleteQuestion', { as: app.admin, params });
      expect(await start(candidate.cookie)).toMatchObject({
        status: 409,
        body: { code: 'NO_QUESTIONS', message: 'No questions found for this Assessment' },
      });
      expect(await rowsOf(quiz.id)).toEqual([]);
      await app.call('createQuestion', {
        as: app.admin,
        params: { id: quiz.id },
        body: plainQuestions(1)[0],
      });
      expect(await start(candidate.cookie)).toMatchObject({
        status: 201,
        body: { totalQuestions: 1 },
      });
    });

    it('once the attempt has ended, by a submit or by the clock', async () => {
      const quiz = await makeQuiz(app, app.admin, { duration: 1 });
      const submitted = await newCandidate(quiz.id);
      const { body } = await start(submitted.cookie);
      await app.call('submitParticipant', {
        as: submitted.cookie,
        params: { id: body.id },
        body: {},
      });
      const late = await newCandidate(quiz.id);
      await start(late.cookie);
      app.clock.advance({ seconds: 71 });
      for (const { cookie } of [submitted, late]) {
        expect(await start(cookie)).toMatchObject({
          status: 403,
          body: { code: 'ALREADY_COMPLETED', message: 'You have already completed this test' },
        });
      }
      // The late call closed the attempt itself: there is one end, at the deadline.
      expect(await closeDueParticipants(app.context)).toBe(0);
      const rows = await rowsOf(quiz.id);
      expect(rows.map((r) => [r.status, r.submission_type]).sort()).toEqual([
        ['completed', 'auto'],
        ['completed', 'manual'],
      ]);
    });

    it('while the disk is nearly full, except for attempts in progress', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const begun = await newCandidate(quiz.id);
      const waiting = await newCandidate(quiz.id);
      const { body } = await start(begun.cookie);
      vi.spyOn(app.context.disk, 'isLow', 'get').mockReturnValue(true);
      const refused = await start(waiting.cookie);
      expect(refused).toMatchObject({ status: 503, body: { code: 'DISK_LOW' } });
      expect(refused.headers['retry-after']).toBe('60');
      expect(await start(begun.cookie)).toMatchObject({ status: 200, body: { id: body.id } });
      expect(await rowsOf(quiz.id)).toHaveLength(1);
      vi.restoreAllMocks();
      expect((await start(waiting.cookie)).status).toBe(201);
    });
  });

  it('ignores what the browser claims about status and times', async () => {
    const quiz = await makeQuiz(app, app.admin, { duration: 30 });
    const candidate = await newCandidate(quiz.id);
    const now = app.clock.now();
    const reply = await start(candidate.cookie, {
      userId: candidate.userId,
      quizId: quiz.id,
      status: 'completed',
      timeSpent: 5_000,
      startedAt: '2020-01-01T00:00:00.000Z',
      consent: { textVersion: '1' },
      deviceCheck: { camera: 'granted', noiseFloor: -51.5, mobile: false, microphone: null },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId: candidate.userId,
      quizId: quiz.id,
      status: 'in_progress',
      startedAt: now.toISOString(),
      deadlineAt: new Date(now.getTime() + 1_800_000).toISOString(),
      remainingMs: 1_800_000,
      serverTime: now.toISOString(),
      totalQuestions: 5,
      answeredCount: 0,
      violationCount: 0,
      fullscreenExits: 0,
      tabSwitches: 0,
      policy: expect.objectContaining({ version: 1, preset: 'strict' }),
      submittedAt: null,
      timeSpent: 0,
      submissionType: null,
    });
    const [row] = await rowsOf(quiz.id);
    expect(row).toMatchObject({
      consent_text_version: '1',
      consent_at: now,
      consent_address: '127.0.0.1',
      device_check: { camera: 'granted', noiseFloor: -51.5, mobile: false, microphone: null },
    });
  });

  it.each([
    ['extra time', 1.5, 60, false, 45],
    ['extra time, with its seconds', 1.33, 60, false, 39.9],
    ['the end of the assessment', 1, 10, false, 10],
    ['an end that attempts may run past', 1, 10, true, 30],
  ])('sets a deadline that respects %s', async (_, factor, endsIn, finishAfterEnd, minutes) => {
    const endDate = new Date(app.clock.now().getTime() + endsIn * 60_000).toISOString();
    const quiz = await makeQuiz(app, app.admin, { duration: 30, endDate, finishAfterEnd });
    const { cookie } = await newCandidate(quiz.id);
    const change = 'update invitations set extra_time_factor = $2 where quiz_id = $1';
    await app.pool.query(change, [quiz.id, factor]);
    expect((await start(cookie)).body.remainingMs).toBe(minutes * 60_000);
  });

  it('records no consent when none was given', async () => {
    const quiz = await makeQuiz(app, app.admin);
    await start((await newCandidate(quiz.id)).cookie);
    expect((await rowsOf(quiz.id))[0]).toMatchObject({
      consent_text_version: null,
      consent_at: null,
      consent_address: null,
      device_check: null,
    });
  });

  it.each([
    ['more questions than requested', 9, 6, 6],
    ['as many as requested', 6, 6, 6],
    ['fewer than requested, and then uses all', 5, 40, 5],
  ])('draws the paper once from %s', async (_, there, totalQuestions, given) => {
    const quiz = await makeQuiz(app, app.admin, {
      questions: plainQuestions(there),
      totalQuestions,
    });
    const candidate = await newCandidate(quiz.id);
    const { body } = await start(candidate.cookie);
    expect(body.totalQuestions).toBe(given);
    const { rows } = await app.pool.query(
      'select * from paper_questions where participant_id = $1 order by position',
      [body.id],
    );
    expect(rows.map((r) => r.position)).toEqual(Array.from({ length: given }, (_, i) => i + 1));
    expect(new Set(rows.map((r) => r.question_id)).size).toBe(given);
    for (const row of rows) expect([...row.option_order].sort()).toEqual([1, 2, 3, 4]);
    await start(candidate.cookie);
    const again = await app.pool.query(
      'select * from paper_questions where participant_id = $1 order by position',
      [body.id],
    );
    expect(again.rows).toEqual(rows);
    const [row] = await rowsOf(quiz.id);
    expect(row.total_marks).toBe(given);
  });

  it('gives two candidates different orders', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: plainQuestions(20) });
    const orders = [];
    for (let i = 0; i < 2; i += 1) {
      const { body } = await start((await newCandidate(quiz.id)).cookie);
      const { rows } = await app.pool.query(
        'select question_id, option_order from paper_questions where participant_id = $1 order by position',
        [body.id],
      );
      orders.push(JSON.stringify(rows));
    }
    expect(orders[0]).not.toBe(orders[1]);
  });

  it('returns one attempt to any number of concurrent starts', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const candidate = await newCandidate(quiz.id);
    const replies = await Promise.all(Array.from({ length: 12 }, () => start(candidate.cookie)));
    expect(replies.map((r) => r.status).sort()).toEqual([...Array(11).fill(200), 201]);
    const facts = replies.map(({ body }) => [body.id, body.startedAt, body.deadlineAt].join());
    expect(new Set(facts).size).toBe(1);
    expect(await rowsOf(quiz.id)).toHaveLength(1);
    const { rows } = await app.pool.query(
      'select kind, count(*)::int from participant_events where participant_id = $1 group by 1 order by 1',
      [replies[0]?.body.id],
    );
    expect(rows).toEqual([
      { kind: 'resumed', count: 11 },
      { kind: 'started', count: 1 },
    ]);
  });

  it('resumes on another device with the remaining time', async () => {
    const quiz = await makeQuiz(app, app.admin, { duration: 30 });
    const candidate = await newCandidate(quiz.id);
    const first = (await start(candidate.cookie)).body;
    app.clock.advance({ minutes: 10 });
    const other = await signInCandidate(app, candidate.email, candidate.code);
    const resumed = await start(other.cookie);
    expect(resumed).toMatchObject({
      status: 200,
      body: { id: first.id, deadlineAt: first.deadlineAt, remainingMs: 1_200_000, timeSpent: 600 },
    });
    expect((await start(candidate.cookie)).body.code).toBe('SESSION_REPLACED');
  });
});
