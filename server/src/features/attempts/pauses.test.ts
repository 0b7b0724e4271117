import { ATTEMPT_LIMITS, PAUSE_LIMITS } from '@invigil/core/domain/limits';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { openFrames } from '@invigil/testkit/open-frames';
import { startOtherProcess } from '@invigil/testkit/other-process';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';
import { flagSilentMonitors } from '../../jobs/run-jobs.ts';

const ALARM = 'Fire alarm. Leave the room. Your time is stopped.';
const MINUTES = 25;

const app = setUpAppWithAdmin();
let quiz: MadeQuiz;

let admin = '';

beforeAll(async () => {
  quiz = await makeQuiz(app, app.admin, { duration: MINUTES });
});
// Half an hour without a request ends a session.
const back = async () => {
  admin = await signInAdmin(app, `admin-${newId()}@example.org`);
};
beforeEach(back);
const begin = () => beginAttempt(app, admin, quiz);
const act = (action: object, of: readonly BegunAttempt[], reason?: string) =>
  app.call('applyToMany', {
    as: admin,
    body: { id: newId(), ids: of.map(({ id }) => id), action, ...(reason ? { reason } : {}) },
  });
const pause = (of: readonly BegunAttempt[], minutes?: number) =>
  act({ kind: 'pause', ...(minutes === undefined ? {} : { minutes }) }, of, ALARM);
const resume = (...of: BegunAttempt[]) => act({ kind: 'resume' }, of);
const leftOf = async (attempt: BegunAttempt): Promise<number> =>
  (await attempt.heartbeat()).body.remainingMs;
const recordOf = ({ id }: BegunAttempt) =>
  app.call('getParticipantRecord', { as: admin, params: { id } });
const eventsOf = async (attempt: BegunAttempt): Promise<string[]> =>
  (await recordOf(attempt)).body.events.map(({ kind }: { kind: string }) => kind);

describe('a pause', () => {
  it('needs a reason and whole minutes, and an attempt that has time left', async () => {
    const [attempt, over] = [await begin(), await begin()];
    expect(await act({ kind: 'pause' }, [attempt])).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'reason' }] },
    });
    for (const minutes of [0, 1.5, PAUSE_LIMITS.minutesMax + 1]) {
      expect(await pause([attempt], minutes)).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'action.minutes' }] },
      });
    }
    await over.submit();
    expect((await pause([attempt, over])).body).toMatchObject({
      done: [attempt.id],
      refused: [{ id: over.id, code: 'NOT_RUNNING' }],
    });
    const late = await begin();
    app.clock.advance({ minutes: MINUTES, seconds: 1 });
    expect((await pause([late])).body).toMatchObject({ refused: [{ code: 'NOT_RUNNING' }] });
  });

  it('stops the clock to the millisecond, with its reason, until it is ended', async () => {
    const [attempt, other] = [await begin(), await begin()];
    app.clock.advance({ ms: 61_234 });
    const leftMs = MINUTES * 60_000 - 61_234;
    expect((await pause([attempt, other])).body.refused).toEqual([]);
    for (const seconds of [0, 10, 600]) {
      app.clock.advance({ seconds });
      const { body } = await attempt.heartbeat();
      expect(body).toMatchObject({ remainingMs: leftMs, pause: { reason: ALARM, isOpen: true } });
      // The deadline that a page sees never decreases.
      expect(body.deadlineAt).toBe(attempt.deadlineAt.toISOString());
    }
    await passTime(app, { minutes: 660 });
    await back();
    await resume(attempt);
    const { body } = await attempt.heartbeat();
    expect(body).toMatchObject({ remainingMs: leftMs });
    expect(body).not.toHaveProperty('pause');
    const moved = Date.parse(body.deadlineAt) - attempt.deadlineAt.getTime();
    expect(moved).toBe(11 * 3_600_000 + 610_000);
    app.clock.advance({ seconds: 1 });
    expect(await leftOf(attempt)).toBe(leftMs - 1_000);
    expect(await leftOf(other)).toBe(leftMs);
    // Again changes nothing.
    await resume(attempt);
    expect(await leftOf(attempt)).toBe(leftMs - 1_000);
    expect(await eventsOf(attempt)).toEqual(
      expect.arrayContaining(['started', 'paused', 'clock_resumed']),
    );
    expect((await recordOf(attempt)).body.actions).toMatchObject([
      { action: 'participant.paused', reason: ALARM },
      { action: 'participant.resumed' },
    ]);
  });

  it('ends by itself at its minute for all, also while the service is down', async () => {
    const [attempt, other] = [await begin(), await begin()];
    await pause([attempt, other], 10);
    expect((await attempt.heartbeat()).body.pause).toEqual({ reason: ALARM, leftMs: 600_000 });
    app.clock.advance({ minutes: 4 });
    await app.rebuild();
    expect((await attempt.heartbeat()).body).toMatchObject({
      remainingMs: MINUTES * 60_000,
      pause: { leftMs: 360_000 },
    });
    app.clock.advance({ minutes: 7 });
    await app.rebuild();
    for (const one of [attempt, other]) expect(await leftOf(one)).toBe((MINUTES - 1) * 60_000);
    await passTime(app, afterGrace({ minutes: MINUTES - 1 }));
    await back();
    expect(await attempt.row()).toMatchObject({ status: 'completed', submission_type: 'auto' });
    const { timeSpent } = (await recordOf(attempt)).body.participant;
    expect(timeSpent).toBe(MINUTES * 60);
  });

  it('is made longer and shorter, and ended, while it lasts', async () => {
    const attempt = await begin();
    await pause([attempt], 10);
    app.clock.advance({ minutes: 9 });
    await pause([attempt], 5);
    expect((await attempt.heartbeat()).body).toMatchObject({
      remainingMs: MINUTES * 60_000,
      pause: { leftMs: 300_000 },
    });
    await pause([attempt]);
    await pause([attempt], 1);
    app.clock.advance({ seconds: 61 });
    expect(await leftOf(attempt)).toBe(MINUTES * 60_000 - 1_000);
  });

  it('lasts twelve hours at most, and then the time goes on to its end', async () => {
    const attempt = await begin();
    await pause([attempt]);
    await passTime(app, { ms: PAUSE_LIMITS.longestMs + 60_000 });
    expect(await leftOf(attempt)).toBe((MINUTES - 1) * 60_000);
    await passTime(app, afterGrace({ minutes: MINUTES - 1 }));
    expect(await attempt.row()).toMatchObject({ status: 'completed' });
  });

  it('goes on through reload, sign-in and takeover, and keeps answers that arrive', async () => {
    const attempt = await begin();
    await pause([attempt]);
    app.clock.advance({ minutes: 40 });
    await back();
    expect((await attempt.save(0, 1, 1)).body).toMatchObject({ remainingMs: MINUTES * 60_000 });
    await attempt.signIn();
    expect((await attempt.start()).body).toMatchObject({
      id: attempt.id,
      remainingMs: MINUTES * 60_000,
      pause: { reason: ALARM, isOpen: true },
    });
    await resume(attempt);
    expect(await leftOf(attempt)).toBe(MINUTES * 60_000);
    expect((await attempt.submit()).body.summary).toMatchObject({ timeSpent: 0 });
  });

  it('counts nothing that happens in it, reported then or later', async () => {
    const attempt = await begin();
    const call = () =>
      app.call('countViolation', { as: attempt.candidate.cookie, params: { id: attempt.id } });
    await attempt.report('face_not_detected');
    await pause([attempt], 10);
    app.clock.advance({ minutes: 5 });
    for (const type of ['face_not_detected', 'fullscreen_exit', 'clipboard']) {
      expect((await attempt.report(type)).body).toMatchObject({
        counted: false,
        violationCount: 1,
      });
    }
    expect((await call()).body).toEqual({ violationCount: 1 });
    app.clock.advance({ minutes: 6 });
    const late = await attempt.report('fullscreen_exit', { ageMs: 120_000 });
    expect(late.body).toMatchObject({ counted: false, violationCount: 1 });
    const { body } = await recordOf(attempt);
    expect(body.violations.map(({ type }: { type: string }) => type)).toEqual([
      'face_not_detected',
    ]);
    expect((await attempt.report('fullscreen_exit')).body).toMatchObject({ counted: true });
  });

  it('asks no monitor for reports, and calls no silence a gap', async () => {
    const attempt = await begin();
    await attempt.heartbeat();
    await pause([attempt], 30);
    for (let minute = 0; minute < 30; minute += 5) {
      app.clock.advance({ minutes: 5 });
      // From an unsent queue: the page was asleep.
      if (minute === 10) await attempt.save(0, 1, 1);
      await flagSilentMonitors(app.context, app.clock.now());
    }
    await back();
    expect(await attempt.row()).toMatchObject({ review_flags: 0, silent_since: null });
    app.clock.advance({ ms: ATTEMPT_LIMITS.connectionGapMs });
    await attempt.heartbeat();
    expect(await eventsOf(attempt)).not.toContain('gap');
    app.clock.advance({ ms: ATTEMPT_LIMITS.connectionGapMs + 1 });
    await attempt.heartbeat();
    expect(await eventsOf(attempt)).toContain('gap');
  });

  it('takes more time, ends with the attempt, and is in no time that was taken', async () => {
    const [extended, ended, submitted] = [await begin(), await begin(), await begin()];
    const all = [extended, ended, submitted];
    app.clock.advance({ minutes: 2 });
    await pause(all);
    app.clock.advance({ minutes: 20 });
    await act({ kind: 'extend', minutes: 5 }, [extended], 'Lost the way');
    expect(await leftOf(extended)).toBe((MINUTES + 3) * 60_000);
    await act({ kind: 'end' }, [ended], 'Gone home');
    await resume(ended);
    await passTime(app, { seconds: 11 });
    await submitted.submit();
    expect(await ended.row()).toMatchObject({ status: 'completed', submission_type: 'database' });
    for (const [attempt, seconds] of [
      [ended, 130],
      [submitted, 120],
    ] as const) {
      const row = await app.call('getParticipant', { as: admin, params: { id: attempt.id } });
      expect(row.body.timeSpent).toBe(seconds);
    }
    const query = { quizId: quiz.id, sort: 'timeSpent', order: 'asc' };
    const list = await app.call('listParticipants', { as: admin, query });
    const times = list.body.map(({ timeSpent }: { timeSpent: number }) => timeSpent);
    expect(times).toEqual([...times].sort((a: number, b: number) => a - b));
    // The time that was left is left when it is reinstated.
    await app.call('replaceParticipant', {
      as: admin,
      params: { id: submitted.id },
      body: { how: 'reinstate', reason: 'By mistake' },
    });
    await submitted.signIn();
    expect((await submitted.start()).body.remainingMs).toBe((MINUTES - 2) * 60_000);
  });

  it('reaches page and board through another process', async () => {
    const attempt = await begin();
    const other = await startOtherProcess(app);
    const url = await other.fastify.listen({ port: 0, host: '127.0.0.1' });
    const page = await openFrames(
      `${url}/api/participants/${attempt.id}/events`,
      attempt.candidate.cookie,
    );
    const board = await openFrames(`${url}/api/live`, admin);
    const rowOf = async () => {
      for (;;) {
        const frame = await board.next();
        const rows = frame?.attempts as { id: string }[];
        const row = rows.find(({ id }) => id === attempt.id);
        if (row) return row;
      }
    };
    try {
      await page.next();
      await rowOf();
      app.clock.advance({ minutes: 1 });
      await pause([attempt], 10);
      expect(await page.next()).toMatchObject({ pause: { reason: ALARM, leftMs: 600_000 } });
      const since = app.clock.now();
      const until = new Date(since.getTime() + 600_000).toISOString();
      expect(await rowOf()).toMatchObject({
        pause: { since: since.toISOString(), until, reason: ALARM },
        remainingMs: (MINUTES - 1) * 60_000,
      });
      await resume(attempt);
      expect(await page.next()).not.toHaveProperty('pause');
      expect(await rowOf()).not.toHaveProperty('pause');
    } finally {
      page.close();
      board.close();
      await other.close();
    }
  });
});

describe('breaks', () => {
  const grant = async (breaks: unknown, before?: unknown) => {
    const emails = [`break-${newId()}@example.org`];
    const invited = await app.call('inviteToQuiz', {
      as: admin,
      params: { id: quiz.id },
      body: { emails },
    });
    const { id } = invited.body.invitations[0];
    const body = { breaks, reason: 'Diabetes', ...(before ? { before } : {}) };
    const changed = await app.call('updateInvitation', { as: admin, params: { id }, body });
    return { id, changed };
  };
  /** An attempt of somebody who may leave twice, six minutes in all. */
  async function withBreaks() {
    const attempt = await begin();
    await app.pool.query(
      'update participants set breaks_left = 2, break_ms_left = 360000 where id = $1',
      [attempt.id],
    );
    return attempt;
  }
  const take = (attempt: BegunAttempt, onBreak: boolean) =>
    app.call('takeBreak', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { onBreak },
    });

  it('are granted before the start, within limits, and shown', async () => {
    for (const breaks of [
      { count: 0, minutes: 5 },
      { count: 1, minutes: 241 },
      { count: 1.5, minutes: 5 },
    ]) {
      expect((await grant(breaks)).changed).toMatchObject({ status: 400 });
    }
    const breaks = { count: 2, minutes: 15 };
    const { id, changed } = await grant(breaks, { breaks: null });
    expect(changed.body).toMatchObject({ breaks });
    const change = (body: object) =>
      app.call('updateInvitation', {
        as: admin,
        params: { id },
        body: { ...body, reason: 'As agreed' },
      });
    expect((await change({ breaks: null, before: { breaks: null } })).status).toBe(409);
    // Others of their accommodations leave them.
    expect((await change({ extraTimeFactor: 1.5 })).body).toMatchObject({ breaks });
    expect((await change({ breaks: null, before: { breaks } })).body).not.toHaveProperty('breaks');
  });

  it('are copied to the attempt, and none without them', async () => {
    const attempt = await begin();
    expect((await attempt.start()).body).not.toHaveProperty('breaks');
    expect(await take(attempt, true)).toMatchObject({
      status: 409,
      body: { code: 'NO_BREAK_LEFT' },
    });
  });

  it('stop the clock and give back what was not used, as often as there are breaks', async () => {
    const attempt = await withBreaks();
    app.clock.advance({ minutes: 1 });
    const left = (MINUTES - 1) * 60_000;
    expect((await take(attempt, true)).body).toMatchObject({
      remainingMs: left,
      pause: { reason: null, leftMs: 360_000 },
    });
    app.clock.advance({ minutes: 2 });
    expect((await take(attempt, true)).body.pause).toMatchObject({ leftMs: 240_000 });
    const back = await take(attempt, false);
    expect(back.body).toMatchObject({ remainingMs: left, breaks: { left: 1, leftMs: 240_000 } });
    expect(back.body).not.toHaveProperty('pause');
    await take(attempt, true);
    app.clock.advance({ minutes: 5 });
    const after = await take(attempt, false);
    expect(after.body).toMatchObject({ remainingMs: left - 60_000 });
    expect(after.body).not.toHaveProperty('breaks');
    expect(await take(attempt, true)).toMatchObject({ body: { code: 'NO_BREAK_LEFT' } });
    expect(await eventsOf(attempt)).toEqual([
      'started',
      'break_began',
      'break_ended',
      'break_began',
    ]);
  });

  it('give way to a pause, which the candidate cannot end', async () => {
    const attempt = await withBreaks();
    await take(attempt, true);
    app.clock.advance({ minutes: 2 });
    await pause([attempt]);
    expect((await take(attempt, false)).body.pause).toMatchObject({ reason: ALARM });
    await resume(attempt);
    expect((await attempt.start()).body).toMatchObject({
      remainingMs: MINUTES * 60_000,
      breaks: { left: 1, leftMs: 240_000 },
    });
  });
});
