import {
  type BegunAttempt,
  beginAttempt,
  newestCodes,
  passTime,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const app = setUpApp();

let admin: string;
let attempt: BegunAttempt;
let n = 0;
beforeEach(async () => {
  n += 1;
  admin = await signInAdmin(app, `admin${n}@example.org`);
  attempt = await beginAttempt(app, admin);
});

const replace = (how: unknown, more: object = {}, id = attempt.id) =>
  app.call('replaceParticipant', {
    as: admin,
    params: { id },
    body: { how, reason: 'The camera failed', ...more },
  });
const signIn = () =>
  app.call('login', {
    body: { email: attempt.candidate.email, password: attempt.candidate.code },
  });

describe('replacing an ended attempt', () => {
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
      const reply = await replace(how, { reason });
      expect(reply).toMatchObject({ status: 400, body: { issues: [{ path }] } });
      expect((await attempt.row()).replaced_at).toBeNull();
    });

    it('while the attempt runs, for an unknown attempt, and to the candidate', async () => {
      expect(await replace('another')).toMatchObject({
        status: 409,
        body: { code: 'STILL_RUNNING' },
      });
      expect((await replace('another', {}, attempt.quiz.id)).status).toBe(404);
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

  it('resumes a reinstated one with its answers and the minutes added, once the candidate enters', async () => {
    await attempt.save(0, 1, 3, true);
    await attempt.report('face_not_detected');
    // A power cut: the deadline passes without a save.
    await passTime(app, { minutes: 26 });
    const ended = await attempt.row();
    expect(ended).toMatchObject({ status: 'completed', submission_type: 'auto' });
    const again = (minutes: unknown) => replace('reinstate', { minutes });
    for (const minutes of [0, 181, 1.5, '20']) {
      expect(await again(minutes)).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'minutes' }] },
      });
    }
    expect((await again(20)).status).toBe(200);
    app.clock.advance({ days: 1 });
    await attempt.signIn();
    const lost = { as: attempt.candidate.cookie, body: { resumes: attempt.id } };
    expect((await app.call('startParticipant', lost)).status).toBe(404);
    const me = async () => (await app.call('me', { as: attempt.candidate.cookie })).body;
    expect(await me()).toMatchObject({ attempt: null, continuesMs: 20 * 60_000 });
    const { body } = await app.call('startParticipant', {
      ...{ as: attempt.candidate.cookie, body: { withQuestions: true } },
    });
    expect(body).toMatchObject({ remainingMs: 20 * 60_000, answeredCount: 1, violationCount: 0 });
    expect(await me()).not.toHaveProperty('continuesMs');
    // With them a page would take the attempt for a blank one.
    expect(body).not.toHaveProperty('questions');
    const input = { as: attempt.candidate.cookie, params: { id: body.id } };
    expect((await app.call('listAnswers', input)).body).toMatchObject([
      { selectedOption: 'Q1 b', isFlagged: true, revision: 3 },
    ]);
    expect((await attempt.row()).deadline_at).toEqual(ended.deadline_at);
    admin = await signInAdmin(app, `next-day${n}@example.org`);
    const record = await app.call('getParticipantRecord', {
      as: admin,
      params: { id: attempt.id },
    });
    const { events } = record.body;
    const details = { how: 'reinstate', minutes: 20 };
    expect(events).toContainEqual(expect.objectContaining({ kind: 'replaced', details }));
  });

  it('adds them to the time that was left, and none to another attempt', async () => {
    app.clock.advance({ minutes: 5 });
    await attempt.submit();
    await replace('reinstate', { minutes: 7 });
    await attempt.signIn();
    const second = (await attempt.start()).body;
    expect(second.remainingMs).toBe((20 + 7) * 60_000);
    attempt.id = second.id;
    await attempt.submit();
    await replace('another', { minutes: 7 });
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

describe('another attempt after a change since the end', () => {
  beforeEach(async () => {
    await attempt.save(0, 1, 1);
    app.clock.advance({ minutes: 5 });
  });

  const invitationId = async () =>
    (await app.call('listInvitations', { as: admin, params: { id: attempt.quiz.id } })).body[0].id;
  const editQuiz = async (change: object) => {
    const quizzes = (await app.call('listQuizzes', { as: admin })).body;
    const quiz = quizzes.find((q: { id: string }) => q.id === attempt.quiz.id);
    const body = { ...quiz, ...change };
    const reply = await app.call('updateQuiz', { as: admin, params: { id: quiz.id }, body });
    expect(reply.status).toBe(200);
  };

  it('with a revoked invitation: the code fails until the invitation is resent', async () => {
    await attempt.submit();
    const ids = [await invitationId()];
    const params = { id: attempt.quiz.id };
    await app.call('revokeInvitations', { as: admin, params, body: { ids } });
    expect((await replace('another')).status).toBe(200);
    expect((await signIn()).status).toBe(401);
    const resent = await app.call('resendInvitations', { as: admin, params, body: { ids } });
    expect(resent.body.invitations).toMatchObject([{ status: 'queued' }]);
    const [code = ''] = await newestCodes(app, [attempt.candidate.email]);
    attempt.candidate.code = code;
    expect((await signIn()).status).toBe(200);
  });

  it.each(['another', 'reinstate'])('of a closed assessment cannot start (%s)', async (how) => {
    await attempt.submit();
    await replace(how);
    await editQuiz({ isActive: false });
    expect((await signIn()).status).toBe(200);
    await attempt.signIn();
    expect(await attempt.start()).toMatchObject({ status: 403, body: { code: 'QUIZ_INACTIVE' } });
    await editQuiz({ isActive: true });
    expect((await attempt.start()).status).toBe(201);
  });

  it.each([
    [
      'that is inactive',
      () => editQuiz({ isActive: false }),
      /inactive\. Activate it first/,
      () => editQuiz({ isActive: true }),
    ],
    [
      'whose end date has passed',
      () => editQuiz({ endDate: app.clock.now().toISOString() }),
      /end date .* has passed\. (Move it first|Add minutes, or move it)/,
      () => editQuiz({ endDate: null }),
    ],
  ])('of an assessment %s is refused until it is open again', async (_, close, why, open) => {
    await attempt.submit();
    await close();
    for (const how of ['another', 'reinstate']) {
      expect(await replace(how)).toMatchObject({
        status: 409,
        body: { code: 'QUIZ_NOT_OPEN', message: expect.stringMatching(why) },
      });
    }
    expect((await attempt.row()).replaced_at).toBeNull();
    const query = { quizId: attempt.quiz.id };
    const { body } = await app.call('listParticipants', { as: admin, query });
    expect(body).toMatchObject([{ id: attempt.id }]);
    await open();
    expect((await replace('another')).status).toBe(200);
    expect((await attempt.start()).status).toBe(201);
  });

  it.each(['another', 'reinstate'])('of a deleted assessment is refused (%s)', async (how) => {
    await attempt.submit();
    await app.call('deleteQuiz', { as: admin, params: { id: attempt.quiz.id } });
    expect(await replace(how)).toMatchObject({
      status: 409,
      body: { code: 'QUIZ_NOT_OPEN', message: expect.stringMatching(/was deleted/) },
    });
    expect((await attempt.row()).replaced_at).toBeNull();
  });

  it('of an erased person is refused, because no one could take it', async () => {
    await attempt.submit();
    const params = { id: attempt.candidate.userId };
    await app.call('erasePerson', { as: admin, params, body: { reason: 'r' } });
    expect(await replace('another')).toMatchObject({
      status: 409,
      body: { code: 'PERSON_ERASED' },
    });
    expect((await attempt.row()).replaced_at).toBeNull();
  });

  it('of an assessment that is being closed waits for that, and is refused', async () => {
    await attempt.submit();
    const closer = await app.pool.connect();
    try {
      await closer.query('begin');
      await closer.query('update quizzes set is_active = false where id = $1', [attempt.quiz.id]);
      const replacing = replace('another');
      const waiting = async () =>
        (
          await app.pool.query(
            `select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rows.length;
      await expect.poll(waiting).toBe(1);
      await closer.query('commit');
      expect(await replacing).toMatchObject({ status: 409, body: { code: 'QUIZ_NOT_OPEN' } });
      // The seal of the assessment was made with this value.
      await closer.query('update quizzes set is_active = true where id = $1', [attempt.quiz.id]);
    } finally {
      closer.release();
    }
    expect((await attempt.row()).replaced_at).toBeNull();
  });

  it('accepts the old code, however old it is', async () => {
    await attempt.submit();
    await replace('another');
    app.clock.advance({ days: 40 });
    expect((await signIn()).status).toBe(200);
  });

  it('has the new text of an edited question; a reinstated one keeps its own', async () => {
    await attempt.submit();
    const [question] = attempt.quiz.questions;
    const edited = await app.call('updateQuestion', {
      as: admin,
      params: { id: attempt.quiz.id, questionId: question?.id ?? '' },
      body: { question: 'New text', options: ['x', 'y'], correctAnswer: 'x' },
    });
    expect(edited.status).toBe(200);
    await replace('reinstate');
    attempt.id = (await attempt.start()).body.id;
    expect((await attempt.record()).text).not.toContain('New text');
    await attempt.submit();
    await replace('another');
    attempt.id = (await attempt.start()).body.id;
    expect((await attempt.record()).text).toContain('New text');
  });

  it('has the extra time that the person was granted since then', async () => {
    await attempt.submit();
    await replace('another');
    const reply = await app.call('updateInvitation', {
      as: admin,
      params: { id: await invitationId() },
      body: { extraTimeFactor: 1.5, cameraEnabled: true, microphoneEnabled: true, reason: 'r' },
    });
    expect(reply.status).toBe(200);
    expect((await attempt.start()).body.remainingMs).toBe(25 * 1.5 * 60_000);
  });

  it('keeps the sensors that were on at its start', async () => {
    const switchTo = async (cameraEnabled: boolean, microphoneEnabled: boolean) => {
      const body = { extraTimeFactor: 1, cameraEnabled, microphoneEnabled, reason: 'r' };
      const params = { id: await invitationId() };
      expect((await app.call('updateInvitation', { as: admin, params, body })).status).toBe(200);
    };
    const sensorsOf = async (id: string) =>
      (await app.call('getParticipantRecord', { as: admin, params: { id } })).body.sensors;
    const first = attempt.id;
    await attempt.submit();
    await replace('another');
    await switchTo(false, false);
    const second = await attempt.start();
    expect(second.body.policy).toMatchObject({ camera: false, microphone: false });
    attempt.id = second.body.id;
    await attempt.submit();
    await replace('reinstate');
    await switchTo(true, false);
    const third = await attempt.start();
    expect(third.body.policy).toMatchObject({ camera: true, microphone: false });
    expect(await sensorsOf(first)).toMatchObject({ camera: 'on', microphone: 'on' });
    expect(await sensorsOf(second.body.id)).toMatchObject({
      camera: 'not_applicable',
      microphone: 'not_applicable',
    });
    expect(await sensorsOf(third.body.id)).toMatchObject({
      camera: 'on',
      microphone: 'not_applicable',
    });
  });

  it('allowed during concurrent starts: makes one attempt', async () => {
    await attempt.submit();
    const replies = await Promise.all([attempt.start(), replace('another'), attempt.start()]);
    expect(replies[1]?.status).toBe(200);
    for (const reply of [replies[0], replies[2]]) {
      expect([200, 201, 403]).toContain(reply?.status);
    }
    const last = await attempt.start();
    expect([200, 201]).toContain(last.status);
    const { rows } = await app.pool.query(
      'select attempt, replaced_at is null as current from participants where user_id = $1 order by 1',
      [attempt.candidate.userId],
    );
    expect(rows).toEqual([
      { attempt: 1, current: false },
      { attempt: 2, current: true },
    ]);
  });

  it('still protects its questions from deletion', async () => {
    await attempt.submit();
    await replace('another');
    const reply = await app.call('deleteQuestion', {
      as: admin,
      params: { id: attempt.quiz.id, questionId: attempt.quiz.questions[0]?.id ?? '' },
    });
    expect(reply).toMatchObject({ status: 409, body: { code: 'QUESTION_IN_USE' } });
  });
});
