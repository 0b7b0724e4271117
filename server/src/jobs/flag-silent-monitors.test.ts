import { OFF_POLICY, STRICT_POLICY } from '@invigil/core/domain/violation-policy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../db/new-id.ts';
import { type BegunAttempt, beginAttempt } from '../testing/begun-attempt.ts';
import { makeQuiz, signInAdmin } from '../testing/factories.ts';
import { HeldWindow } from '../testing/held-window.ts';
import { STILL } from '../testing/stills.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { closeDueParticipants } from './close-due-participants.ts';
import { flagSilentMonitors } from './flag-silent-monitors.ts';

describe('a monitor that is silent', () => {
  let app: TestApp;
  let admin: string;
  let attempt: BegunAttempt;
  let revision = 0;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    attempt = await beginAttempt(app, admin);
  });

  const save = (monitor?: object) => {
    revision += 1;
    const { id: questionId, options = [] } = attempt.quiz.questions[0] ?? {};
    const answers = [{ questionId, selectedOption: options[0], isFlagged: false, revision }];
    return app.call('saveAnswers', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { answers, ...(monitor ? { monitor } : {}) },
    });
  };
  const beat = (monitor?: object) =>
    app.call('heartbeat', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { seq: 1, ...(monitor ? { monitor } : {}) },
    });
  const look = () => flagSilentMonitors(app.context, app.clock.now());
  const flags = async () =>
    (await attempt.record()).body.violations.map((v: { type: string }) => v.type);

  /** Seconds pass, each tenth with a beat and a save, and the job comes round every fifth. */
  async function pass(seconds: number, monitor?: object) {
    for (let i = 0; i < seconds; i += 5) {
      app.clock.advance({ seconds: 5 });
      if (i % 10 === 5) {
        await beat(monitor);
        expect((await save()).status).toBe(200);
      }
      await look();
    }
  }

  it('is noted without waiting for a heartbeat that holds the attempt', async () => {
    app.clock.advance({ seconds: 30 });
    expect((await save()).status).toBe(200);
    const held = await HeldWindow.open(
      app.pool,
      'select from participants where id = $1 for no key update',
      [attempt.id],
    );
    try {
      await look();
    } finally {
      await held.release();
    }
  });

  it('is not, as long as it speaks up in heartbeats or in saves', async () => {
    await pass(120, { face: 'yes' });
    expect(await flags()).toEqual([]);
    for (let i = 0; i < 8; i += 1) {
      app.clock.advance({ seconds: 20 });
      expect((await save({ face: 'yes' })).status).toBe(200);
      // A save does not wait until its monitor is noted.
      await app.context.heartbeats.idle();
      await look();
    }
    expect(await flags()).toEqual([]);
  });

  it('leaves a flag after 25 s in which answers arrive, one for each silence', async () => {
    await pass(20);
    expect(await flags()).toEqual([]);
    await pass(25);
    expect(await flags()).toEqual(['monitor_silent']);
    await pass(120);
    expect(await flags()).toEqual(['monitor_silent']);
    await pass(20, {});
    await pass(45);
    expect(await flags()).toEqual(['monitor_silent', 'monitor_silent']);
  });

  it('never counts and never dismisses, and brings the attempt to the reviewer', async () => {
    await pass(60);
    await closeDueParticipants(app.context);
    expect((await attempt.record()).body.participant).toMatchObject({
      status: 'in_progress',
      violationCount: 0,
    });
    await attempt.submit();
    expect((await attempt.record()).body.participant.toReview).toBe(true);
  });

  it('is nobody who reads for long, or whose connection is gone', async () => {
    for (let i = 0; i < 12; i += 1) {
      app.clock.advance({ seconds: 10 });
      await look();
    }
    expect(await flags()).toEqual([]);
  });

  it('is no page that comes back from a gap and sends its answers first', async () => {
    app.clock.advance({ seconds: 90 });
    await save();
    await look();
    app.clock.advance({ seconds: 4 });
    await beat({ face: 'yes' });
    app.clock.advance({ seconds: 20 });
    await look();
    expect(await flags()).toEqual([]);
    app.clock.advance({ seconds: 120 });
    await attempt.start();
    await save();
    app.clock.advance({ seconds: 11 });
    await look();
    expect(await flags()).toEqual([]);
  });

  it('is none where the policy watches nothing', async () => {
    const off = await makeQuiz(app, admin, { policy: OFF_POLICY });
    attempt = await beginAttempt(app, admin, off);
    await pass(60);
    expect(await flags()).toEqual([]);
  });
});

describe('a monitor that speaks', () => {
  let app: TestApp;
  let admin: string;
  let attempt: BegunAttempt;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
  });
  afterAll(() => app.stop());

  const enter = async (policy: object = STRICT_POLICY, headers = {}) => {
    const quiz = await makeQuiz(app, admin, { policy, duration: 60 });
    attempt = await beginAttempt(app, admin, quiz);
    await resume(headers);
  };
  const resume = (headers: Record<string, string> = {}) =>
    app.call('startParticipant', { as: attempt.candidate.cookie, body: {}, headers });
  const beat = (monitor: object) =>
    app.call('heartbeat', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { seq: 1, monitor },
    });
  const still = () =>
    app.call('uploadEvidence', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { id: newId(), stills: [{ offsetMs: 0, jpeg: STILL }], levels: null },
    });
  const flags = async () =>
    (await attempt.record()).body.violations.map((v: { type: string }) => v.type);
  /** Every ten seconds a heartbeat, then the job. */
  async function pass(seconds: number, monitorAt: (beats: number) => object) {
    for (let i = 0; i < seconds; i += 10) {
      app.clock.advance({ seconds: 10 });
      await beat(monitorAt(i / 10));
      await flagSilentMonitors(app.context, app.clock.now());
    }
  }
  const working = (beats: number) => ({ face: 'ok', faceEngine: 'model', checks: beats * 10 + 1 });

  it('and checks pictures is not flagged', async () => {
    await enter();
    await pass(600, working);
    expect(await flags()).toEqual([]);
  });

  it.each([
    ['cannot tell, because its worker was stopped', () => ({ face: 'cannot-tell', checks: 7 })],
    ['never gets its detectors', () => ({ face: 'starting', checks: 0 })],
    ['says that all is well and checks nothing more', () => ({ face: 'ok', checks: 7 })],
    [
      'counts on, but cannot tell',
      (beats: number) => ({ face: 'cannot-tell', checks: beats * 10 }),
    ],
  ])('and %s is flagged after 90 s, once', async (_, monitor) => {
    await enter();
    await pass(90, monitor);
    expect(await flags()).toEqual([]);
    await pass(30, monitor);
    expect(await flags()).toEqual(['camera_unjudged']);
    await pass(300, monitor);
    expect(await flags()).toEqual(['camera_unjudged']);
    await pass(20, working);
    await pass(120, monitor);
    expect(await flags()).toEqual(['camera_unjudged', 'camera_unjudged']);
    expect((await attempt.record()).body.participant).toMatchObject({
      status: 'in_progress',
      violationCount: 0,
    });
  });

  it('and cannot tell is left to the page where that has said so', async () => {
    await enter();
    await pass(60, () => ({ face: 'cannot-tell', checks: 0 }));
    await app.call('reportViolation', {
      as: attempt.candidate.cookie,
      body: { participantId: attempt.id, violationType: 'camera_lost', notes: 'no-frame' },
    });
    await pass(120, () => ({ face: 'cannot-tell', checks: 0 }));
    expect(await flags()).toEqual(['camera_lost']);
  });

  it.each([
    ['no camera is asked for', { ...STRICT_POLICY, preset: 'custom', camera: false }, {}],
    ['it runs on a phone', STRICT_POLICY, { 'sec-ch-ua-mobile': '?1' }],
    [
      'it is checked only every minute',
      { ...STRICT_POLICY, preset: 'custom', face: { everyMs: 60_000, misses: 2 } },
      {},
    ],
  ])('and checks nothing is right where %s', async (_, policy, headers) => {
    await enter(policy, headers);
    const before = await flags();
    await pass(150, () => ({ face: 'cannot-tell', checks: 0 }));
    expect(await flags()).toEqual(before);
  });

  describe('where stills are asked for', () => {
    const stills = { ...STRICT_POLICY, preset: 'custom', stillEveryMs: 60_000 };

    it('and sends none is flagged after three that are missing, once', async () => {
      await enter(stills);
      await pass(270, working);
      expect(await flags()).toEqual([]);
      await pass(600, working);
      expect(await flags()).toEqual(['stills_missing']);
    });

    it('and sends them is not flagged, until they end', async () => {
      await enter(stills);
      for (let i = 0; i < 10; i += 1) {
        await pass(60, working);
        expect((await still()).status).toBe(201);
      }
      expect(await flags()).toEqual([]);
      await pass(300, working);
      expect(await flags()).toEqual(['stills_missing']);
    });

    it('begins anew where the page was away', async () => {
      await enter(stills);
      app.clock.advance({ minutes: 20 });
      await pass(260, working);
      expect(await flags()).toEqual([]);
    });

    it('is not flagged on a phone', async () => {
      await enter(stills, { 'sec-ch-ua-mobile': '?1' });
      const before = await flags();
      await pass(600, working);
      expect(await flags()).toEqual(before);
    });
  });
});
