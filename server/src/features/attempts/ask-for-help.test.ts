import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { type OpenFrames, openFrames } from '@invigil/testkit/open-frames';
import { startOtherProcess } from '@invigil/testkit/other-process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../boot/app.ts';
import { newId } from '../../db/new-id.ts';

describe('a raised hand', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin, { duration: 25 });
  });
  const begin = () => beginAttempt(app, app.admin, quiz);
  const raise = ({ id, candidate }: BegunAttempt, handUp: unknown = true, as = candidate.cookie) =>
    app.call('askForHelp', { as, params: { id }, body: { handUp } });
  const message = ({ id }: BegunAttempt) =>
    app.call('sendMessage', { as: app.admin, params: { id }, body: { text: 'I am here' } });
  const isUp = async (attempt: BegunAttempt) => (await attempt.heartbeat()).body.handUp ?? false;
  const eventsOf = async (attempt: BegunAttempt): Promise<string[]> =>
    (await attempt.record()).body.events
      .map(({ kind }: { kind: string }) => kind)
      .filter((kind: string) => kind.startsWith('help'));

  it('is refused without a yes or no, to others, and after the end', async () => {
    const [attempt, other] = [await begin(), await begin()];
    for (const handUp of [1, 'yes', null]) {
      expect(await raise(attempt, handUp)).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'handUp' }] },
      });
    }
    expect((await raise(attempt, true, other.candidate.cookie)).status).toBe(404);
    expect((await raise(attempt, true, app.admin)).status).toBe(403);
    expect(await isUp(attempt)).toBe(false);
    await passTime(app, afterGrace({ minutes: 25 }));
    expect(await raise(attempt)).toMatchObject({ status: 403, body: { code: 'ATTEMPT_CLOSED' } });
    expect(await eventsOf(attempt)).toEqual([]);
  });

  it('stays up, since when it went up, until the candidate puts it down', async () => {
    const attempt = await begin();
    const before = await attempt.row();
    expect((await attempt.heartbeat()).body).not.toHaveProperty('handUp');
    expect((await raise(attempt)).body).toEqual({ handUp: true });
    const { help_at: since } = await attempt.row();
    app.clock.advance({ seconds: 5 });
    expect((await raise(attempt)).body).toEqual({ handUp: true });
    expect((await attempt.row()).help_at).toEqual(since);
    expect(await isUp(attempt)).toBe(true);
    expect((await raise(attempt, false)).body).toEqual({ handUp: false });
    expect((await raise(attempt, false)).body).toEqual({ handUp: false });
    expect(await isUp(attempt)).toBe(false);
    expect(await eventsOf(attempt)).toEqual(['help_asked', 'help_withdrawn']);
    // It counts as nothing.
    const { last_seen_at: _, monitor_at: __, ...after } = await attempt.row();
    expect(before).toMatchObject(after);
  });

  it('is still up on the device that takes over, and no longer the older one’s', async () => {
    const attempt = await begin();
    const older = attempt.candidate.cookie;
    await raise(attempt);
    await attempt.signIn();
    await attempt.start();
    expect(await isUp(attempt)).toBe(true);
    expect(await raise(attempt, false, older)).toMatchObject({
      status: 401,
      body: { code: 'SESSION_REPLACED' },
    });
    expect(await isUp(attempt)).toBe(true);
  });

  it('is put down by a message to this candidate, alone or to many', async () => {
    const [attempt, other] = [await begin(), await begin()];
    for (const one of [attempt, other]) await raise(one);
    expect((await message(attempt)).status).toBe(201);
    expect([await isUp(attempt), await isUp(other)]).toEqual([false, true]);
    await raise(attempt);
    const ids = [attempt.id, other.id];
    const action = { kind: 'message', text: 'To all' };
    await app.call('applyToMany', { as: app.admin, body: { id: newId(), ids, action } });
    expect([await isUp(attempt), await isUp(other)]).toEqual([false, false]);
    // Nobody has asked: it answers nothing.
    await message(other);
    expect(await eventsOf(attempt)).toEqual([
      ...['help_asked', 'help_answered'],
      ...['help_asked', 'help_answered'],
    ]);
    expect(await eventsOf(other)).toEqual(['help_asked', 'help_answered']);
  });

  it('is down after the end, by a submit and by the clock', async () => {
    const [submitted, due] = [await begin(), await begin()];
    for (const one of [submitted, due]) await raise(one);
    await submitted.submit();
    await passTime(app, afterGrace({ minutes: 25 }));
    for (const one of [submitted, due]) {
      expect(await one.row()).toMatchObject({ status: 'completed', help_at: null });
      expect(await eventsOf(one)).toEqual(['help_asked']);
    }
  });

  it('is recorded so many times, and goes up after that too', async () => {
    const attempt = await begin();
    await app.pool.query(
      `insert into participant_events (id, participant_id, kind, at)
       select gen_random_uuid(), $1, 'help_asked', $2 from generate_series(1, $3)`,
      [attempt.id, app.clock.now(), ATTEMPT_LIMITS.handChangesRecordedMax - 1],
    );
    for (const handUp of [true, false, true]) {
      expect((await raise(attempt, handUp)).body).toEqual({ handUp });
    }
    expect(await isUp(attempt)).toBe(true);
    expect(await eventsOf(attempt)).toHaveLength(ATTEMPT_LIMITS.handChangesRecordedMax);
  });

  describe('with two processes', () => {
    let other: App;
    let urls: [string, string];
    const open: OpenFrames[] = [];

    beforeAll(async () => {
      other = await startOtherProcess(app);
      const at = { port: 0, host: '127.0.0.1' };
      urls = [await app.fastify.listen(at), await other.fastify.listen(at)];
    });
    afterEach(() => {
      for (const frames of open.splice(0)) frames.close();
    });
    afterAll(() => other.close());

    async function stream(path: string, as: string) {
      const frames = await openFrames(path, as);
      open.push(frames);
      return frames;
    }

    it('shows on the board of the other one, and an answer there reaches the page', async () => {
      const attempt = await begin();
      const page = await stream(
        `${urls[0]}/api/participants/${attempt.id}/events`,
        attempt.candidate.cookie,
      );
      expect(await page.next()).not.toHaveProperty('handUp');
      const board = await stream(`${urls[1]}/api/live`, app.admin);
      /** The next frame that has the attempt. */
      const nextRow = async () => {
        for (;;) {
          const frame = await board.next();
          const rows = frame?.attempts as { id: string }[];
          const row = rows.find(({ id }) => id === attempt.id);
          if (row) return row;
        }
      };
      expect(await nextRow()).not.toHaveProperty('helpAt');
      const since = app.clock.now().toISOString();
      await raise(attempt);
      expect(await nextRow()).toMatchObject({
        helpAt: since,
        attention: { kind: 'help', since, signal: null },
      });
      // A page that connects again has it at once.
      const again = await stream(
        `${urls[1]}/api/participants/${attempt.id}/events`,
        attempt.candidate.cookie,
      );
      expect(await again.next()).toMatchObject({ handUp: true });
      const { statusCode } = await other.fastify.inject({
        method: 'POST',
        url: `/api/participants/${attempt.id}/messages`,
        headers: { cookie: `invigil_session=${app.admin}` },
        payload: { text: 'I am here' },
      });
      expect(statusCode).toBe(201);
      const news = await page.next();
      expect(news).toMatchObject({ messageCount: 1 });
      expect(news).not.toHaveProperty('handUp');
      const answered = await nextRow();
      expect(answered).toMatchObject({ attention: null });
      expect(answered).not.toHaveProperty('helpAt');
    });
  });
});
