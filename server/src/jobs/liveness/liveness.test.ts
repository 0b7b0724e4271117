import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDueParticipants } from '../close-due-participants.ts';
import { recordAliveAndRecover } from './liveness.ts';
import { LivenessWatch } from './liveness-watch.ts';

describe('an outage', () => {
  const app = setUpApp();
  let admin: string;
  let attempt: BegunAttempt;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    app.clock.advance({ days: 1 });
    await closeDueParticipants(app.context);
    await app.pool.query('delete from liveness');
    admin = await signInAdmin(app, `admin${n}@example.org`);
    attempt = await beginAttempt(app, admin, await makeQuiz(app, admin, { duration: 10 }));
  });

  const note = async () => (await recordAliveAndRecover(app.context, app.clock.now())).covered;
  /** Does the same as the job each second: checks for an outage, then closes. */
  const runJob = async () => {
    const covered = await note();
    return { covered, closed: await closeDueParticipants(app.context) };
  };
  const save = (revision: number) => attempt.save(0, 1, revision);

  it('is not detected at the first start, or between two runs', async () => {
    app.clock.advance(afterGrace({ minutes: 10 }));
    expect(await runJob()).toEqual({ covered: 0, closed: 1 });
  });

  it.each([
    [10_000, 0],
    [10_001, 1],
  ])('of %i ms at the deadline covers %i attempts', async (awayMs, covered) => {
    app.clock.advance({ minutes: 10, ms: ATTEMPT_LIMITS.graceMs - 2_000 });
    await note();
    app.clock.advance({ ms: awayMs });
    expect(await runJob()).toEqual({ covered, closed: 1 - covered });
  });

  it.each([
    ['a short one', 2],
    // Longer than the session lives, without which nothing could be sent.
    ['one of an hour', 60],
    ['one of a night', 12 * 60],
  ])('gives a minute to send pending changes, after a restart: %s', async (_, minutes) => {
    await save(1);
    app.clock.advance({ minutes: 9 });
    await note();
    app.clock.advance({ minutes });
    await app.rebuild();
    expect(await runJob()).toEqual({ covered: 1, closed: 0 });
    app.clock.advance({ seconds: 59 });
    expect(await runJob()).toMatchObject({ closed: 0 });
    expect(await save(2)).toMatchObject({ status: 200, body: { remainingMs: 0 } });
    app.clock.advance({ seconds: 2 });
    expect(await runJob()).toMatchObject({ closed: 1 });
    expect(await attempt.row()).toMatchObject({ submission_type: 'auto', score: 1 });
    expect((await attempt.row()).submitted_at).toEqual((await attempt.row()).deadline_at);
    // The thank-you screen can still be read.
    const me = await app.call('me', { as: attempt.candidate.cookie });
    expect(me.body).toMatchObject({ attempt: { status: 'completed', timeSpent: 600 } });
  });

  it('does not restore a session that was signed out', async () => {
    await app.call('logout', { as: attempt.candidate.cookie });
    app.clock.advance({ minutes: 9 });
    await note();
    app.clock.advance({ minutes: 30 });
    await note();
    expect((await app.call('me', { as: attempt.candidate.cookie })).status).toBe(401);
  });

  describe('is handled before the first request after it', () => {
    const submit = () => attempt.submit();
    const enter = () => attempt.start();
    // A new process for each test: it has recorded nothing yet.
    afterEach(() => app.rebuild());

    /** The process serves, then is frozen or without a database for some minutes. */
    const sleep = async (minutes: number) => {
      await app.context.liveness.note(app.clock.now());
      app.clock.advance({ minutes });
    };

    it.each([
      ['a save is accepted', () => save(1)],
      ['a submit counts as manual', submit],
      ['the attempt continues', enter],
    ])('%s, without a run of the jobs', async (_, call) => {
      app.clock.advance({ minutes: 9 });
      await sleep(3);
      expect((await call()).status).toBe(200);
      expect((await attempt.row()).submission_type ?? 'manual').toBe('manual');
    });

    it('a session that expired in the outage is restored', async () => {
      await sleep(12 * 60);
      expect(await save(1)).toMatchObject({ status: 200, body: { remainingMs: 0 } });
    });
  });

  it('is detected by one of several processes that start together', async () => {
    app.clock.advance({ minutes: 9 });
    await note();
    app.clock.advance({ minutes: 30 });
    const seen = await Promise.all(Array.from({ length: 4 }, note));
    expect(seen.sort()).toEqual([0, 0, 0, 1]);
    app.clock.advance({ seconds: 5 });
    expect(await note()).toBe(0);
  });
});

const at = (seconds: number) => new Date(seconds * 1_000);

function watch() {
  const note = vi.fn(async (now: Date) => ({ covered: 0, aliveAt: now }));
  return { note, liveness: new LivenessWatch(note) };
}

describe('what a request waits for', () => {
  it('is nothing before the process serves, or while the service is known to be up', async () => {
    const { note, liveness } = watch();
    expect(liveness.caughtUp(at(1_000))).toBeNull();
    await liveness.note(at(1_000));
    expect(liveness.caughtUp(at(1_010))).toBeNull();
    expect(note).toHaveBeenCalledOnce();
  });

  it('is one shared check after an outage, and nothing after it', async () => {
    const { note, liveness } = watch();
    await liveness.note(at(0));
    const waiting = [liveness.caughtUp(at(10.001)), liveness.caughtUp(at(10.002))];
    expect(waiting[0]).not.toBeNull();
    expect(waiting[1]).toBe(waiting[0]);
    await Promise.all(waiting);
    expect(note).toHaveBeenCalledTimes(2);
    expect(liveness.caughtUp(at(11))).toBeNull();
  });

  it('is measured from the time in the database, not from the last check', async () => {
    const { note, liveness } = watch();
    note.mockResolvedValueOnce({ covered: 0, aliveAt: at(4) });
    await liveness.note(at(8.9));
    expect(liveness.caughtUp(at(14))).toBeNull();
    expect(liveness.caughtUp(at(14.1))).not.toBeNull();
  });

  it('fails while the database is unavailable, and is retried by the next request', async () => {
    const { note, liveness } = watch();
    await liveness.note(at(0));
    note.mockRejectedValueOnce(new Error('unavailable'));
    await expect(liveness.caughtUp(at(20))).rejects.toThrow('unavailable');
    await liveness.caughtUp(at(30));
    expect(note).toHaveBeenCalledTimes(3);
    expect(liveness.caughtUp(at(31))).toBeNull();
  });
});
