import { OFF_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('a verdict', () => {
  const app = setUpAppWithAdmin();
  let attempt: BegunAttempt;
  beforeEach(async () => {
    attempt = await beginAttempt(app, app.admin);
  });

  const recordVerdict = (body: object, id = attempt.id) =>
    app.call('giveVerdict', { as: app.admin, params: { id }, body });
  const report = (violationType: string) => attempt.report(violationType);
  const listed = async (review: string) => {
    const query = { review, quizId: attempt.quiz.id };
    const reply = await app.call('listParticipants', { as: app.admin, query });
    expect(reply.headers['x-total-count']).toBe(String(reply.body.length));
    return reply.body.map((row: { id: string }) => row.id);
  };

  it('is refused while the attempt runs, for an unknown attempt, and with an unknown value', async () => {
    expect(await recordVerdict({ verdict: 'breach' })).toMatchObject({
      status: 409,
      body: { code: 'STILL_RUNNING' },
    });
    await attempt.submit();
    expect((await recordVerdict({ verdict: 'breach' }, UNKNOWN)).status).toBe(404);
    for (const verdict of ['guilty', '', null, undefined]) {
      expect((await recordVerdict({ verdict })).status).toBe(400);
    }
    expect((await recordVerdict({ verdict: 'talk', note: 'x'.repeat(4_001) })).status).toBe(400);
    expect((await attempt.record()).body.verdict).toBeNull();
  });

  it('is in record and list, can be changed, and changes nothing else', async () => {
    await report('face_not_detected');
    await attempt.submit();
    const { verdict: _, verdict_note, verdict_at, verdict_by, ...before } = await attempt.row();
    const recorded = await recordVerdict({ verdict: 'talk', note: ' Left the chair. ' });
    expect(recorded).toMatchObject({
      status: 200,
      body: { verdict: 'talk', note: 'Left the chair.', adminEmail: 'admin@example.org' },
    });
    expect((await attempt.record()).body).toMatchObject({
      verdict: recorded.body,
      participant: { verdict: 'talk', toReview: false },
    });
    expect((await attempt.record()).body.actions.at(-1)).toMatchObject({
      action: 'participant.verdict_recorded',
      verdict: 'talk',
      reason: 'Left the chair.',
    });
    await recordVerdict({ verdict: 'no_concern' });
    expect((await attempt.record()).body.verdict).toMatchObject({
      verdict: 'no_concern',
      note: '',
    });
    expect(await listed('no_concern')).toEqual([attempt.id]);
    expect(await listed('talk')).toEqual([]);
    const { verdict, ...after } = await attempt.row();
    expect(verdict).toBe('no_concern');
    // The seal covers the verdict.
    expect(after.result_seal).not.toEqual(before.result_seal);
    expect({ ...after, result_seal: null }).toMatchObject({ ...before, result_seal: null });
  });

  it('is not replaced by who has not read it', async () => {
    await attempt.submit();
    const breach = { verdict: 'breach', note: 'Two people' };
    const status = async (body: object) => (await recordVerdict(body)).status;
    expect(await status({ ...breach, before: null })).toBe(200);
    expect(await status({ verdict: 'no_concern', before: null })).toBe(409);
    // The same again loses nothing.
    expect(await status({ ...breach, before: null })).toBe(200);
    expect(await status({ verdict: 'no_concern', before: breach })).toBe(200);
  });

  it('is in the audit log each time, its note sealed with the person’s key', async () => {
    await attempt.submit();
    await recordVerdict({ verdict: 'breach', note: 'Another person sat there' });
    await recordVerdict({ verdict: 'talk', note: '' });
    const { actions } = (await attempt.record()).body;
    expect(actions).toMatchObject([
      { action: 'participant.verdict_recorded', reason: 'Another person sat there' },
      { action: 'participant.verdict_recorded', reason: null },
    ]);
    const { rows } = await app.pool.query(
      `select details::text as details from audit_entries
       where action = 'participant.verdict_recorded' and subject_id = $1 order by id`,
      [attempt.id],
    );
    expect(rows[0].details).toContain('breach');
    expect(rows.map((row) => row.details).join()).not.toContain('Another');
    expect(rows[1].details).toContain('"before": "breach"');
  });

  it('is never seen by the candidate', async () => {
    await attempt.submit();
    await recordVerdict({ verdict: 'breach', note: 'Another person sat there' });
    const as = attempt.candidate.cookie;
    for (const reply of [
      await app.call('getParticipant', { as, params: { id: attempt.id } }),
      await app.call('listParticipants', { as }),
      await app.call('listParticipants', { as, query: { review: 'breach' } }),
      await attempt.heartbeat(),
      await attempt.submit(),
    ]) {
      expect(reply.status).toBe(200);
      expect(reply.text).not.toMatch(/verdict|breach|Another person/);
    }
  });

  describe('is pending', () => {
    it.each([
      ['face_not_detected', true],
      ['fullscreen_exit', true],
      ['tab_hidden', true],
      ['multiple_faces', true],
      ['monitor_silent', true],
      ['clipboard', true],
      ['window_blur', false],
      ['camera_dark', false],
      ['time_expired', false],
    ])('after %s: %s, once the attempt has ended', async (type, expected) => {
      await report(type);
      expect(await listed('open')).toEqual([]);
      await attempt.submit();
      expect(await listed('open')).toEqual(expected ? [attempt.id] : []);
      expect((await attempt.record()).body.participant.toReview).toBe(expected);
    });

    it('not where nothing was detected, nor after a verdict was recorded', async () => {
      await attempt.submit();
      expect(await listed('open')).toEqual([]);
      const { quiz } = attempt;
      attempt = await beginAttempt(app, app.admin, quiz);
      await report('voice_detected');
      await attempt.submit();
      expect(await listed('open')).toEqual([attempt.id]);
      await recordVerdict({ verdict: 'no_concern' });
      expect(await listed('open')).toEqual([]);
    });

    it('also when the counter was called and nothing was reported', async () => {
      const { id, candidate } = attempt;
      await app.call('countViolation', { as: candidate.cookie, params: { id } });
      await attempt.submit();
      expect(await listed('open')).toEqual([id]);
    });
  });

  describe('is based on', () => {
    it('reports of sensors and page, and notes of the candidate, in order of time', async () => {
      const as = attempt.candidate.cookie;
      const reported = await attempt.report('face_not_detected', {
        notes: 'No face for 2 s',
        engine: 'model',
      });
      app.clock.advance({ seconds: 5 });
      await report('camera_dark');
      await report('manual_submit');
      const note = (text: unknown) =>
        app.call('noteViolation', { as, params: { id: reported.body.id }, body: { note: text } });
      expect((await note('x'.repeat(1_001))).status).toBe(400);
      await note('I picked up my pen');
      expect(await note(' My pen fell. ')).toMatchObject({
        status: 200,
        body: { id: reported.body.id, note: 'My pen fell.' },
      });
      expect((await attempt.record()).body.violations).toMatchObject([
        {
          type: 'face_not_detected',
          counted: true,
          level: 'high',
          engine: 'model',
          notes: 'No face for 2 s',
          candidateNote: 'My pen fell.',
        },
        { type: 'camera_dark', counted: false, level: 'info', engine: null, candidateNote: null },
      ]);
      await attempt.submit();
      app.clock.advance({ minutes: 10 });
      expect((await note('And I found it')).status).toBe(200);
      app.clock.advance({ ms: 1 });
      expect(await note('Too late')).toMatchObject({ status: 403, body: { code: 'NOTE_CLOSED' } });
    });

    it('the connection gaps, including one that is still open', async () => {
      const from = app.clock.now().toISOString();
      app.clock.advance({ seconds: 40 });
      const to = app.clock.now().toISOString();
      await attempt.heartbeat();
      app.clock.advance({ seconds: 25 });
      await attempt.heartbeat();
      expect((await attempt.record()).body.connectionGaps).toEqual([{ from, to }]);
      const reload = app.clock.now().toISOString();
      app.clock.advance({ seconds: 26 });
      const back = app.clock.now().toISOString();
      await attempt.start();
      app.clock.advance({ seconds: 60 });
      expect((await attempt.record()).body.connectionGaps).toEqual([
        { from, to },
        { from: reload, to: back },
        { from: back, to: app.clock.now().toISOString() },
      ]);
      expect((await attempt.record()).body.participant).toMatchObject({ violationCount: 0 });
    });

    it('sensors that were on, not required, or not applicable to the person', async () => {
      const sensors = async () => (await attempt.record()).body.sensors;
      expect(await sensors()).toEqual({ camera: 'on', microphone: 'on', fullscreen: 'on' });
      await app.pool.query('update participants set camera_enabled = false where id = $1', [
        attempt.id,
      ]);
      expect(await sensors()).toMatchObject({ camera: 'not_applicable', microphone: 'on' });
      // A sensor that is off can add neither a count nor a flag.
      const violations = async () => (await attempt.record()).body.violations;
      for (const type of ['face_not_detected', 'multiple_faces', 'camera_dark']) {
        expect(await report(type)).toMatchObject({ status: 201, body: { counted: false } });
      }
      expect(await violations()).toEqual([]);
      expect((await report('voice_detected')).body.counted).toBe(true);
      await attempt.submit();

      const off = await makeQuiz(app, app.admin, { policy: OFF_POLICY });
      attempt = await beginAttempt(app, app.admin, off);
      expect(await sensors()).toEqual({ camera: 'off', microphone: 'off', fullscreen: 'off' });
    });
  });
});
