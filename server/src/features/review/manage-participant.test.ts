import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import {
  type BegunAttempt,
  beginAttempt,
  inviteCandidate,
  makeQuiz,
  passTime,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
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

describe('ending an attempt now', () => {
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
});

const MINUTE = 60_000;

describe('extending an attempt', () => {
  const extend = (body: unknown = { minutes: 10, reason: 'The fire alarm' }, id = attempt.id) =>
    app.call('extendParticipant', { as: admin, params: { id }, body });
  const extensions = async () =>
    (await attempt.record()).body.events.filter((e: { kind: string }) => e.kind === 'extended');
  const due = async () => {
    const { deadline_at, close_at } = await attempt.row();
    return { deadline: (deadline_at as Date).getTime(), close: (close_at as Date).getTime() };
  };

  describe('is refused, and changes nothing,', () => {
    it.each([
      ['no minutes', { reason: 'r' }, 'minutes'],
      ['minutes as text', { minutes: '5', reason: 'r' }, 'minutes'],
      ['half a minute', { minutes: 0.5, reason: 'r' }, 'minutes'],
      ['no time at all', { minutes: 0, reason: 'r' }, 'minutes'],
      ['less time', { minutes: -5, reason: 'r' }, 'minutes'],
      ['more than three hours', { minutes: 181, reason: 'r' }, 'minutes'],
      ['no reason', { minutes: 5 }, 'reason'],
      ['a blank reason', { minutes: 5, reason: '  ' }, 'reason'],
      ['a reason that is too long', { minutes: 5, reason: 'x'.repeat(501) }, 'reason'],
    ])('with %s', async (_, body, path) => {
      const before = await due();
      expect(await extend(body)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
      expect(await due()).toEqual(before);
      expect(await extensions()).toEqual([]);
    });

    it('after the end: submitted, closed by the job, or due and not closed yet', async () => {
      const late = await beginAttempt(app, admin, attempt.quiz);
      const due = await beginAttempt(app, admin, attempt.quiz);
      await attempt.submit();
      expect(await extend()).toMatchObject({ status: 409, body: { code: 'NOT_RUNNING' } });
      app.clock.advance(afterGrace({ minutes: 25 }));
      expect(await extend(undefined, due.id)).toMatchObject({ status: 409 });
      await passTime(app, { ms: 0 });
      expect(await extend(undefined, late.id)).toMatchObject({ status: 409 });
      expect(await late.row()).toMatchObject({ submission_type: 'auto' });
    });

    it('while an administrator is ending the attempt, with a message that says so', async () => {
      await app.call('endParticipant', {
        as: admin,
        params: { id: attempt.id },
        body: { reason: 'Cheating' },
      });
      const before = await due();
      expect(await extend()).toMatchObject({
        status: 409,
        body: { code: 'NOT_RUNNING', message: 'This attempt is about to end' },
      });
      expect(await due()).toEqual(before);
    });
  });

  it('moves deadline and closing by the minutes, and the next replies report it', async () => {
    app.clock.advance({ minutes: 5 });
    const reply = await extend();
    expect(reply).toMatchObject({ status: 200, body: { id: attempt.id, status: 'in_progress' } });
    const deadline = attempt.deadlineAt.getTime() + 10 * MINUTE;
    expect(await due()).toEqual({ deadline, close: deadline + ATTEMPT_LIMITS.graceMs });
    expect((await attempt.heartbeat()).body).toMatchObject({
      remainingMs: 30 * MINUTE,
      deadlineAt: new Date(deadline).toISOString(),
    });
    expect((await attempt.save(0, 1, 1)).body.remainingMs).toBe(30 * MINUTE);
    expect((await attempt.start()).body).toMatchObject({
      startedAt: attempt.startedAt.toISOString(),
      remainingMs: 30 * MINUTE,
    });
  });

  it('keeps the session alive past its former expiry', async () => {
    await extend({ minutes: 120, reason: 'A power cut' });
    // The session would expire 15 minutes after the old closing without the extension.
    app.clock.advance({ minutes: 46 });
    expect((await attempt.heartbeat()).status).toBe(200);
    app.clock.advance({ minutes: 90 });
    expect((await attempt.save(0, 1, 1)).status).toBe(200);
    expect((await app.call('me', { as: attempt.candidate.cookie })).status).toBe(200);
  });

  it('may exceed the end date of the assessment', async () => {
    const endDate = new Date(app.clock.now().getTime() + 20 * MINUTE).toISOString();
    const quiz = await makeQuiz(app, admin, { duration: 30, endDate });
    attempt = await beginAttempt(app, admin, quiz);
    expect(attempt.deadlineAt.toISOString()).toBe(endDate);
    expect((await extend()).status).toBe(200);
    expect((await attempt.heartbeat()).body.remainingMs).toBe(30 * MINUTE);
    app.clock.advance({ minutes: 25 });
    expect((await attempt.save(0, 1, 1)).status).toBe(200);
    // No one else may start then.
    const late = await inviteCandidate(app, admin, attempt.quiz.id).catch((error: Error) => error);
    expect(String(late)).toContain('Invitations cannot be sent for inactive Assessments');
  });

  it('adds up several extensions, even concurrent ones', async () => {
    const replies = await Promise.all([extend(), extend({ minutes: 3, reason: 'r' }), extend()]);
    expect(replies.map((r) => r.status)).toEqual([200, 200, 200]);
    expect((await due()).deadline).toBe(attempt.deadlineAt.getTime() + 23 * MINUTE);
    expect(await extensions()).toHaveLength(3);
  });

  it('is an event of the attempt and an entry of the audit log, with its reason', async () => {
    await extend();
    const record = (await attempt.record()).body;
    expect(record.deadlineAt).toBe(
      new Date(attempt.deadlineAt.getTime() + 10 * MINUTE).toISOString(),
    );
    expect(await extensions()).toEqual([
      { kind: 'extended', at: app.clock.now().toISOString(), details: { minutes: 10 } },
    ]);
    expect(record.actions).toEqual([
      {
        at: app.clock.now().toISOString(),
        action: 'participant.extended',
        adminEmail: `admin${n}@example.org`,
        reason: 'The fire alarm',
        verdict: null,
      },
    ]);
    // The log stores no text about a person in the clear.
    const { rows } = await app.pool.query('select details::text from audit_entries');
    expect(JSON.stringify(rows)).not.toContain('fire alarm');
  });
});
