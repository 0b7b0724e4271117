import { LONG_MS } from '@invigil/core/domain/violations/violation-types';
import { type BegunAttempt, beginAttempt, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../db/new-id.ts';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';
import { listBoard } from '../../review/live/board-queries.ts';

/** Tries what a person with developer tools can: the server alone counts (product 4 and 6). */
describe('a forged client', () => {
  const app = setUpAppWithAdmin();
  let attempt: BegunAttempt;
  let other: BegunAttempt;
  beforeEach(async () => {
    attempt = await beginAttempt(app, app.admin);
    other = await beginAttempt(app, app.admin, attempt.quiz);
  });

  const report = (violationType: string, more: object = {}) => attempt.report(violationType, more);
  const counts = async (of = attempt) => {
    const { counted_violations, violation_calls, fullscreen_exits, tab_switches, status } =
      await of.row();
    return [counted_violations, violation_calls, fullscreen_exits, tab_switches, status];
  };

  it('changes no count by its claims at the start, in a report or at the end', async () => {
    await report('face_not_detected');
    const lies = {
      violationCount: 0,
      countedViolations: 0,
      counted: false,
      remaining: 99,
      status: 'completed',
      score: 5,
    };
    await app.call('startParticipant', { as: attempt.candidate.cookie, body: lies });
    await report('voice_detected', lies);
    expect(await counts()).toEqual([2, 0, 0, 0, 'in_progress']);
    await app.call('heartbeat', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { seq: 1, monitor: lies, ...lies },
    });
    await attempt.submit({ answers: [], participant: { ...lies, timeSpent: 1 } });
    expect(await counts()).toEqual([2, 0, 0, 0, 'completed']);
    expect((await attempt.record()).body.participant).toMatchObject({
      violationCount: 2,
      score: 0,
    });
  });

  it('counts nothing twice by resending it, under another type or for another attempt', async () => {
    const id = newId();
    const first = await report('face_not_detected', { id });
    app.clock.advance({ seconds: 30 });
    for (const violationType of ['face_not_detected', 'voice_detected', 'fullscreen_exit']) {
      expect(await report(violationType, { id })).toMatchObject({ status: 200, body: first.body });
    }
    expect(await counts()).toEqual([1, 0, 0, 0, 'in_progress']);
    expect((await other.report('face_not_detected', { id })).status).toBe(404);
    expect(await counts(other)).toEqual([0, 0, 0, 0, 'in_progress']);
  });

  it('affects only its own attempt by reports, calls and notes', async () => {
    const foreign = await other.report('multiple_faces');
    const as = attempt.candidate.cookie;
    for (const reply of [
      await report('face_not_detected', { participantId: other.id }),
      await app.call('countViolation', { as, params: { id: other.id } }),
      await app.call('noteViolation', {
        as,
        params: { id: foreign.body.id },
        body: { note: 'It was me' },
      }),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(await counts(other)).toEqual([0, 0, 0, 0, 'in_progress']);
    expect((await other.record()).body.violations).toMatchObject([{ candidateNote: null }]);
  });

  it('ends no attempt by calling the counter, however often', async () => {
    const call = () =>
      app.call('countViolation', { as: attempt.candidate.cookie, params: { id: attempt.id } });
    for (let i = 0; i < 30; i += 1) await call();
    await app.pool.query('update participants set violation_calls = 2000 where id = $1', [
      attempt.id,
    ]);
    expect(await call()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_VIOLATIONS' } });
    app.clock.advance({ seconds: 5 });
    await closeDueParticipants(app.context);
    expect(await counts()).toEqual([0, 2_000, 0, 0, 'in_progress']);
  });

  it('cannot displace what counts with harmless reports', async () => {
    await fill('window_blur', 300, 0);
    expect((await report('window_blur')).status).toBe(429);
    expect((await report('face_not_detected')).body).toMatchObject({ counted: true });
    expect((await report('multiple_faces')).status).toBe(201);
  });

  it('cannot displace the flag of a picture that stays dark with pictures that are dark briefly', async () => {
    const long = async () => (await report('camera_dark', { durationMs: 60_000 })).status;
    const short = async () => (await report('camera_dark')).status;
    await fill('camera_dark', 300, 0);
    expect([await short(), await long()]).toEqual([429, 201]);
    await app.pool.query('update violations set duration_ms = 60000 where participant_id = $1', [
      attempt.id,
    ]);
    expect([await short(), await long()]).toEqual([201, 429]);
  });

  it('is throttled when it reports endlessly, and refused reports count nothing', async () => {
    await fill('face_not_detected', 300, 0);
    const refused = await report('face_not_detected');
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_VIOLATIONS' } });
    expect(refused.headers['retry-after']).toBe('60');
    expect(await counts()).toEqual([0, 0, 0, 0, 'in_progress']);
    // Nothing is lost: a queue that waits is accepted.
    app.clock.advance({ seconds: 60 });
    expect((await report('face_not_detected')).body).toMatchObject({ counted: true });
  });

  const stored = async () =>
    (
      await app.pool.query('select count(*)::int as n from violations where participant_id = $1', [
        attempt.id,
      ])
    ).rows[0].n;
  const fill = (type: string, n: number, agoMs = 3_600_000) =>
    app.pool.query(
      `insert into violations (id, participant_id, type, at, received_at, counted, answer)
       select gen_random_uuid(), $1, $2, $3, $3, false, '{}' from generate_series(1, $4)`,
      [attempt.id, type, new Date(app.clock.now().getTime() - agoMs), n],
    );
  const toReview = async () => (await attempt.row()).review_flags;

  it('cannot hide what counts behind harmless reports, and is flagged for review', async () => {
    await fill('tab_hidden_briefly', 1_998);
    expect((await report('context_menu')).status).toBe(201);
    expect(await toReview()).toBe(0);
    expect((await report('time_expired')).status).toBe(201);
    expect(await toReview()).toBe(1);
    for (const type of ['window_blur', 'time_expired']) {
      const refused = await report(type);
      expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_VIOLATIONS' } });
      // Permanent: a retry is useless.
      expect(refused.body.details).toEqual({ isFull: true });
      expect(refused.headers['retry-after']).toBe('60');
    }
    expect(await toReview()).toBe(1);
    expect((await report('face_not_detected')).body).toMatchObject({ counted: true, remaining: 2 });
    expect((await report('multiple_faces')).status).toBe(201);
    expect(await toReview()).toBe(2);
  });

  it.each(Object.entries(LONG_MS))('is flagged for %s of %i ms, not for less', async (type, ms) => {
    await report(type);
    await report(type, { durationMs: ms - 1 });
    expect(await toReview()).toBe(0);
    await report(type, { durationMs: ms });
    expect(await toReview()).toBe(1);
    expect((await attempt.record()).body.violations).toMatchObject(
      ['info', 'info', 'low'].map((level) => ({ type, level })),
    );
    const rows = await listBoard(app.context.db, new Date(app.clock.now().getTime() - 60_000));
    expect(rows.find(({ id }) => id === attempt.id)?.worst).toMatchObject({ type, durationMs: ms });
  });

  it('stores a limited number of reports in each of three groups', async () => {
    const groups = ['face_not_detected', 'multiple_faces', 'window_blur'];
    for (const type of groups) await fill(type, 2_000);
    for (const type of groups) expect((await report(type)).status).toBe(429);
    expect(await stored()).toBe(6_000);
    expect(await counts()).toEqual([0, 0, 0, 0, 'in_progress']);
  });
});
