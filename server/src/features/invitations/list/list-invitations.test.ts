import {
  beginAttempt,
  inviteForCodes,
  type MadeQuiz,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';

describe('the list of invitations', () => {
  const app = setUpAppWithAdmin();

  const list = (quiz: MadeQuiz, query: Record<string, string | number> = {}) =>
    app.call('listInvitations', { as: app.admin, params: { id: quiz.id }, query });
  const byEmail = async (quiz: MadeQuiz) =>
    new Map(
      (await list(quiz)).body.map((row: { email: string }) => [row.email.split('@')[0], row]),
    );

  it.each([{ limit: 1_001 }, { search: 'x'.repeat(321) }, { state: 'everybody' }])(
    'refuses %j',
    async (query) => {
      const quiz = await makeQuiz(app, app.admin, { questions: [] });
      expect((await list(quiz, query)).status).toBe(400);
    },
  );

  it('is empty at first', async () => {
    const reply = await list(await makeQuiz(app, app.admin));
    expect([reply.status, reply.body, reply.headers['x-total-count']]).toEqual([200, [], '0']);
  });

  it('shows each person’s progress from the message to the end', async () => {
    const quiz = await makeQuiz(app, app.admin, { duration: 5 });
    await inviteForCodes(app, app.admin, quiz.id, ['waiting@example.org']);
    const [signedIn, running, done] = [
      await beginAttempt(app, app.admin, quiz),
      await beginAttempt(app, app.admin, quiz),
      await beginAttempt(app, app.admin, quiz),
    ];
    // One of them only signed in: their start is undone.
    await app.pool.query('delete from paper_questions where participant_id = $1', [signedIn.id]);
    await app.pool.query('delete from participant_events where participant_id = $1', [signedIn.id]);
    await app.pool.query('delete from participants where id = $1', [signedIn.id]);
    app.clock.advance({ seconds: 30 });
    await done.submit();

    const rows = await byEmail(quiz);
    const name = (attempt: typeof done) => attempt.candidate.email.split('@')[0];
    const start = running.startedAt.toISOString();
    expect(rows.get('waiting')).toEqual({
      id: expect.any(String),
      userId: expect.any(String),
      quizId: quiz.id,
      email: 'waiting@example.org',
      invitedAt: start,
      mail: {
        state: 'queued',
        lastError: null,
        attempts: 0,
        nextAttemptAt: start,
        sentAt: null,
      },
      signedInAt: null,
      status: 'not_started',
      participantId: null,
      startedAt: null,
      submittedAt: null,
      revokedAt: null,
      codeValidUntil: '2026-08-12T08:00:00.000Z',
      extraTimeFactor: 1,
      cameraEnabled: true,
      microphoneEnabled: true,
    });
    expect(rows.get(name(signedIn))).toMatchObject({
      signedInAt: start,
      status: 'not_started',
      startedAt: null,
    });
    expect(rows.get(name(running))).toMatchObject({
      status: 'in_progress',
      participantId: running.id,
      startedAt: start,
      submittedAt: null,
    });
    expect(rows.get(name(done))).toMatchObject({
      status: 'completed',
      participantId: done.id,
      submittedAt: app.clock.now().toISOString(),
    });
    await passTime(app, { minutes: 6 });
    expect((await byEmail(quiz)).get(name(running))).toMatchObject({ status: 'completed' });
  });

  it('can be searched by address, with % and _ as plain characters', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const emails = [
      'a_b@example.org',
      'axb@example.org',
      '50%off@example.org',
      '50xoff@example.org',
      ...Array.from({ length: 21 }, (_, i) => `many${i}@example.com`),
    ];
    await app.call('inviteToQuiz', { as: app.admin, params: { id: quiz.id }, body: { emails } });
    const found = async (search: string) => {
      const reply = await list(quiz, { search });
      expect(reply.headers['x-total-count']).toBe(String(reply.body.length));
      return reply.body.map((row: { email: string }) => row.email).sort();
    };
    expect(await found('A_B')).toEqual(['a_b@example.org']);
    expect(await found('0%O')).toEqual(['50%off@example.org']);
    expect(await found(' many ')).toHaveLength(21);
    expect(await found('\\')).toEqual([]);
  });

  it('shows no name for an erased person', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const attempt = await beginAttempt(app, app.admin, quiz);
    await app.pool.query('update users set email = null where id = $1', [attempt.candidate.userId]);
    expect((await list(quiz)).body).toMatchObject([{ email: null, status: 'in_progress' }]);
    const ids = [(await list(quiz)).body[0].id];
    const params = { id: quiz.id };
    const reply = await app.call('resendInvitations', { as: app.admin, params, body: { ids } });
    expect(reply.body.invitations).toMatchObject([{ email: 'Unknown', status: 'invalid' }]);
  });
});
