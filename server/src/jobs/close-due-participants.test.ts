import {
  type BegunAttempt,
  beginAttempt,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeDueParticipants } from './close-due-participants.ts';

describe('closing due attempts without a browser', () => {
  const app = setUpApp();
  let admin: string;
  let quiz: MadeQuiz;
  let attempt: BegunAttempt;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    app.clock.trusted = true;
    // Attempts that earlier tests left in progress end before this one begins.
    app.clock.advance({ minutes: 200 });
    await closeDueParticipants(app.context);
    admin = await signInAdmin(app, `admin-${n}@example.org`);
    quiz = await makeQuiz(app, admin, { duration: 10 });
    attempt = await beginAttempt(app, admin, quiz);
  });

  it('accepts saves in the grace period, and ends the attempt at the deadline, scored', async () => {
    app.clock.advance({ minutes: 10, seconds: 10 });
    expect((await attempt.save(0, 1, 1)).body).toMatchObject({
      remainingMs: 0,
      status: 'in_progress',
    });
    expect(await closeDueParticipants(app.context)).toBe(0);
    app.clock.advance({ ms: 1 });
    expect(await attempt.save(0, 1, 2)).toMatchObject({
      status: 403,
      body: { code: 'ATTEMPT_CLOSED' },
    });
    expect(await closeDueParticipants(app.context)).toBe(1);
    expect(await attempt.row()).toMatchObject({
      status: 'completed',
      submission_type: 'auto',
      score: 1,
      answered_count: 1,
    });
    expect((await attempt.row()).submitted_at).toEqual(attempt.deadlineAt);
  });

  it('ends nothing while the clock is not trusted', async () => {
    app.clock.advance(afterGrace({ minutes: 10 }));
    app.clock.trusted = false;
    expect(await closeDueParticipants(app.context)).toBe(0);
    app.clock.trusted = true;
    expect(await closeDueParticipants(app.context)).toBe(1);
  });

  it('ends each attempt once when several closers and a submit race', async () => {
    const people = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        inviteCandidate(app, admin, quiz.id, `race${i}-${n}@example.org`),
      ),
    );
    const ids = await Promise.all(
      people.map(
        async (p) => (await app.call('startParticipant', { as: p.cookie, body: {} })).body.id,
      ),
    );
    app.clock.advance(afterGrace({ minutes: 10 }));
    const submits = people.map((p, i) =>
      app.call('submitParticipant', { as: p.cookie, params: { id: ids[i] }, body: {} }),
    );
    await Promise.all([
      ...submits,
      closeDueParticipants(app.context),
      closeDueParticipants(app.context),
      closeDueParticipants(app.context),
    ]);
    const { rows } = await app.pool.query(
      "select participant_id, count(*)::int as n from participant_events where kind = 'ended' and participant_id = any ($1) group by 1",
      [ids],
    );
    expect(rows.map((r) => r.n)).toEqual(ids.map(() => 1));
  });

  it('ends the others when one of them cannot be ended', async () => {
    const other = await inviteCandidate(app, admin, quiz.id, `other-${n}@example.org`);
    const { body } = await app.call('startParticipant', { as: other.cookie, body: {} });
    // An event of its end exists already, which contradicts the row.
    await app.pool.query(
      "insert into participant_events (id, participant_id, kind, at) values (gen_random_uuid(), $1, 'ended', $2)",
      [attempt.id, app.clock.now()],
    );
    app.clock.advance(afterGrace({ minutes: 10 }));
    await expect(closeDueParticipants(app.context)).rejects.toThrow();
    expect((await attempt.row()).status).toBe('in_progress');
    const { rows } = await app.pool.query('select status from participants where id = $1', [
      body.id,
    ]);
    expect(rows).toEqual([{ status: 'completed' }]);
    await app.pool.query(
      "delete from participant_events where participant_id = $1 and kind = 'ended'",
      [attempt.id],
    );
    expect(await closeDueParticipants(app.context)).toBe(1);
  });
});
