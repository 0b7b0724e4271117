import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { type Reply, testConfig } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  beginAttempt,
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  passTime,
  setUpApp,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { HeldWindow } from '@invigil/testkit/held-window';
import { silentLog } from '@invigil/testkit/silent-log';
import { beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../boot/app.ts';
import { closeDueParticipants } from '../../jobs/close-due-participants.ts';

const app = setUpApp();

let admin: string;
let quiz: MadeQuiz;
let candidate: Candidate;
let n = 0;

describe('sessions', () => {
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    quiz = await makeQuiz(app, admin, { duration: 30 });
    candidate = await inviteCandidate(app, admin, quiz.id, `c${n}@example.org`);
  });

  const me = (as: string) => app.call('me', { as });
  const start = (as = candidate.cookie) => app.call('startParticipant', { as, body: {} });
  const submit = (id: string, as = candidate.cookie) =>
    app.call('submitParticipant', { as, params: { id }, body: {} });

  it('are accepted on https only by the name that no neighboring host can set', async () => {
    const { pool, clock } = app;
    const { keys } = app.context;
    const config = testConfig({ PUBLIC_URL: 'https://invigil.example.org' });
    const own = await createApp({ config, pool, clock, keys, log: silentLog, webDist: null });
    const statusWith = async (name: string) => {
      const headers = { cookie: `${name}=${candidate.cookie}` };
      return (await own.fastify.inject({ url: '/api/auth/me', headers })).statusCode;
    };
    expect(await statusWith('__Host-invigil_session')).toBe(200);
    expect(await statusWith('invigil_session')).toBe(401);
    await own.close();
  });

  describe('of a candidate', () => {
    it('last 12 hours before the start', async () => {
      app.clock.advance({ minutes: 12 * 60, seconds: -1 });
      expect((await me(candidate.cookie)).status).toBe(200);
      app.clock.advance({ seconds: 1 });
      expect((await me(candidate.cookie)).body.code).toBe('NOT_SIGNED_IN');
    });

    const grace = { ms: ATTEMPT_LIMITS.graceMs };
    it.each<[string, (id: string) => unknown]>([
      ['the grace period of the deadline', () => app.clock.advance({ minutes: 30, ...grace })],
      [
        'that on another device, after a takeover',
        async (id) => {
          app.clock.advance({ minutes: 20 });
          candidate = await signInCandidate(app, candidate.email, candidate.code);
          expect((await start()).body.id).toBe(id);
          app.clock.advance({ minutes: 10, ...grace });
        },
      ],
      ['a submit', (id) => submit(id)],
      ['the server ends the attempt', () => passTime(app, afterGrace({ minutes: 30 }))],
    ])('last 15 minutes after %s', async (_, end) => {
      app.clock.advance({ minutes: 60 });
      await end((await start()).body.id);
      app.clock.advance({ minutes: 15, seconds: -1 });
      expect((await me(candidate.cookie)).status).toBe(200);
      app.clock.advance({ seconds: 1 });
      expect((await me(candidate.cookie)).status).toBe(401);
    });

    it('last long enough for an attempt that starts after nearly 12 hours', async () => {
      app.clock.advance({ minutes: 12 * 60 - 1 });
      expect((await start()).status).toBe(201);
      app.clock.advance({ minutes: 30 });
      expect((await me(candidate.cookie)).status).toBe(200);
    });

    it('are limited to one, however many sign-ins are concurrent', async () => {
      const logins = await Promise.all(
        Array.from({ length: 6 }, () =>
          app.call('login', { body: { email: candidate.email, password: candidate.code } }),
        ),
      );
      expect(new Set(logins.map((r) => r.status))).toEqual(new Set([200]));
      const statuses = await Promise.all(
        logins.map(async (r) => (await me(r.cookie ?? '')).status),
      );
      expect(statuses.sort()).toEqual([200, 401, 401, 401, 401, 401]);
    });

    it('report that they were replaced until they are deleted', async () => {
      await signInCandidate(app, candidate.email, candidate.code);
      expect((await me(candidate.cookie)).body.code).toBe('SESSION_REPLACED');
      app.clock.advance({ minutes: 12 * 60 });
      expect((await me(candidate.cookie)).body.code).toBe('NOT_SIGNED_IN');
    });
  });
});

/** How to find the one row of a person. */
const OF_CANDIDATE = {
  invitations: 'user_id = $1',
  participants: 'user_id = $1',
  sessions: 'ended_at is null and invitation_id = (select id from invitations where user_id = $1)',
};

/*
 * A sign-in or sign-out concurrent with the end of the attempt. Both lock the attempt's row and the
 * session's; in different orders they would deadlock.
 */
describe('a takeover concurrent with the end', () => {
  let attempt: BegunAttempt;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    quiz = await makeQuiz(app, admin, { duration: 10 });
    attempt = await beginAttempt(app, admin, quiz);
    candidate = attempt.candidate;
  });

  const signIn = () =>
    app.call('login', { body: { email: candidate.email, password: candidate.code } });
  const signOut = () => app.call('logout', { as: candidate.cookie });
  const submit = () => attempt.submit();
  const row = () => attempt.row();

  /** Lets all of `calls` queue, in their order, for a locked row; then releases it. */
  async function afterHolding(
    table: keyof typeof OF_CANDIDATE,
    calls: (() => Promise<unknown>)[],
  ): Promise<unknown[]> {
    const held = await HeldWindow.open(
      app.pool,
      `select 1 from ${table} where ${OF_CANDIDATE[table]} for update`,
      [candidate.userId],
    );
    const running: Promise<unknown>[] = [];
    for (const call of calls) {
      running.push(call());
      await held.untilStuck(app.pool, running.length);
    }
    await held.release();
    return Promise.all(running);
  }
  const statusOf = (reply: unknown) => (reply as Reply).status;

  it.each(['sessions', 'participants'] as const)(
    'a sign-in before a submit takes the attempt over (locked: %s)',
    async (table) => {
      const [signedIn, submitted] = await afterHolding(table, [signIn, submit]);
      expect(statusOf(signedIn)).toBe(200);
      // Depending on the order, the older session ended the attempt, or no longer could.
      const { status } = await row();
      expect([statusOf(submitted), status]).toEqual(
        status === 'completed' ? [200, 'completed'] : [401, 'in_progress'],
      );
    },
  );

  it('a sign-in after a submit is refused as completed, and changes nothing', async () => {
    const [submitted, signedIn] = await afterHolding('participants', [submit, signIn]);
    expect(statusOf(submitted)).toBe(200);
    expect(signedIn).toMatchObject({ status: 403, body: { code: 'ALREADY_COMPLETED' } });
    const session = await app.pool.query('select end_reason from sessions where id = $1', [
      (await row()).session_id,
    ]);
    expect(session.rows).toEqual([{ end_reason: null }]);
    expect((await app.call('me', { as: candidate.cookie })).status).toBe(200);
  });

  it.each(['sessions', 'participants'] as const)(
    'a sign-out and the closing job do not block each other (locked: %s)',
    async (table) => {
      app.clock.advance(afterGrace({ minutes: 10 }));
      const [signedOut] = await afterHolding(table, [signOut]);
      await Promise.all([closeDueParticipants(app.context), closeDueParticipants(app.context)]);
      expect(statusOf(signedOut)).toBe(204);
      expect((await row()).status).toBe('completed');
    },
  );

  it('a sign-out before a submit leaves the attempt open', async () => {
    const [signedOut, submitted] = await afterHolding('sessions', [signOut, submit]);
    expect(statusOf(signedOut)).toBe(204);
    const { status } = await row();
    expect([statusOf(submitted), status]).toEqual(
      status === 'completed' ? [200, 'completed'] : [401, 'in_progress'],
    );
  });

  it.each([
    ['before', [201, 204]],
    ['after', [401, 204]],
  ])('a start %s a sign-out leaves no attempt with the ended session', async (order, statuses) => {
    candidate = await inviteCandidate(app, admin, quiz.id, `start${n}@example.org`);
    const start = () => app.call('startParticipant', { as: candidate.cookie, body: {} });
    const calls = order === 'before' ? [start, signOut] : [signOut, start];
    const replies = (await afterHolding('invitations', calls)).map(statusOf).sort();
    expect(replies).toEqual(statuses.toSorted());
    const { rows } = await app.pool.query(
      'select session_id from participants where user_id = $1',
      [candidate.userId],
    );
    expect(rows).toEqual(order === 'before' ? [{ session_id: null }] : []);
  });
});
