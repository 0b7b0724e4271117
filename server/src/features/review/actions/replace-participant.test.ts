import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  passTime,
  plainQuestions,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

describe('replacing an ended attempt', () => {
  const app = setUpApp();
  let admin: string;
  let attempt: BegunAttempt;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    attempt = await beginAttempt(app, admin);
  });

  const replace = (how: unknown, id = attempt.id, reason: unknown = 'The camera failed') =>
    app.call('replaceParticipant', { as: admin, params: { id }, body: { how, reason } });
  const paperOf = async (id: string) =>
    (
      await app.pool.query(
        `select position, question_id, question_version, option_order from paper_questions
         where participant_id = $1 order by position`,
        [id],
      )
    ).rows;
  const signIn = () =>
    app.call('login', {
      body: { email: attempt.candidate.email, password: attempt.candidate.code },
    });
  const list = async () =>
    (await app.call('listParticipants', { as: admin, query: { quizId: attempt.quiz.id } })).body;

  describe('is refused', () => {
    it.each([
      ['without a kind', undefined, 'r', 'how'],
      ['with an unknown kind', 'again', 'r', 'how'],
      ['without a reason', 'another', undefined, 'reason'],
      ['with a blank reason', 'reinstate', ' ', 'reason'],
    ])('%s', async (_, how, reason, path) => {
      await attempt.submit();
      const reply = await replace(how, attempt.id, reason ?? null);
      expect(reply).toMatchObject({ status: 400, body: { issues: [{ path }] } });
      expect((await attempt.row()).replaced_at).toBeNull();
    });

    it('while the attempt runs, for an unknown attempt, and to the candidate', async () => {
      expect(await replace('another')).toMatchObject({
        status: 409,
        body: { code: 'STILL_RUNNING' },
      });
      expect((await replace('another', attempt.quiz.id)).status).toBe(404);
      await attempt.submit();
      const own = await app.call('replaceParticipant', {
        as: attempt.candidate.cookie,
        params: { id: attempt.id },
        body: { how: 'another', reason: 'Please' },
      });
      expect(own.status).toBe(403);
    });

    it('a second time, even when two administrators do it at once', async () => {
      await attempt.submit();
      const replies = await Promise.all([replace('another'), replace('reinstate')]);
      expect(replies.map((r) => r.status).sort()).toEqual([200, 409]);
      expect(await replace('another')).toMatchObject({
        status: 409,
        body: { code: 'ALREADY_REPLACED' },
      });
    });
  });

  it('starts another attempt with a new paper, full time and the same code', async () => {
    const quiz = await makeQuiz(app, admin, { duration: 25, questions: plainQuestions(20) });
    attempt = await beginAttempt(app, admin, quiz);
    await attempt.save(0, 1, 3, true);
    app.clock.advance({ minutes: 10 });
    await attempt.submit();
    const refused = await signIn();
    expect(refused).toMatchObject({ status: 403, body: { code: 'ALREADY_COMPLETED' } });
    expect(refused.body.details).not.toHaveProperty('status');
    expect(await replace('another')).toMatchObject({
      status: 200,
      body: { id: attempt.id, status: 'completed' },
    });
    await attempt.signIn();
    expect((await app.call('me', { as: attempt.candidate.cookie })).body.attempt).toBeNull();
    app.clock.advance({ minutes: 5 });
    const started = await attempt.start();
    expect(started).toMatchObject({
      status: 201,
      body: { status: 'in_progress', remainingMs: 25 * 60_000, answeredCount: 0 },
    });
    expect(started.body.id).not.toBe(attempt.id);
    const [before, after] = [await paperOf(attempt.id), await paperOf(started.body.id)];
    expect(after).toHaveLength(20);
    expect(after).not.toEqual(before);
    const stored = await app.call('listAnswers', {
      as: attempt.candidate.cookie,
      params: { id: started.body.id },
    });
    expect(stored.body).toEqual([]);
  });

  it('resumes a reinstated one: paper, answers, flags, remaining time, counters at 0', async () => {
    await attempt.save(0, 1, 3, true);
    await attempt.save(1, 0, 7);
    app.clock.advance({ minutes: 10 });
    await app.pool.query(
      `update participants set counted_violations = 3, violation_calls = 4, fullscreen_exits = 2,
         tab_switches = 1, close_at = $2, close_reason = 'dismissed' where id = $1`,
      [attempt.id, app.clock.now()],
    );
    await passTime(app, { seconds: 1 });
    expect(await attempt.row()).toMatchObject({ status: 'dismissed' });
    await replace('reinstate');

    app.clock.advance({ days: 1 });
    await attempt.signIn();
    const { status, body } = await attempt.start();
    expect([status, body]).toMatchObject([
      201,
      {
        // 25 minutes, of which 10 had passed when it was dismissed.
        remainingMs: 15 * 60_000,
        startedAt: app.clock.now().toISOString(),
        violationCount: 0,
        fullscreenExits: 0,
        tabSwitches: 0,
        answeredCount: 2,
        totalQuestions: 5,
      },
    ]);
    expect(await paperOf(body.id)).toEqual(await paperOf(attempt.id));
    const answers = await app.call('listAnswers', {
      as: attempt.candidate.cookie,
      params: { id: body.id },
    });
    const [first, second] = attempt.quiz.questions;
    expect(answers.body).toHaveLength(2);
    expect(answers.body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          questionId: first?.id,
          selectedOption: first?.options[1],
          isFlagged: true,
          revision: 3,
        }),
        expect.objectContaining({
          questionId: second?.id,
          selectedOption: second?.options[0],
          isFlagged: false,
          revision: 7,
        }),
      ]),
    );
  });

  it('gives a reinstated one the minutes added, from the moment the candidate enters', async () => {
    await attempt.save(0, 1, 3);
    // A power cut: the deadline passes without a save.
    await passTime(app, { minutes: 26 });
    const ended = await attempt.row();
    expect(ended).toMatchObject({ status: 'completed', submission_type: 'auto' });
    const params = { id: attempt.id };
    const again = (minutes: unknown) =>
      app.call('replaceParticipant', {
        as: admin,
        params,
        body: { how: 'reinstate', minutes, reason: 'The power failed' },
      });
    for (const minutes of [0, 181, 1.5, '20']) {
      expect(await again(minutes)).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'minutes' }] },
      });
    }
    expect((await again(20)).status).toBe(200);
    app.clock.advance({ days: 1 });
    await attempt.signIn();
    const { body } = await attempt.start();
    expect(body).toMatchObject({ remainingMs: 20 * 60_000, answeredCount: 1 });
    expect((await attempt.row()).deadline_at).toEqual(ended.deadline_at);
    admin = await signInAdmin(app, `next-day${n}@example.org`);
    const { events } = (await app.call('getParticipantRecord', { as: admin, params })).body;
    const details = { how: 'reinstate', minutes: 20 };
    expect(events).toContainEqual(expect.objectContaining({ kind: 'replaced', details }));
  });

  it('adds them to the time that was left, and none to another attempt', async () => {
    app.clock.advance({ minutes: 5 });
    await attempt.submit();
    const params = { id: attempt.id };
    const body = { how: 'reinstate', minutes: 7, reason: 'r' };
    await app.call('replaceParticipant', { as: admin, params, body });
    await attempt.signIn();
    const second = (await attempt.start()).body;
    expect(second.remainingMs).toBe((20 + 7) * 60_000);
    attempt.id = second.id;
    await attempt.submit();
    await app.call('replaceParticipant', {
      as: admin,
      params: { id: second.id },
      body: { ...body, how: 'another' },
    });
    await attempt.signIn();
    expect((await attempt.start()).body.remainingMs).toBe(25 * 60_000);
  });

  it('leaves lists, statistics and reports; the new record links it', async () => {
    await attempt.save(0, 1, 1);
    await attempt.submit();
    const before = (await app.call('getStats', { as: admin })).body;
    await replace('another');
    expect(await list()).toEqual([]);
    const between = (await app.call('getStats', { as: admin })).body;
    expect(between.totalParticipants).toBe(before.totalParticipants - 1);
    expect(JSON.stringify(between)).not.toContain(attempt.candidate.email);

    const first = attempt.id;
    attempt.id = (await attempt.start()).body.id;
    expect(await list()).toMatchObject([{ id: attempt.id, attempt: 2, status: 'in_progress' }]);
    const after = (await app.call('getStats', { as: admin })).body;
    expect(after.totalParticipants).toBe(before.totalParticipants);
    const query = { quizId: attempt.quiz.id };
    const { text } = await app.call('exportParticipants', { as: admin, query });
    expect([text.includes(attempt.id), text.includes(first)]).toEqual([true, false]);

    expect((await attempt.record()).body.earlierAttempts).toMatchObject([
      { id: first, attempt: 1, status: 'completed', score: 1 },
    ]);
    const earlier = await app.call('getParticipantRecord', { as: admin, params: { id: first } });
    expect(earlier.body.earlierAttempts).toEqual([]);
    expect(earlier.body.events.at(-1)).toMatchObject({
      kind: 'replaced',
      details: { how: 'another' },
    });
    expect(earlier.body.actions).toMatchObject([
      { action: 'participant.another_attempt', reason: 'The camera failed' },
    ]);
  });
});
