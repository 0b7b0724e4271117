import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import {
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('submitting', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let candidate: Candidate;
  let attempt: { id: string; startedAt: string; deadlineAt: string };
  let n = 0;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin, { duration: 10 });
  });
  beforeEach(async () => {
    n += 1;
    app.admin = await signInAdmin(app, `admin${n}@example.org`);
    candidate = await inviteCandidate(app, app.admin, quiz.id, `u${n}@example.org`);
    attempt = (await app.call('startParticipant', { as: candidate.cookie, body: {} })).body;
  });

  const submit = (body: unknown = {}, as = candidate.cookie, id = attempt.id) =>
    app.call('submitParticipant', { as, params: { id }, body });
  const giveFiveMinutes = () =>
    app.call('extendParticipant', {
      as: app.admin,
      params: { id: attempt.id },
      body: { minutes: 5, reason: 'Alarm' },
    });
  const save = (...answers: object[]) =>
    app.call('saveAnswers', {
      as: candidate.cookie,
      params: { id: attempt.id },
      body: { answers },
    });
  /** A change of the i-th question; the second option is the right one. */
  const change = (i: number, option: number | null, revision?: number, isFlagged = false) => ({
    questionId: quiz.questions[i]?.id,
    selectedOption: option === null ? '' : quiz.questions[i]?.options[option],
    isFlagged,
    ...(revision === undefined ? {} : { revision }),
  });
  const row = async () =>
    (await app.pool.query('select * from participants where id = $1', [attempt.id])).rows[0];
  const stored = async () => {
    const { body } = await app.call('listAnswers', { as: app.admin, params: { id: attempt.id } });
    return new Map(
      body.map((a: { questionId: string; selectedOption: string }) => [
        quiz.questions.findIndex((q) => q.id === a.questionId),
        a.selectedOption,
      ]),
    );
  };
  const late = async () =>
    (await app.call('listLateAnswers', { as: app.admin, params: { id: attempt.id } })).body;

  describe('is refused, stores nothing and ends nothing', () => {
    it.each([
      ['an option of another question', 400, 'INVALID_INPUT', () => change(1, 0).selectedOption],
      ['part of an option', 400, 'INVALID_INPUT', () => 'Q1'],
    ])('for %s', async (_, status, code, option) => {
      const wrong = { ...change(0, 0, 1), selectedOption: option() };
      const reply = await submit({ answers: [change(1, 1, 1), wrong] });
      expect(reply).toMatchObject({ status, body: { code, issues: [{ path: 'answers.1' }] } });
      expect(await row()).toMatchObject({ status: 'in_progress', score: null });
      expect(await stored()).toEqual(new Map());
    });

    it.each([UNKNOWN, '11111111-1111-1111-1111-111111111111'])(
      'for a question that is not on the paper (%s) and for a repeated one',
      async (questionId) => {
        const foreign = { ...change(0, 1, 1), questionId };
        expect(await submit({ answers: [change(0, 1, 1), foreign] })).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND', issues: [{ path: 'answers.1' }] },
        });
        expect(await submit({ answers: [change(0, 1, 1), change(0, 2, 2)] })).toMatchObject({
          status: 400,
          body: { issues: [{ path: 'answers.1' }] },
        });
        expect((await row()).status).toBe('in_progress');
      },
    );

    it('for a revision stored with other content', async () => {
      await save(change(0, 0, 3));
      const reply = await submit({ answers: [change(1, 1, 1), change(0, 1, 3)] });
      expect(reply).toMatchObject({
        status: 409,
        body: { code: 'REVISION_CONFLICT', issues: [{ path: 'answers.1' }] },
      });
      expect((await row()).status).toBe('in_progress');
      expect(await stored()).toEqual(new Map([[0, 'Q1 a']]));
    });

    it('for a row of someone else’s attempt', async () => {
      const theirs = { ...change(1, 1, 1), participantId: UNKNOWN };
      const mine = { ...change(0, 1, 1), participantId: attempt.id };
      expect((await submit({ answers: [mine, theirs] })).status).toBe(404);
      expect((await row()).status).toBe('in_progress');
      expect((await submit({ answers: [mine] })).body.summary.answeredCount).toBe(1);
    });

    it('from the older session after a takeover', async () => {
      const newer = await signInCandidate(app, candidate.email, candidate.code);
      expect(await submit({ answers: [change(0, 1, 1)] })).toMatchObject({
        status: 401,
        body: { code: 'SESSION_REPLACED' },
      });
      expect((await row()).status).toBe('in_progress');
      expect((await submit({}, newer.cookie)).status).toBe(200);
      expect(await stored()).toEqual(new Map());
    });
  });

  it('ends the attempt with the answers so far, and returns a summary', async () => {
    await save(change(0, 1, 1), change(1, 0, 1));
    app.clock.advance({ seconds: 125 });
    const reply = await submit({
      answers: [change(1, 1, 2), change(2, 1), change(3, null)],
      participant: { status: 'dismissed', timeSpent: 1, score: 99, violationCount: 50 },
    });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        participant: {
          id: attempt.id,
          status: 'completed',
          submissionType: 'manual',
          submittedAt: app.clock.now().toISOString(),
          timeSpent: 125,
          violationCount: 0,
          remainingMs: 0,
        },
        summary: {
          status: 'completed',
          timeSpent: 125,
          answeredCount: 3,
          totalQuestions: 5,
          violationCount: 0,
          submissionType: 'manual',
        },
        receipt: { id: expect.stringMatching(/^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/) },
      },
    });
    expect(await row()).toMatchObject({ score: 3, answered_count: 3, total_marks: 5 });
    const listed = await app.call('getParticipant', { as: app.admin, params: { id: attempt.id } });
    expect(listed.body).toMatchObject({ score: 3, status: 'completed', timeSpent: 125 });
  });

  it('keeps stored answers that it lacks, and overwrites none with a blank', async () => {
    await save(change(0, 1, 5), change(1, 1, 5), change(2, 1, 5), change(3, 1, 5, true));
    await submit({
      answers: [
        // no revision: something is stored
        change(0, null),
        // no revision, and another option than stored
        change(1, 2),
        // an older revision
        change(2, null, 4),
      ],
    });
    expect(await stored()).toEqual(
      new Map([
        [0, 'Q1 b'],
        [1, 'Q2 b'],
        [2, 'Q3 b'],
        [3, 'Q4 b'],
      ]),
    );
    expect((await row()).score).toBe(4);
  });

  it('stores a blank with a newer revision, and rows without one where nothing is stored', async () => {
    await save(change(0, 1, 1));
    await submit({
      answers: [
        change(0, null, 2),
        change(1, 1),
        change(2, null),
        change(3, null, undefined, true),
      ],
    });
    expect(await stored()).toEqual(
      new Map([
        [0, ''],
        [1, 'Q2 b'],
        [3, ''],
      ]),
    );
    expect(await row()).toMatchObject({ score: 1, answered_count: 1 });
  });

  it('returns the same body on every repetition and changes nothing more', async () => {
    const first = await submit({ answers: [change(0, 1, 1)] });
    const before = await row();
    const bodies = [
      {},
      { answers: [change(0, 1, 1)] },
      { answers: [change(0, 2, 1)] },
      { answers: [change(0, 2, 9), change(4, 1)] },
      { participant: { submissionType: 'auto', score: 5 } },
      { participant: { submissionType: null, deadlineAt: null } },
      { participant: { submissionType: 'x'.repeat(50), deadlineAt: 'soon', startedAt: 7 } },
    ];
    for (const body of bodies) {
      app.clock.advance({ seconds: 30 });
      const again = await submit(body);
      expect(again.status).toBe(200);
      expect(again.text).toBe(first.text);
    }
    app.clock.advance({ minutes: 9 });
    expect((await submit()).text).toBe(first.text);
    expect(await row()).toEqual(before);
    expect(await stored()).toEqual(new Map([[0, 'Q1 b']]));
    // Late answers that would have changed something are stored separately, once each.
    expect(await late()).toMatchObject([
      { selectedOption: 'Q1 c', revision: 9 },
      { selectedOption: 'Q5 b', revision: null },
    ]);
    const { rows } = await app.pool.query(
      "select count(*)::int as n from participant_events where participant_id = $1 and kind = 'ended'",
      [attempt.id],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('ends once when several arrive concurrently, with one body for all', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => submit({ answers: [change(0, i % 4, i + 1)] })),
    );
    expect(new Set(replies.map((r) => r.status))).toEqual(new Set([200]));
    expect(new Set(replies.map((r) => r.text)).size).toBe(1);
  });

  it('counts within the grace period at its arrival; later, the clock has ended the attempt', async () => {
    app.clock.advance({ minutes: 10, ms: ATTEMPT_LIMITS.graceMs });
    const inGrace = await submit({ answers: [change(0, 1, 1)] });
    expect(inGrace.body.summary).toMatchObject({
      submissionType: 'manual',
      timeSpent: 600 + ATTEMPT_LIMITS.graceMs / 1_000,
    });
    expect(inGrace.headers['x-late-answers']).toBeUndefined();

    const other = await inviteCandidate(app, app.admin, quiz.id, `grace${n}@example.org`);
    attempt = (await app.call('startParticipant', { as: other.cookie, body: {} })).body;
    candidate = other;
    app.clock.advance({ minutes: 10, ms: ATTEMPT_LIMITS.graceMs + 1 });
    const tooLate = await submit({ answers: [change(0, 1, 1)] });
    expect(tooLate.body.summary).toMatchObject({ submissionType: 'auto', timeSpent: 600 });
    // Returned in a header, as the body is the same at every call.
    expect(tooLate.headers['x-late-answers']).toBe('1');
    expect(tooLate.body.participant.submittedAt).toBe(attempt.deadlineAt);
    expect(await row()).toMatchObject({ score: 0, answered_count: 0 });
    expect(await late()).toMatchObject([{ selectedOption: 'Q1 b', revision: 1 }]);
    const before = await row();
    await closeDueParticipants(app.context);
    expect(await row()).toEqual(before);
  });

  it.each([
    ['manual before the deadline, although the browser claims the clock', -1, 'auto', 'manual'],
    ['automatic at the deadline when the browser reports the clock', 0, 'auto', 'auto'],
    ['manual in the grace period, whatever is claimed', 5_000, 'dismissed', 'manual'],
  ])('is %s', async (_, ms, claimed, submissionType) => {
    app.clock.advance({ minutes: 10, ms });
    const { body } = await submit({ participant: { submissionType: claimed } });
    expect(body.summary.submissionType).toBe(submissionType);
  });

  it('is not automatic by a page that has lost count', async () => {
    const ofTime = { submissionType: 'auto', deadlineAt: attempt.deadlineAt };
    app.clock.advance({ minutes: 10, ms: -2_001 });
    expect((await submit({ participant: ofTime })).body.code).toBe('TIME_LEFT');
    app.clock.advance({ ms: 1 });
    expect((await submit({ participant: ofTime })).status).toBe(200);
  });

  it('is not automatic at an outdated deadline', async () => {
    const ofTime = { submissionType: 'auto', deadlineAt: attempt.deadlineAt };
    await giveFiveMinutes();
    app.clock.advance({ minutes: 10, seconds: 1 });
    const before = await row();
    const early = await submit({ answers: [change(0, 1, 1)], participant: ofTime });
    expect(early).toMatchObject({ status: 409, body: { code: 'TIME_LEFT' } });
    expect(await row()).toEqual(before);
    expect(await stored()).toEqual(new Map());

    // A manual submit ends it anyway, whatever time the page knows of.
    const pressed = { ...ofTime, submissionType: 'manual' };
    expect((await submit({ participant: pressed })).body.summary.submissionType).toBe('manual');
    expect((await submit({ participant: ofTime })).status).toBe(200);
  });
});
