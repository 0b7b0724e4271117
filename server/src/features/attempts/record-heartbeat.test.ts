import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  passTime,
  setUpApp,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeEach, describe, expect, it } from 'vitest';

describe('a heartbeat', () => {
  const app = setUpApp();
  let admin: string;
  let quiz: MadeQuiz;
  let attempt: BegunAttempt;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    quiz = await makeQuiz(app, admin, { duration: 10 });
    attempt = await beginAttempt(app, admin, quiz);
  });

  const send = (as = attempt.candidate.cookie, body: unknown = { seq: 1 }) =>
    app.call('heartbeat', { as, params: { id: attempt.id }, body });
  const seenAt = async () => (await attempt.row()).last_seen_at;

  it('reports the takeover to the older session, even one in the session cache', async () => {
    expect((await send()).status).toBe(200);
    const { email, code } = attempt.candidate;
    const newer = await signInCandidate(app, email, code);
    expect(await send()).toMatchObject({ status: 401, body: { code: 'SESSION_REPLACED' } });
    expect((await send(newer.cookie)).status).toBe(200);
  });

  it('is refused at once after signing out, during the attempt and after it', async () => {
    const signedOut = { status: 401, body: { code: 'NOT_SIGNED_IN' } };
    expect((await send()).status).toBe(200);
    await app.call('logout', { as: attempt.candidate.cookie });
    expect(await send()).toMatchObject(signedOut);

    await attempt.signIn();
    expect((await send()).status).toBe(200);
    await attempt.submit();
    expect((await send()).status).toBe(200);
    await app.call('logout', { as: attempt.candidate.cookie });
    expect(await send()).toMatchObject(signedOut);
  });

  it("returns the time left and records the candidate's presence", async () => {
    app.clock.advance({ minutes: 4 });
    const reply = await send(undefined, { seq: 24, monitor: { face: 'yes' } });
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.body).toEqual({
      status: 'in_progress',
      remainingMs: 360_000,
      deadlineAt: attempt.deadlineAt.toISOString(),
      violationCount: 0,
      submissionType: null,
      messageCount: 0,
    });
    expect(await seenAt()).toEqual(app.clock.now());
  });

  it('keeps the longest time of each question, at most what has passed, and never more questions', async () => {
    const focused = async () => (await attempt.row()).focused;
    app.clock.advance({ minutes: 1 });
    const report = async (seconds: unknown) =>
      expect((await send(undefined, { seq: 1, focused: seconds })).status).toBe(200);
    await report([12, 0, 40]);
    // A page that was opened again counts from zero.
    await report([3, 20]);
    expect(await focused()).toEqual([12, 20, 40]);
    await report([32_767]);
    expect(await focused()).toEqual([60, 20, 40]);
    for (const nonsense of ['x', [-1], [1.5], [32_768], Array.from({ length: 501 }, () => 1)]) {
      await report(nonsense);
    }
    await report(undefined);
    expect(await focused()).toEqual([60, 20, 40]);
    await report(Array.from({ length: 500 }, () => 1));
    const { length } = quiz.questions;
    expect(await focused()).toEqual([60, 20, 40, ...Array.from({ length: length - 3 }, () => 1)]);

    const params = { id: attempt.id };
    const as = attempt.candidate.cookie;
    await app.call('submitParticipant', { as, params, body: { answers: [], focused: [5, 30] } });
    const after = (await focused()) as number[];
    expect(after.slice(0, 4)).toEqual([60, 30, 40, 1]);
    await report([61, 61, 61]);
    expect(await focused()).toEqual(after);
  });

  it('never returns a negative time left, reports the end, and changes nothing after it', async () => {
    app.clock.advance({ minutes: 10, seconds: 5 });
    expect((await send()).body).toMatchObject({ status: 'in_progress', remainingMs: 0 });
    await passTime(app, afterGrace());
    const seen = await seenAt();
    app.clock.advance({ seconds: 10 });
    expect((await send()).body).toMatchObject({ status: 'completed', remainingMs: 0 });
    expect(await seenAt()).toEqual(seen);
  });

  it('returns the larger of counted violations and calls, never the sum', async () => {
    await app.pool.query(
      'update participants set counted_violations = 2, violation_calls = 3 where id = $1',
      [attempt.id],
    );
    expect((await send()).body.violationCount).toBe(3);
  });

  it('reaches each of many concurrent candidates', async () => {
    const people = await Promise.all(
      Array.from({ length: 20 }, () => beginAttempt(app, admin, quiz)),
    );
    app.clock.advance({ seconds: 10 });
    const replies = await Promise.all(people.flatMap((one) => [one.heartbeat(), one.heartbeat()]));
    expect(new Set(replies.map((r) => r.status))).toEqual(new Set([200]));
    const { rows } = await app.pool.query(
      'select distinct last_seen_at from participants where id = any ($1)',
      [people.map((p) => p.id)],
    );
    expect(rows).toEqual([{ last_seen_at: app.clock.now() }]);
  });
});
