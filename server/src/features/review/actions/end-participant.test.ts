import {
  type BegunAttempt,
  beginAttempt,
  passTime,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

describe('ending an attempt now', () => {
  const app = setUpApp();
  let admin: string;
  let attempt: BegunAttempt;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    attempt = await beginAttempt(app, admin);
  });

  const end = (body: unknown = { reason: 'The room was cleared' }, id = attempt.id) =>
    app.call('endParticipant', { as: admin, params: { id }, body });
  const kinds = async () =>
    (await attempt.record()).body.events.map((e: { kind: string }) => e.kind);

  it('is refused without a reason, when nothing runs, and to the candidate', async () => {
    for (const body of [{}, { reason: '' }, { reason: 7 }, { reason: 'x'.repeat(501) }]) {
      const issues = [{ path: 'reason' }];
      expect(await end(body)).toMatchObject({ status: 400, body: { issues } });
    }
    expect((await end(undefined, attempt.quiz.id)).status).toBe(404);
    const own = { as: attempt.candidate.cookie, params: { id: attempt.id } };
    const reply = await app.call('endParticipant', { ...own, body: { reason: 'r' } });
    expect(reply.status).toBe(403);
    await attempt.submit();
    expect(await end()).toMatchObject({ status: 409, body: { code: 'NOT_RUNNING' } });
    expect(await attempt.row()).toMatchObject({ submission_type: 'manual' });
  });

  it('accepts saves for ten seconds, then completes and scores the attempt', async () => {
    app.clock.advance({ minutes: 2 });
    expect(await end()).toMatchObject({ status: 200, body: { status: 'in_progress' } });
    await passTime(app, { seconds: 10 });
    expect((await attempt.save(0, 1, 1)).status).toBe(200);
    expect((await attempt.heartbeat()).body.status).toBe('in_progress');
    await passTime(app, { ms: 1 });
    expect(await attempt.row()).toMatchObject({
      status: 'completed',
      submission_type: 'database',
      score: 1,
      answered_count: 1,
      submitted_at: new Date(attempt.startedAt.getTime() + 130_000),
    });
    expect((await attempt.heartbeat()).body).toMatchObject({ status: 'completed', remainingMs: 0 });
    expect(await attempt.save(1, 1, 1)).toMatchObject({
      status: 403,
      body: {
        code: 'ATTEMPT_CLOSED',
        details: { status: 'completed', submissionType: 'database' },
      },
    });
  });

  it('is shown to the candidate, in the list and in the record afterwards', async () => {
    await end();
    await passTime(app, { seconds: 11 });
    const own = await app.call('getParticipant', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
    });
    expect(own.body).toMatchObject({ status: 'completed', submissionType: 'database' });
    const list = await app.call('listParticipants', {
      as: admin,
      query: { quizId: attempt.quiz.id },
    });
    expect(list.body).toMatchObject([{ id: attempt.id, submissionType: 'database', score: 0 }]);
    expect((await attempt.submit()).body.summary.submissionType).toBe('database');
    const { body } = await attempt.record();
    expect(body.events.map((e: { kind: string }) => e.kind)).toEqual([
      'started',
      'ending',
      'ended',
    ]);
    expect(body.actions).toMatchObject([
      {
        action: 'participant.ended',
        adminEmail: `admin${n}@example.org`,
        reason: 'The room was cleared',
      },
    ]);
  });

  it('does not move the end when it is requested again', async () => {
    await end();
    app.clock.advance({ seconds: 6 });
    expect((await end()).status).toBe(200);
    await passTime(app, { seconds: 5 });
    expect(await attempt.row()).toMatchObject({ status: 'completed' });
    expect(await kinds()).toEqual(['started', 'ending', 'ended']);
    expect((await attempt.record()).body.actions).toHaveLength(1);
  });

  it('ends the attempt once, with one event, when it races a submit', async () => {
    const [ended, submitted] = await Promise.all([end(), attempt.submit()]);
    expect([200, 409]).toContain(ended.status);
    expect(submitted.status).toBe(200);
    await passTime(app, { seconds: 30 });
    expect((await kinds()).filter((kind: string) => kind === 'ended')).toHaveLength(1);
  });
});
