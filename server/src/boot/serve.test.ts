import { setTimeout as delay } from 'node:timers/promises';
import {
  startTestApp,
  startTestDatabase,
  type TestApp,
  type TestDatabase,
} from '@invigil/testkit/app';
import { type BegunAttempt, beginAttempt, signInAdmin } from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen } from './serve.ts';

describe('after a restart', () => {
  let database: TestDatabase;
  let app: TestApp;
  let attempt: BegunAttempt;
  let closers: (() => unknown)[];

  beforeEach(async () => {
    closers = [];
    database = await startTestDatabase();
    app = await startTestApp({}, Promise.resolve(database));
    attempt = await beginAttempt(app, await signInAdmin(app));
    await app.rebuild();
  });
  afterEach(async () => {
    for (const close of closers.reverse()) await close();
    await app.stop();
  });

  /** Serves on a free port, as the process does; returns how many papers were cached when it opened. */
  async function start(warn = app.context.log.warn): Promise<number> {
    const { context, fastify } = app;
    expect(context.papers.bytes).toBe(0);
    let known = -1;
    fastify.server.once('listening', () => {
      known = context.papers.bytes;
    });
    const config = { ...context.config, host: '127.0.0.1', port: 0 };
    const log = Object.assign(Object.create(context.log), { warn });
    const onEnd = (_: string, close: () => unknown) => void closers.push(close);
    await listen({ ...app, fastify, context: { ...context, config, log } }, database.connection, {
      onEnd,
    });
    return known;
  }

  it('papers of attempts in progress are loaded before the first request is accepted', async () => {
    // Reading them takes longer than anything else during a start.
    const window = await HeldWindow.open(app.pool, 'lock table paper_questions', []);
    try {
      const starting = start();
      await window.untilStuck(app.pool, 1);
      expect(await Promise.race([starting, delay(1_500, 'not open')])).toBe('not open');
      await window.release();
      expect(await starting).toBeGreaterThan(0);
    } finally {
      await window.release();
    }
    expect((await attempt.save(0, 1, 1)).status).toBe(200);
  });

  it('the server opens even when papers cannot be read, and logs it', async () => {
    await app.pool.query('alter table paper_questions rename to away');
    const warn = vi.fn();
    expect(await start(warn)).toBe(0);
    expect(warn).toHaveBeenCalledWith(
      { err: expect.any(Error) },
      'papers of attempts under way could not be read ahead',
    );
    await app.pool.query('alter table away rename to paper_questions');
    expect((await attempt.save(0, 1, 1)).status).toBe(200);
  });
});
