import {
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setUpApp,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';

describe('a heartbeat', () => {
  const app = setUpApp();
  let admin: string;
  let quiz: MadeQuiz;
  let candidate: Candidate;
  let attempt: { id: string; deadlineAt: string };
  let n = 0;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    quiz = await makeQuiz(app, admin, { duration: 10 });
    candidate = await inviteCandidate(app, admin, quiz.id, `h${n}@example.org`);
    attempt = (await app.call('startParticipant', { as: candidate.cookie, body: {} })).body;
  });

  const send = (as = candidate.cookie, id = attempt.id, body: unknown = { seq: 1 }) =>
    app.call('heartbeat', { as, params: { id }, body });
  const seenAt = async () =>
    (await app.pool.query('select last_seen_at from participants where id = $1', [attempt.id]))
      .rows[0].last_seen_at;
  const submit = (as = candidate.cookie) =>
    app.call('submitParticipant', { as, params: { id: attempt.id }, body: {} });

  it('is refused without a number, for another attempt, and without a session', async () => {
    expect((await send(candidate.cookie, attempt.id, {})).status).toBe(400);
    expect((await send(candidate.cookie, attempt.id, { seq: -1 })).status).toBe(400);
    expect((await send(candidate.cookie, quiz.id)).status).toBe(404);
    expect((await send(candidate.cookie, 'no-id')).status).toBe(404);
    expect((await send('')).status).toBe(401);
    expect((await send(admin)).status).toBe(403);
    const waiting = await inviteCandidate(app, admin, quiz.id, `waiting${n}@example.org`);
    expect((await send(waiting.cookie)).status).toBe(404);
  });

  it('reports the takeover to the older session, even one in the session cache', async () => {
    expect((await send()).status).toBe(200);
    const newer = await signInCandidate(app, candidate.email, candidate.code);
    expect(await send()).toMatchObject({ status: 401, body: { code: 'SESSION_REPLACED' } });
    expect((await send(newer.cookie)).status).toBe(200);
  });

  it('is refused at once after signing out, during the attempt and after it', async () => {
    expect((await send()).status).toBe(200);
    await app.call('logout', { as: candidate.cookie });
    expect(await send()).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });

    const again = await signInCandidate(app, candidate.email, candidate.code);
    expect((await send(again.cookie)).status).toBe(200);
    await submit(again.cookie);
    expect((await send(again.cookie)).status).toBe(200);
    await app.call('logout', { as: again.cookie });
    expect(await send(again.cookie)).toMatchObject({
      status: 401,
      body: { code: 'NOT_SIGNED_IN' },
    });
  });

  it('is refused when the session ends, 15 minutes after the attempt', async () => {
    expect((await send()).status).toBe(200);
    await submit();
    app.clock.advance({ minutes: 14, seconds: 59 });
    expect((await send()).status).toBe(200);
    app.clock.advance({ seconds: 1 });
    expect(await send()).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
  });

  it("returns the time left and records the candidate's presence", async () => {
    app.clock.advance({ minutes: 4 });
    const reply = await send(candidate.cookie, attempt.id, {
      seq: 24,
      monitor: { face: 'yes' },
    });
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.body).toEqual({
      status: 'in_progress',
      remainingMs: 360_000,
      deadlineAt: attempt.deadlineAt,
      violationCount: 0,
      submissionType: null,
      messageCount: 0,
    });
    expect(await seenAt()).toEqual(app.clock.now());
  });

  it('never returns a negative time left', async () => {
    app.clock.advance({ minutes: 10, seconds: 5 });
    expect((await send()).body).toMatchObject({ status: 'in_progress', remainingMs: 0 });
  });

  it('reports the end and changes nothing after it', async () => {
    app.clock.advance(afterGrace({ minutes: 10 }));
    await closeDueParticipants(app.context);
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
      Array.from({ length: 20 }, async (_, i) => {
        const person = await inviteCandidate(app, admin, quiz.id, `many${i}-${n}@example.org`);
        const start = await app.call('startParticipant', { as: person.cookie, body: {} });
        return { person, id: start.body.id };
      }),
    );
    app.clock.advance({ seconds: 10 });
    const replies = await Promise.all(
      people.flatMap(({ person, id }) => [send(person.cookie, id), send(person.cookie, id)]),
    );
    expect(new Set(replies.map((r) => r.status))).toEqual(new Set([200]));
    const { rows } = await app.pool.query(
      'select distinct last_seen_at from participants where id = any ($1)',
      [people.map((p) => p.id)],
    );
    expect(rows).toEqual([{ last_seen_at: app.clock.now() }]);
  });
});
