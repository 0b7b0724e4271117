import { setTimeout as delay } from 'node:timers/promises';
import { ATTEMPT_LIMITS, SESSION_LIMITS } from '@invigil/core/domain/limits';
import { call, type Reply, startTestApp, type TestApp } from '@invigil/testkit/app';
import { type MadeQuiz, makeQuiz, signInAdmin } from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { silentLog } from '@invigil/testkit/silent-log';
import { inForm } from '@invigil/testkit/test-form';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type App, createApp } from '../../../boot/app.ts';
import { newId } from '../../../db/new-id.ts';
import { insertSession } from '../../../db/queries/session-changes.ts';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';
import { hashSessionToken, newSessionToken } from '../../../security/secrets/tokens.ts';
import { commandOf, ownerOf } from '../../../sessions/command.ts';
import { endParticipant } from '../../review/manage-participant.ts';

/*
 * A save in progress when the attempt ends (I5, I6, I21). Save and end run in two apps with their own
 * pools, as in two processes, and a third connection opens the race window on purpose. An acknowledged
 * answer counts in the score; one that does not count was refused and is stored among the late ones.
 */

const TIMES = inForm({ short: 36, long: 500 });

/** How it ends: by the candidate, by the clock, or by an administrator and then the clock. */
const ENDS = ['submit', 'clock', 'end-now'] as const;
type End = (typeof ENDS)[number];

/**
 * The point at which save and end are held. `before`: both wait for the attempt, and the row goes to one of
 * them first. `inside`: the save has passed its gate and has not committed. `free`: nothing is held.
 */
const WINDOWS = ['before', 'inside', 'free'] as const;
type Window = (typeof WINDOWS)[number];

interface Person {
  id: string;
  cookie: string;
}

describe('a save racing the end of its attempt', () => {
  let app: TestApp;
  /** Another process on the same database. */
  let other: App;
  let admin: string;
  let adminId: string;
  let quiz: MadeQuiz;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
    adminId = (await app.pool.query('select id from admins')).rows[0].id;
    quiz = await makeQuiz(app, admin, { duration: 180 });
    const { config, keys } = app.context;
    const pool = app.pool;
    other = await createApp({
      config,
      pool,
      clock: app.clock,
      keys,
      log: silentLog,
      webDist: null,
    });
  });
  afterAll(async () => {
    await other.close();
    await app.stop();
  });

  it(`loses no acknowledged answer in ${TIMES} races`, async () => {
    const { lost, taken, late } = await race(TIMES);
    expect(lost).toEqual([]);
    // The window was open: each side came first many times.
    expect(taken).toBeGreaterThan(TIMES / 3);
    expect(late).toBeGreaterThan(TIMES / 30);
  });

  it('detects lost answers when a save is acknowledged before it is written', async () => {
    const { answerWriter } = app.context;
    const write = answerWriter.save.bind(answerWriter);
    vi.spyOn(answerWriter, 'save').mockImplementation(async (save) => {
      void write(save);
      return {
        kind: 'saved',
        deadlineAt: save.now,
        pausedUntil: null,
        violationCount: 0,
        unchanged: [],
      };
    });
    expect((await race(36)).lost.length).toBeGreaterThan(0);
  });

  async function race(times: number) {
    const candidates = await startAttempts(times);
    const lost: string[] = [];
    const count = { taken: 0, late: 0 };
    for (const [i, one] of candidates.entries()) {
      const end = ENDS[i % ENDS.length] ?? 'submit';
      const window = WINDOWS[Math.floor(i / ENDS.length) % WINDOWS.length] ?? 'free';
      const saved = await collide(one, end, window, i % 2 === 0);
      count[saved.status === 200 ? 'taken' : 'late'] += 1;
      const found = await readEnd(one.id);
      const right =
        saved.status === 200
          ? { status: 'completed', score: 1, answers: 1, late: 0, ends: 1 }
          : { status: 'completed', score: 0, answers: 0, late: 1, ends: 1 };
      if (JSON.stringify(found) !== JSON.stringify(right)) {
        lost.push(`${end}, ${window}: answered ${saved.status}, found ${JSON.stringify(found)}`);
      }
    }
    return { lost, ...count };
  }

  /** Races a save against an end, and returns the reply to the save. */
  async function collide(one: Person, end: End, window: Window, isFirst: boolean): Promise<Reply> {
    if (end === 'clock') await makeDue(one);
    const held = await hold(one, window);
    try {
      const [saving, ending] = await fire(one, end, held, isFirst || window === 'inside');
      await held?.release();
      const [saved] = await Promise.all([saving, ending]);
      expect([200, 403]).toContain(saved.status);
      await app.context.answerWriter.idle();
      await finish(end);
      return saved;
    } finally {
      await held?.release();
    }
  }

  /** Sends both into the window, one after the other, and waits until they block there. */
  async function fire(
    one: Person,
    end: End,
    held: HeldWindow | undefined,
    isFirst: boolean,
  ): Promise<[Promise<Reply>, Promise<void>]> {
    if (end === 'clock') {
      // It skips rows that others hold, so it never blocks.
      const saving = save(one);
      await held?.untilStuck(app.pool, 1);
      const ending = startEnd(one, end);
      if (held) await Promise.race([ending, delay(20)]);
      return [saving, ending];
    }
    if (isFirst) {
      const saving = save(one);
      await held?.untilStuck(app.pool, 1);
      const ending = startEnd(one, end);
      await held?.untilStuck(app.pool, 2);
      return [saving, ending];
    }
    const ending = startEnd(one, end);
    await held?.untilStuck(app.pool, 1);
    const saving = save(one);
    await held?.untilStuck(app.pool, 2);
    return [saving, ending];
  }

  async function hold(one: Person, window: Window): Promise<HeldWindow | undefined> {
    if (window === 'free') return undefined;
    if (window === 'before') {
      const sql = 'select 1 from participants where id = $1 for update';
      return HeldWindow.open(app.pool, sql, [one.id]);
    }
    // The save's own insert waits for this one, which never commits.
    const [question] = quiz.questions;
    const answer = { participantId: one.id, questionId: question?.id, at: app.clock.now() };
    return HeldWindow.atAnswer(app.pool, answer);
  }

  function save(one: Person): Promise<Reply> {
    const [q] = quiz.questions;
    const change = { questionId: q?.id, selectedOption: q?.correctAnswer, isFlagged: false };
    return app.call('saveAnswers', {
      as: one.cookie,
      params: { id: one.id },
      body: { answers: [{ ...change, revision: 1 }] },
    });
  }

  async function startEnd(one: Person, end: End): Promise<void> {
    const now = app.clock.now();
    switch (end) {
      case 'submit': {
        const input = { as: one.cookie, params: { id: one.id }, body: {} };
        expect((await call(other, 'submitParticipant', input)).status).toBe(200);
        return;
      }
      case 'end-now':
        return commandOf(other.context.db, { actor: ownerOf(adminId), now })((write) =>
          endParticipant(other.context, write, one.id, { reason: 'a race' }),
        );
      case 'clock':
        app.clock.advance({ ms: 1 });
        await closeDueParticipants(other.context);
    }
  }

  /** The closing job's regular runs. */
  async function finish(end: End): Promise<void> {
    if (end === 'end-now') app.clock.advance({ ms: 10_001 });
    if (end !== 'submit') await closeDueParticipants(other.context);
  }

  /** Moves the end of its grace period to now. */
  async function makeDue(one: Person): Promise<void> {
    const now = app.clock.now();
    await app.pool.query('update participants set close_at = $2, deadline_at = $3 where id = $1', [
      one.id,
      now,
      new Date(now.getTime() - ATTEMPT_LIMITS.graceMs),
    ]);
  }

  async function readEnd(id: string) {
    const { rows } = await app.pool.query(
      `select p.status, p.score,
         (select count(*)::int from answers a where a.participant_id = p.id) as answers,
         (select count(*)::int from late_answers l where l.participant_id = p.id) as late,
         (select count(*)::int from participant_events e
           where e.participant_id = p.id and e.kind = 'ended') as ends
       from participants p where p.id = $1`,
      [id],
    );
    return rows[0];
  }

  /** Candidates with a started attempt, without the invitation mail and the sign-in. */
  async function startAttempts(times: number): Promise<Person[]> {
    const emails = Array.from({ length: times }, () => `${newId()}@example.org`);
    const input = { as: admin, params: { id: quiz.id }, body: { emails } };
    const { invitations } = (await app.call('inviteToQuiz', input)).body;
    const candidates: Person[] = [];
    for (const { id: invitationId } of invitations) {
      const cookie = newSessionToken();
      const now = app.clock.now();
      await insertSession(app.context.db, {
        id: newId(),
        tokenHash: hashSessionToken(app.context.keys.sessions, cookie),
        owner: { invitationId },
        now,
        expiresAt: new Date(now.getTime() + SESSION_LIMITS.candidateBeforeStartMs),
      });
      const start = await app.call('startParticipant', { as: cookie, body: {} });
      candidates.push({ id: start.body.id, cookie });
    }
    // Later than the start, so that a deadline moved to now is still valid.
    app.clock.advance({ minutes: 1 });
    return candidates;
  }
});
