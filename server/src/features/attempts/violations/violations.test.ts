import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../db/new-id.ts';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';

describe('violations', () => {
  const app = setUpApp();
  let admin: string;
  let quiz: MadeQuiz;
  let attempt: BegunAttempt;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    quiz = await makeQuiz(app, admin);
    await enter(quiz);
  });

  async function enter(at: MadeQuiz) {
    attempt = await beginAttempt(app, admin, at);
  }

  const report = (violationType: string, more: object = {}) => attempt.report(violationType, more);
  const asked = () => ({ as: attempt.candidate.cookie, params: { id: attempt.id } });
  const call = () => app.call('countViolation', asked());
  const shown = async () => (await app.call('getParticipant', asked())).body;
  const listed = async () => (await app.call('getParticipant', { ...asked(), as: admin })).body;
  const later = (seconds: number) => app.clock.advance({ seconds });
  const stored = async () =>
    (
      await app.pool.query('select type, counted from violations where participant_id = $1', [
        attempt.id,
      ])
    ).rows;

  it('with one id in two attempts at the same moment belong to one of them', async () => {
    const other = await beginAttempt(app, admin, quiz);
    for (let i = 0; i < 10; i += 1) {
      const id = newId();
      const replies = await Promise.all(
        [attempt, other].map((one) => one.report('window_blur', { id })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 404]);
    }
  });

  it('reported during a submit are included or refused as a whole', async () => {
    for (let i = 0; i < 5; i += 1) {
      await enter(quiz);
      const [reported, submitted] = await Promise.all([
        report('face_not_detected'),
        attempt.submit(),
      ]);
      expect(submitted.status).toBe(200);
      const isIn = reported.status === 201;
      if (!isIn) expect(reported.body.code).toBe('ATTEMPT_CLOSED');
      expect((await listed()).violationCount).toBe(isIn ? 1 : 0);
      expect(submitted.body.summary.violationCount).toBe(isIn ? 1 : 0);
      expect(await stored()).toHaveLength(isIn ? 1 : 0);
    }
  });

  it('at the same moment count one after the other, and end the attempt once', async () => {
    const types = ['face_not_detected', 'voice_detected', 'fullscreen_exit'];
    const replies = await Promise.all(types.flatMap((type) => [report(type), report(type)]));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(replies.filter(({ body }) => body.counted)).toHaveLength(4);
    expect(await shown()).toMatchObject({ violationCount: 2, fullscreenExits: 2 });
    later(11);
    await Promise.all([report('face_not_detected'), report('voice_detected')]);
    const { rows } = await app.pool.query(
      "select from participant_events where participant_id = $1 and kind = 'limit_reached'",
      [attempt.id],
    );
    expect(rows).toHaveLength(1);
  });

  it('count face and voice together; the third dismisses about a second later', async () => {
    expect(await report('face_not_detected')).toMatchObject({
      status: 201,
      body: { counted: true, violationCount: 1, remaining: 2, status: 'in_progress' },
    });
    later(1);
    expect((await report('voice_detected')).body).toMatchObject({
      violationCount: 2,
      remaining: 1,
    });
    later(10);
    expect((await report('face_not_detected')).body).toMatchObject({
      counted: true,
      violationCount: 3,
      remaining: 0,
    });
    // The last second is for what the browser has not sent yet.
    expect((await attempt.save(0, 1, 1)).status).toBe(200);
    app.clock.advance({ ms: 1_001 });
    await closeDueParticipants(app.context);
    expect(await listed()).toMatchObject({
      status: 'dismissed',
      submissionType: 'dismissed',
      score: 1,
      violationCount: 3,
      violationLimit: 3,
    });
  });

  it('of one kind count once in ten seconds, by the time of the event', async () => {
    later(60);
    await report('face_not_detected', { ageMs: 30_000 });
    later(1);
    // Not before the previous request, which would have reported it.
    expect((await report('face_not_detected', { ageMs: 60_000 })).body.counted).toBe(true);
    later(8);
    expect((await report('face_not_detected')).body).toMatchObject({
      counted: false,
      violationCount: 2,
    });
    expect(await stored()).toHaveLength(3);
  });

  it('are not dated before a save, which would have reported them', async () => {
    await report('face_not_detected');
    later(11);
    await attempt.save(0, 1, 1);
    later(1);
    const aged = await report('face_not_detected', { ageMs: 20_000 });
    expect(aged.body).toMatchObject({ counted: true, violationCount: 2 });
  });

  it('end an attempt as a dismissal, even when its time ends first', async () => {
    later(25 * 60 + 9);
    for (let i = 0; i < 5; i += 1) await report('fullscreen_exit');
    later(0.5);
    const submitted = await attempt.submit();
    expect(submitted.body.summary).toMatchObject({ submissionType: 'dismissed' });
  });

  it('of a hidden page dismiss on a computer at the first', async () => {
    expect((await report('tab_hidden', { durationMs: 1_500 })).body.counted).toBe(false);
    expect((await report('tab_hidden', { durationMs: 2_500 })).body).toMatchObject({
      counted: true,
      remaining: 0,
      violationCount: 0,
    });
    later(2);
    await closeDueParticipants(app.context);
    expect(await listed()).toMatchObject({ status: 'dismissed' });
  });

  it('that end an attempt by a limit of their own bring it to review', async () => {
    const limits = { ...STRICT_POLICY.limits, face: 2 };
    const policy = { ...STRICT_POLICY, preset: 'custom', limits, combinedTypes: [] };
    await enter(await makeQuiz(app, admin, { policy }));
    for (let i = 0; i < 2; i += 1) {
      await report('face_not_detected');
      later(20);
    }
    await closeDueParticipants(app.context);
    expect(await listed()).toMatchObject({ status: 'dismissed', violationCount: 0 });
    const query = { quizId: attempt.quiz.id, review: 'open' };
    const { body } = await app.call('listParticipants', { as: admin, query });
    expect(body).toMatchObject([{ id: attempt.id, reviewFlags: 2 }]);
  });

  it('that the page could not warn of are recorded and never count', async () => {
    for (const type of ['face_not_detected', 'voice_detected', 'fullscreen_exit', 'tab_hidden']) {
      for (let i = 0; i < 6; i += 1) {
        const { status, body } = await report(type, { unseen: true, notes: 'faces: 0' });
        expect([status, body.counted, body.status]).toEqual([201, false, 'in_progress']);
        later(11);
      }
    }
    expect(await listed()).toMatchObject({ violationCount: 0, fullscreenExits: 0, tabSwitches: 0 });
    expect(await stored()).toHaveLength(24);
    const record = await attempt.record();
    expect(record.body.violations[0].notes).toBe('unseen; faces: 0');
    expect((await listed()).reviewFlags).toBe(24);
    // A part of the page that failed is for the record only.
    expect((await report('page_failed', { notes: 'The time' })).body.counted).toBe(false);
    expect((await listed()).reviewFlags).toBe(24);
  });

  it.each(['multiple_faces', 'looking_away', 'window_blur', 'clipboard', 'virtual_camera'])(
    'that are only flags never count: %s',
    async (type) => {
      for (let i = 0; i < 6; i += 1) {
        expect((await report(type)).body).toMatchObject({ counted: false, remaining: null });
        later(20);
      }
      expect(await shown()).toMatchObject({ violationCount: 0, status: 'in_progress' });
    },
  );

  it.each(['time_expired', 'manual_submit', 'manual_submit_violations', 'assessment_dismissed'])(
    'of the page lifecycle are stored and never counted, even after the end: %s',
    async (type) => {
      expect(await report(type, { notes: 'from the specification' })).toMatchObject({
        status: 201,
        body: { counted: false, violationCount: 0, status: 'in_progress' },
      });
      await attempt.submit();
      expect(await report(type)).toMatchObject({ status: 201, body: { status: 'completed' } });
    },
  );

  it.each([
    ['an unknown type', { violationType: 'sneezing' }],
    ['no type', { violationType: undefined }],
    ['an age below zero', { ageMs: -1 }],
    ['an invalid id', { id: 'x' }],
    ['notes that are too long', { notes: 'x'.repeat(2_001) }],
  ])('are refused for %s', async (_, change) => {
    expect((await report('voice_detected', change)).status).toBe(400);
    expect(await stored()).toEqual([]);
  });

  it('after the end are refused and change nothing', async () => {
    await attempt.submit();
    expect(await report('face_not_detected')).toMatchObject({
      status: 403,
      body: { code: 'ATTEMPT_CLOSED', details: { status: 'completed' } },
    });
    expect((await call()).status).toBe(403);
    expect((await listed()).violationCount).toBe(0);
  });

  it('follow the policy of the attempt and accommodations', async () => {
    const lenient = await makeQuiz(app, admin, { policy: { preset: 'review' } });
    await enter(lenient);
    for (let i = 0; i < 6; i += 1) {
      expect((await report('voice_detected')).body).toMatchObject({
        counted: true,
        remaining: null,
      });
      later(20);
    }
    expect(await shown()).toMatchObject({ violationCount: 6, status: 'in_progress' });

    await enter(quiz);
    await app.pool.query('update participants set microphone_enabled = false where id = $1', [
      attempt.id,
    ]);
    expect((await shown()).policy).toMatchObject({ camera: true, microphone: false });
    expect((await report('voice_detected')).body).toMatchObject({ counted: false });
    expect((await report('face_not_detected')).body).toMatchObject({ counted: true });
  });

  it('are shown as the larger of counted ones and counter calls, never the sum', async () => {
    await report('face_not_detected');
    expect((await call()).body).toEqual({ violationCount: 1 });
    expect((await call()).body).toEqual({ violationCount: 2 });
    later(20);
    await report('face_not_detected');
    expect((await shown()).violationCount).toBe(2);
    for (let i = 0; i < 10; i += 1) await call();
    expect(await shown()).toMatchObject({ violationCount: 12, status: 'in_progress' });
    expect((await report('clipboard')).body.violationCount).toBe(12);
  });
});
