import { inspect } from 'node:util';
import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  signInAdmin,
} from '@invigil/testkit/factories';
import { type OpenFrames, openFrames } from '@invigil/testkit/open-frames';
import { startOtherProcess } from '@invigil/testkit/other-process';
import { STILL, stillOfBytes } from '@invigil/testkit/stills';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../boot/app.ts';

describe('two processes on one database', () => {
  let app: TestApp;
  let other: App;
  let admin: string;
  let quiz: MadeQuiz;
  let urls: [string, string];
  const open: OpenFrames[] = [];

  beforeAll(async () => {
    app = await startTestApp();
    other = await startOtherProcess(app);
    const at = { port: 0, host: '127.0.0.1' };
    urls = [await app.fastify.listen(at), await other.fastify.listen(at)];
    admin = await signInAdmin(app);
    quiz = await makeQuiz(app, admin);
  });
  afterEach(() => {
    for (const frames of open.splice(0)) frames.close();
  });
  afterAll(async () => {
    await other.close();
    await app.stop();
  });

  async function stream(path: string, as = admin) {
    const frames = await openFrames(path, as);
    open.push(frames);
    return frames;
  }

  /* Each process serves the board to one administrator. */
  describe('the live board', () => {
    async function openBoard(url: string) {
      const frames = await stream(`${url}/api/live`);
      expect(await frames.next()).toMatchObject({ isWhole: true });
      return frames;
    }
    /** Reads until a frame reports so many answered questions; the number never decreases. */
    async function untilAnswered(frames: OpenFrames, id: string, count: number) {
      for (let last = 0; last < count; ) {
        const frame = await frames.next();
        const attempts = frame?.attempts as { id: string; answeredCount: number }[];
        const now = attempts.find((attempt) => attempt.id === id)?.answeredCount ?? last;
        expect(now).toBeGreaterThanOrEqual(last);
        last = now;
      }
    }
    /** Counts the polls of the attempts table by both processes. */
    function countPolls() {
      let polls = 0;
      for (const { db } of [app.context, other.context]) {
        const query = db.execute.bind(db);
        db.execute = ((statement: never) => {
          // The depth is limited, because the tables of a statement refer to each other.
          if (inspect(statement, { depth: 4 }).includes('pol.settings')) polls += 1;
          return query(statement);
        }) as typeof db.execute;
      }
      return () => polls;
    }

    it('is polled once a second by one of them, and both send the same', {
      tags: 'long',
    }, async () => {
      const attempt = await beginAttempt(app, admin, quiz);
      const both = [await openBoard(urls[0]), await openBoard(urls[1])];
      const polls = countPolls();
      const before = await pollNumber();
      for (let i = 0; i < 4; i += 1) {
        await attempt.save(i, 1, 1);
        for (const frames of both) await untilAnswered(frames, attempt.id, i + 1);
      }
      // Read first: another poll may begin while the claims are read.
      const made = polls();
      const claims = (await pollNumber()) - before;
      expect(claims).toBeGreaterThanOrEqual(3);
      // Plus one that had just begun when counting started; none of the process that only listens.
      expect(made).toBeLessThanOrEqual(claims + 1);
      await attempt.submit();
    });

    it('continues in the other process when the polling one dies during its poll', {
      tags: 'long',
    }, async () => {
      const attempt = await beginAttempt(app, admin, quiz);
      const frames = await openBoard(urls[1]);
      await nextFrame(frames);
      // A killed process leaves this behind: a claim whose poll never ends.
      await app.pool.query(
        "update live_turn set number = number + 1, next_at = clock_timestamp() + interval '2 s'",
      );
      await attempt.save(0, 1, 1);
      await untilAnswered(frames, attempt.id, 1);
      await attempt.submit();
    });

    it('continues in both after a crash of the database, which empties its tables', {
      tags: 'long',
    }, async () => {
      const attempt = await beginAttempt(app, admin, quiz);
      const both = [await openBoard(urls[0]), await openBoard(urls[1])];
      await app.pool.query('update live_turn set number = number + 5000');
      for (const frames of both) await nextFrame(frames);
      await app.pool.query('truncate live_turn, live_frames');
      await attempt.save(0, 1, 1);
      for (const frames of both) await untilAnswered(frames, attempt.id, 1);
      await attempt.submit();
    });

    const pollNumber = async () =>
      Number((await app.pool.query('select number from live_turn')).rows[0].number);
    const nextFrame = async (frames: OpenFrames) => expect(await frames.next()).toBeDefined();
  });

  /* One process serves the candidate's requests, another the administrator's stream. */
  describe('a person who is watched from another process', () => {
    beforeAll(() => app.startJobs());

    const watch = (attempt: BegunAttempt) =>
      stream(`${urls[1]}/api/participants/${attempt.id}/watch`);
    const send = (attempt: BegunAttempt, jpeg: string) =>
      app.call('sendThumbnail', {
        as: attempt.candidate.cookie,
        params: { id: attempt.id },
        body: { jpeg },
      });

    it('receives requests for pictures, and each picture arrives complete', async () => {
      const attempt = await beginAttempt(app, admin, quiz);
      const own = await stream(
        `${urls[0]}/api/participants/${attempt.id}/events`,
        attempt.candidate.cookie,
      );
      expect(await own.next()).not.toHaveProperty('watched');
      const watching = await watch(attempt);
      expect(await watching.next()).toEqual({ at: null, jpeg: null });
      expect(await own.next()).toMatchObject({ watched: true });
      expect((await attempt.heartbeat()).body).toMatchObject({ watched: true });
      for (const jpeg of [STILL, stillOfBytes(EVIDENCE_LIMITS.thumbnailMaxBytes)]) {
        app.clock.advance({ seconds: 1 });
        expect((await send(attempt, jpeg)).body).toEqual({ watched: true });
        expect(await watching.next()).toMatchObject({ jpeg });
      }
      expect((await send(attempt, 'bm8gcGljdHVyZQ==')).status).toBe(400);
      expect((await attempt.record()).body.actions).toMatchObject([
        { action: 'participant.watched' },
      ]);
      watching.close();
      expect(await own.next()).not.toHaveProperty('watched');
      expect((await send(attempt, STILL)).body).toEqual({ watched: false });
      const { rows } = await app.pool.query('select count(*)::int as n from evidence');
      expect(rows).toEqual([{ n: 0 }]);
    });

    it('is no longer asked once that process has died', { tags: 'long' }, async () => {
      const attempt = await beginAttempt(app, admin, quiz);
      const own = await stream(
        `${urls[0]}/api/participants/${attempt.id}/events`,
        attempt.candidate.cookie,
      );
      await own.next();
      const watching = await watch(attempt);
      await watching.next();
      expect(await own.next()).toMatchObject({ watched: true });
      // The announcements of the other process stop, as if it had been killed.
      other.context.thumbnails.stop();
      const stoppedAt = performance.now();
      expect(await own.next()).not.toHaveProperty('watched');
      expect(performance.now() - stoppedAt).toBeLessThan(15_000);
    });
  });
});
