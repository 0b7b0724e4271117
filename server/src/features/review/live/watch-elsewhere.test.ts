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

/* One process serves the candidate's requests, another the administrator's stream. */
describe('a person who is watched from another process', () => {
  let app: TestApp;
  let other: App;
  let admin: string;
  let quiz: MadeQuiz;
  let url: string;
  let otherUrl: string;
  const open: OpenFrames[] = [];

  beforeAll(async () => {
    app = await startTestApp();
    other = await startOtherProcess(app);
    url = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    otherUrl = await other.fastify.listen({ port: 0, host: '127.0.0.1' });
    app.startJobs();
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

  async function stream(path: string, as: string) {
    const frames = await openFrames(path, as);
    open.push(frames);
    return frames;
  }
  const watch = (attempt: BegunAttempt) =>
    stream(`${otherUrl}/api/participants/${attempt.id}/watch`, admin);
  const send = (attempt: BegunAttempt, jpeg: string) =>
    app.call('sendThumbnail', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { jpeg },
    });

  it('receives requests for pictures, and each picture arrives complete', async () => {
    const attempt = await beginAttempt(app, admin, quiz);
    const own = await stream(
      `${url}/api/participants/${attempt.id}/events`,
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
    watching.close();
    expect(await own.next()).not.toHaveProperty('watched');
    expect((await send(attempt, STILL)).body).toEqual({ watched: false });
  });

  it('is no longer asked once that process has died', { tags: 'long' }, async () => {
    const attempt = await beginAttempt(app, admin, quiz);
    const own = await stream(
      `${url}/api/participants/${attempt.id}/events`,
      attempt.candidate.cookie,
    );
    await own.next();
    const watching = await watch(attempt);
    await watching.next();
    expect(await own.next()).toMatchObject({ watched: true });
    // As in a killed process: its announcements stop.
    other.context.thumbnails.stop();
    const stoppedAt = performance.now();
    expect(await own.next()).not.toHaveProperty('watched');
    expect(performance.now() - stoppedAt).toBeLessThan(15_000);
  });
});
