import { OFF_POLICY, STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { STILL } from '@invigil/testkit/stills';
import { inForm } from '@invigil/testkit/test-form';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../db/new-id.ts';
import { closeDueParticipants } from './close-due-participants.ts';
import { flagSilentMonitors } from './run-jobs.ts';

const app = setUpAppWithAdmin();
let attempt: BegunAttempt;
const heartbeat = (monitor?: object) =>
  app.call('heartbeat', {
    as: attempt.candidate.cookie,
    params: { id: attempt.id },
    body: { seq: 1, monitor },
  });
const runJob = () => flagSilentMonitors(app.context, app.clock.now());
const flags = async (): Promise<string[]> =>
  (await attempt.record()).body.violations.map((v: { type: string }) => v.type);

const levels = async (): Promise<string[]> =>
  (await attempt.record()).body.violations.map(
    ({ level, type }: { level: string; type: string }) => `${level} ${type}`,
  );
const reviewFlags = async () => (await attempt.record()).body.participant.reviewFlags;

describe('a silent monitor', () => {
  let revision = 0;
  beforeEach(async () => {
    attempt = await beginAttempt(app, app.admin);
  });

  const save = (monitor?: object) => {
    revision += 1;
    const { id: questionId, options = [] } = attempt.quiz.questions[0] ?? {};
    const answers = [{ questionId, selectedOption: options[0], isFlagged: false, revision }];
    return app.call('saveAnswers', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { answers, monitor },
    });
  };
  /** The page of these tests reports no checks, which is another flag. */
  const silences = async () => (await flags()).filter((type) => type !== 'camera_unjudged');

  /** Lets seconds pass, with a heartbeat and a save every ten and the job every five. */
  async function pass(seconds: number, monitor?: object) {
    for (let i = 0; i < seconds; i += 5) {
      app.clock.advance({ seconds: 5 });
      if (i % 10 === 5) {
        await heartbeat(monitor);
        expect((await save()).status).toBe(200);
      }
      await runJob();
    }
  }

  it('is recorded without waiting for a heartbeat that has locked the attempt', async () => {
    app.clock.advance({ seconds: 30 });
    expect((await save()).status).toBe(200);
    const held = await HeldWindow.open(
      app.pool,
      'select from participants where id = $1 for no key update',
      [attempt.id],
    );
    try {
      await runJob();
    } finally {
      await held.release();
    }
  });

  it('is not one that reports in heartbeats or in saves', async () => {
    await pass(120, { face: 'yes' });
    expect(await silences()).toEqual([]);
    for (let i = 0; i < 8; i += 1) {
      app.clock.advance({ seconds: 20 });
      expect((await save({ face: 'yes' })).status).toBe(200);
      // A save does not wait until its monitor report is stored.
      await app.context.heartbeats.idle();
      await runJob();
    }
    expect(await silences()).toEqual([]);
  });

  it('is flagged after 25 s in which answers arrive, once for each silence', async () => {
    await pass(20);
    expect(await silences()).toEqual([]);
    await pass(25);
    expect(await silences()).toEqual(['monitor_silent']);
    await pass(120);
    expect(await silences()).toEqual(['monitor_silent']);
    await pass(20, {});
    await pass(45);
    expect(await silences()).toEqual(['monitor_silent', 'monitor_silent']);
  });

  it('is flagged although the start is called again and again', async () => {
    for (let i = 0; i < 12; i += 1) {
      await attempt.start();
      app.clock.advance({ seconds: 5 });
      await save();
      await runJob();
    }
    expect(await silences()).toEqual(['monitor_silent']);
  });

  it('does not count and does not dismiss, but needs review', async () => {
    await pass(60);
    await closeDueParticipants(app.context);
    expect((await attempt.record()).body.participant).toMatchObject({
      status: 'in_progress',
      violationCount: 0,
    });
    await attempt.submit();
    expect((await attempt.record()).body.participant.toReview).toBe(true);
  });

  it('is not assumed without saves: reading for long, or without a connection', async () => {
    for (let i = 0; i < 12; i += 1) {
      app.clock.advance({ seconds: 10 });
      await runJob();
    }
    expect(await silences()).toEqual([]);
  });

  it('is not assumed for a page that sends its answers first after a gap', async () => {
    app.clock.advance({ seconds: 90 });
    await save();
    await runJob();
    app.clock.advance({ seconds: 4 });
    await heartbeat({ face: 'yes' });
    app.clock.advance({ seconds: 20 });
    await runJob();
    expect(await silences()).toEqual([]);
    app.clock.advance({ seconds: 120 });
    await attempt.start();
    await save();
    app.clock.advance({ seconds: 11 });
    await runJob();
    expect(await silences()).toEqual([]);
  });

  it('is not flagged if the policy has no sensors', async () => {
    const off = await makeQuiz(app, app.admin, { policy: OFF_POLICY });
    attempt = await beginAttempt(app, app.admin, off);
    await pass(60);
    expect(await silences()).toEqual([]);
  });
});

describe('a reporting monitor', () => {
  const enter = async (policy: object = STRICT_POLICY, headers = {}) => {
    const quiz = await makeQuiz(app, app.admin, { policy, duration: 60 });
    attempt = await beginAttempt(app, app.admin, quiz);
    await resume(headers);
  };
  const resume = (headers: Record<string, string> = {}) =>
    app.call('startParticipant', { as: attempt.candidate.cookie, body: {}, headers });
  const still = () =>
    app.call('uploadEvidence', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { id: newId(), stills: [{ offsetMs: 0, jpeg: STILL }], levels: null },
    });
  /** Lets seconds pass, with a heartbeat and the job every ten. */
  async function pass(seconds: number, monitorAt: (count: number) => object) {
    for (let i = 0; i < seconds; i += 10) {
      app.clock.advance({ seconds: 10 });
      await heartbeat(monitorAt(i / 10));
      await runJob();
    }
  }
  const working = (count: number) => ({ face: 'ok', faceEngine: 'model', checks: count * 10 + 1 });

  it('that checks pictures is not flagged', async () => {
    await enter();
    await pass(inForm({ short: 200, long: 600 }), working);
    expect(await flags()).toEqual([]);
  });

  it.each([
    ['cannot classify, because its worker was stopped', () => ({ face: 'cannot-tell', checks: 7 })],
    ['never loads its detectors', () => ({ face: 'starting', checks: 0 })],
    ['reports a face and checks no more pictures', () => ({ face: 'ok', checks: 7 })],
    ['reports nothing', () => ({})],
    ['reports no number of checks', () => ({ face: 'ok', faceEngine: 'model' })],
    ['reports text for a number', (count: number) => ({ face: 'ok', checks: `${count}` })],
    [
      'reports a number that falls',
      (count: number) => ({ face: 'ok', checks: Math.max(0, 5 - count) }),
    ],
    [
      'reports the same number, and none in between',
      (count: number) => ({ face: count % 2 ? 'ok' : 'starting', checks: 7 }),
    ],
    [
      'counts checks, but cannot classify',
      (count: number) => ({ face: 'cannot-tell', checks: count * 10 }),
    ],
  ])('that %s is flagged after 90 s, for a reviewer after 3 minutes', async (_, monitor) => {
    await enter();
    await pass(80, monitor);
    expect(await levels()).toEqual([]);
    await pass(60, monitor);
    expect(await levels()).toEqual(['info camera_unjudged']);
    await pass(inForm({ short: 100, long: 300 }), monitor);
    expect(await levels()).toEqual(['info camera_unjudged', 'low camera_unjudged']);
    await pass(20, working);
    // From now on each time is for a reviewer: a page must not be blind again and again.
    await pass(120, monitor);
    expect((await levels()).slice(2)).toEqual(['low camera_unjudged']);
    expect((await attempt.record()).body.participant).toMatchObject({
      status: 'in_progress',
      violationCount: 0,
    });
  });

  it('that is blind for two minutes once is no matter for a reviewer, twice it is', async () => {
    const blind = () => ({ face: 'cannot-tell', checks: 0 });
    await enter();
    await pass(120, blind);
    await pass(20, working);
    expect(await levels()).toEqual(['info camera_unjudged']);
    expect(await reviewFlags()).toBe(0);
    await pass(120, blind);
    expect((await levels()).at(-1)).toBe('low camera_unjudged');
    expect(await reviewFlags()).toBe(1);
  });

  it('that cannot classify is not flagged again if the page has reported it', async () => {
    await enter();
    await pass(60, () => ({ face: 'cannot-tell', checks: 0 }));
    await attempt.report('camera_lost', { notes: 'no-frame' });
    await pass(120, () => ({ face: 'cannot-tell', checks: 0 }));
    expect(await flags()).toEqual(['camera_lost']);
  });

  it.each([
    ['no camera is required', { ...STRICT_POLICY, preset: 'custom', camera: false }, {}],
    ['it runs on a phone', STRICT_POLICY, { 'sec-ch-ua-mobile': '?1' }],
    [
      'it is checked only every minute',
      { ...STRICT_POLICY, preset: 'custom', face: { everyMs: 60_000, misses: 2 } },
      {},
    ],
  ])('that checks nothing is not flagged if %s', async (_, policy, headers) => {
    await enter(policy, headers);
    const before = await flags();
    await pass(150, () => ({ face: 'cannot-tell', checks: 0 }));
    expect(await flags()).toEqual(before);
  });

  it.each<[string, (count: number) => object, string[]]>([
    ['reports none', () => ({ face: 'cannot-tell', checks: 0 }), ['camera_unjudged']],
    ['reports one number', () => ({ face: 'ok', checks: 7 }), ['camera_unjudged']],
    ['checks pictures', working, []],
  ])(
    'that %s is judged as always where the start is called again and again',
    async (_, report, found) => {
      await enter();
      for (let i = 0; i < 6; i += 1) {
        await pass(20, report);
        await resume();
      }
      expect(await flags()).toEqual(found);
    },
  );

  describe('with periodic stills', () => {
    const stills = { ...STRICT_POLICY, preset: 'custom', stillEveryMs: 60_000 };

    it('that sends none is flagged after three missing ones, once', async () => {
      await enter(stills);
      await pass(270, working);
      expect(await flags()).toEqual([]);
      await resume();
      await pass(inForm({ short: 240, long: 600 }), (count) => working(27 + count));
      expect(await flags()).toEqual(['stills_missing']);
    });

    it('that sends them is not flagged until they stop', { tags: 'long' }, async () => {
      await enter(stills);
      for (let i = 0; i < 10; i += 1) {
        await pass(60, (count) => working(6 * i + count));
        expect((await still()).status).toBe(201);
      }
      expect(await flags()).toEqual([]);
      await pass(300, (count) => working(60 + count));
      expect(await flags()).toEqual(['stills_missing']);
    });

    it('has its count restarted after a gap', async () => {
      await enter(stills);
      app.clock.advance({ minutes: 20 });
      await pass(260, working);
      expect(await flags()).toEqual([]);
    });

    it('is not flagged on a phone', async () => {
      await enter(stills, { 'sec-ch-ua-mobile': '?1' });
      const before = await flags();
      await pass(inForm({ short: 300, long: 600 }), working);
      expect(await flags()).toEqual(before);
    });
  });
});
