import { OFF_POLICY } from '@invigil/core/domain/violation-policy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BegunAttempt, beginAttempt } from '../testing/begun-attempt.ts';
import { makeQuiz, signInAdmin } from '../testing/factories.ts';
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
