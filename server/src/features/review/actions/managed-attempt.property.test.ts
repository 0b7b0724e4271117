import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import type { TestApp } from '@invigil/testkit/app';
import {
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';

/*
 * Attempts of one person while administrators extend, end, replace and rescore them, against a
 * model. After every step: at most one current row, deadlines moved only by extensions, one end
 * each, ended rows unchanged except by replacement and rescoring, and every score equal to a
 * recomputation.
 */

const RUNS = inForm({ short: 8, long: 25 });
const DURATION_MS = 25 * 60_000;

type Step =
  | { kind: 'start' }
  | { kind: 'submit' }
  | { kind: 'tick' }
  | { kind: 'end' }
  | { kind: 'save'; question: number; option: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'extend'; minutes: number }
  | { kind: 'replace'; how: 'another' | 'reinstate' }
  | { kind: 'rescore'; option: number };

const nat3 = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('start' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('save' as const), question: fc.nat(4), option: nat3 }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kind: 'submit' }, { kind: 'end' }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tick' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 9_000, 10_000, 60_000, 600_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('extend' as const),
      minutes: fc.constantFrom(1, 5, 30),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      how: fc.constantFrom('another', 'reinstate'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rescore' as const), option: nat3 }) },
);

interface Model {
  id: string;
  startedAt: number;
  deadlineAt: number;
  closeAt: number;
  reason: 'auto' | 'database';
  /** Index of the selected option by index of the question, as created. */
  selected: Map<number, number>;
  ended: { type: 'manual' | 'auto' | 'database'; at: number } | null;
  replaced: 'another' | 'reinstate' | null;
}

describe('attempts managed by administrators', () => {
  const app = setUpApp();
  let person = 0;
  it('match their model after every step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        person += 1;
        const admin = await signInAdmin(app, `admin${person}@example.org`);
        const quiz = await makeQuiz(app, admin, { duration: DURATION_MS / 60_000 });
        const who = await inviteCandidate(app, admin, quiz.id, `p${person}@example.org`);
        const scenario = new Scenario(app, admin, quiz, who);
        for (const s of [{ kind: 'start' } as const, ...steps]) {
          await scenario.apply(s);
          await scenario.check();
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** One person's attempts at one quiz, and their model. */
class Scenario {
  readonly #app: TestApp;
  readonly #admin: string;
  readonly #quiz: MadeQuiz;
  readonly #who: Candidate;
  readonly #attempts: Model[] = [];
  /** The correct option of each question; the factories make the second one correct. */
  readonly #keys = [1, 1, 1, 1, 1];
  #revision = 0;

  constructor(app: TestApp, admin: string, quiz: MadeQuiz, who: Candidate) {
    this.#app = app;
    this.#admin = admin;
    this.#quiz = quiz;
    this.#who = who;
  }

  get #now(): number {
    return this.#app.clock.now().getTime();
  }

  get #last(): Model | undefined {
    return this.#attempts.at(-1);
  }

  #isOpen(m: Model): boolean {
    return m.ended === null && this.#now <= m.closeAt;
  }

  #endIfDue(): void {
    const m = this.#last;
    if (!m || m.ended || this.#now <= m.closeAt) return;
    m.ended = { type: m.reason, at: m.reason === 'auto' ? m.deadlineAt : m.closeAt };
  }

  apply(s: Step): Promise<void> | void {
    switch (s.kind) {
      case 'wait':
        return this.#app.clock.advance({ ms: s.ms });
      case 'tick':
        return this.#tick();
      case 'start':
        return this.#start();
      case 'save':
        return this.#save(s.question, s.option);
      case 'submit':
        return this.#submit();
      case 'rescore':
        return this.#rescore(s.option);
      case 'extend':
      case 'end':
      case 'replace':
        return this.#manage(s);
    }
  }

  async #tick(): Promise<void> {
    await closeDueParticipants(this.#app.context);
    this.#endIfDue();
  }

  /** Signs in if necessary; false when sign-in is refused because the attempt has ended. */
  async #signedIn(): Promise<boolean> {
    if ((await this.#app.call('me', { as: this.#who.cookie })).status === 200) return true;
    await this.#tick();
    const { email, code } = this.#who;
    const reply = await this.#app.call('login', { body: { email, password: code } });
    const m = this.#last;
    const finished = m !== undefined && m.ended !== null && m.replaced === null;
    expect(reply.status).toBe(finished ? 403 : 200);
    if (reply.cookie !== undefined) this.#who.cookie = reply.cookie;
    return !finished;
  }

  async #start(): Promise<void> {
    if (!(await this.#signedIn())) return;
    const before = this.#last;
    const reply = await this.#app.call('startParticipant', { as: this.#who.cookie, body: {} });
    if (before && this.#isOpen(before)) {
      expect(reply).toMatchObject({ status: 200, body: { id: before.id } });
      expect(reply.body.remainingMs).toBe(Math.max(0, before.deadlineAt - this.#now));
      return;
    }
    this.#endIfDue();
    if (before && before.replaced === null) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'ALREADY_COMPLETED' } });
      return;
    }
    expect(reply.status).toBe(201);
    const again = before?.replaced === 'reinstate' ? before : undefined;
    const leftMs = again ? Math.max(0, again.deadlineAt - (again.ended?.at ?? 0)) : DURATION_MS;
    this.#attempts.push({
      id: reply.body.id,
      startedAt: this.#now,
      deadlineAt: this.#now + leftMs,
      closeAt: this.#now + leftMs + ATTEMPT_LIMITS.graceMs,
      reason: 'auto',
      selected: new Map(again?.selected),
      ended: null,
      replaced: null,
    });
    expect(reply.body).toMatchObject({ remainingMs: leftMs, violationCount: 0 });
  }

  async #save(question: number, option: number): Promise<void> {
    const m = this.#last;
    if (!m || !(await this.#signedIn())) return;
    const { id: questionId = '', options = [] } = this.#quiz.questions[question] ?? {};
    this.#revision += 1;
    const change = { questionId, selectedOption: options[option] ?? '', isFlagged: false };
    const reply = await this.#app.call('saveAnswers', {
      as: this.#who.cookie,
      params: { id: m.id },
      body: { answers: [{ ...change, revision: this.#revision }] },
    });
    if (m.replaced !== null) expect(reply.status).toBe(404);
    else if (!this.#isOpen(m)) expect(reply.body.code).toBe('ATTEMPT_CLOSED');
    else if (reply.status === 401) {
      // Signed in again and not resumed yet: other tests cover sessions.
      expect(reply.body.code).toBe('SESSION_REPLACED');
    } else {
      expect(reply.status).toBe(200);
      m.selected.set(question, option);
    }
  }

  async #submit(): Promise<void> {
    const m = this.#last;
    if (!m || m.replaced !== null || !(await this.#signedIn())) return;
    const wasOpen = this.#isOpen(m);
    const params = { id: m.id };
    const reply = await this.#app.call('submitParticipant', {
      as: this.#who.cookie,
      params,
      body: {},
    });
    expect(reply.status).toBe(200);
    if (wasOpen) {
      m.ended = { type: 'manual', at: Math.min(this.#now, m.deadlineAt + ATTEMPT_LIMITS.graceMs) };
    } else this.#endIfDue();
  }

  async #manage(s: Extract<Step, { kind: 'extend' | 'end' | 'replace' }>): Promise<void> {
    const m = this.#last;
    if (!m) return;
    const isOpen = this.#isOpen(m);
    const call = { as: this.#admin, params: { id: m.id } };
    const reason = 'r';
    if (s.kind === 'extend') {
      const body = { minutes: s.minutes, reason };
      const reply = await this.#app.call('extendParticipant', { ...call, body });
      const isAccepted = isOpen && m.reason === 'auto';
      expect(reply.status).toBe(isAccepted ? 200 : 409);
      if (!isAccepted) return;
      m.deadlineAt = Math.max(m.deadlineAt, this.#now) + s.minutes * 60_000;
      m.closeAt = Math.max(m.closeAt, m.deadlineAt + ATTEMPT_LIMITS.graceMs);
    } else if (s.kind === 'end') {
      const reply = await this.#app.call('endParticipant', { ...call, body: { reason } });
      expect(reply.status).toBe(isOpen ? 200 : 409);
      if (!isOpen || this.#now + ATTEMPT_LIMITS.endNowDelayMs >= m.closeAt) return;
      m.closeAt = this.#now + ATTEMPT_LIMITS.endNowDelayMs;
      m.reason = 'database';
    } else {
      const body = { how: s.how, reason };
      const reply = await this.#app.call('replaceParticipant', { ...call, body });
      const isAccepted = m.ended !== null && m.replaced === null;
      expect(reply.status).toBe(isAccepted ? 200 : 409);
      if (isAccepted) m.replaced = s.how;
    }
  }

  /** Gives the first question another key and applies it to all papers. */
  async #rescore(option: number): Promise<void> {
    const [question] = this.#quiz.questions;
    const params = { id: this.#quiz.id, questionId: question?.id ?? '' };
    const call = { as: this.#admin, params };
    // Without a version: there are no concurrent edits here.
    const { question: text, options = [] } = question ?? {};
    const body = { question: text, options, correctAnswer: options[option] };
    expect((await this.#app.call('updateQuestion', { ...call, body })).status).toBe(200);
    const rescored = await this.#app.call('rescoreQuestion', { ...call, body: { dryRun: false } });
    expect(rescored.body).toMatchObject({
      participants: this.#attempts.length,
      unchanged: 0,
      applied: true,
    });
    this.#keys[0] = option;
  }

  async check(): Promise<void> {
    const { rows } = await this.#app.pool.query(
      `select p.*, (select count(*)::int from participant_events e
           where e.participant_id = p.id and e.kind = 'ended') as ends,
         (select count(*)::int from answers a where a.participant_id = p.id) as answers
       from participants p where quiz_id = $1 order by attempt`,
      [this.#quiz.id],
    );
    expect(
      rows.map((row) => ({
        id: row.id,
        attempt: row.attempt,
        startedAt: row.started_at.getTime(),
        deadlineAt: row.deadline_at.getTime(),
        closeAt: row.close_at.getTime(),
        status: row.status,
        type: row.submission_type,
        endedAt: row.submitted_at?.getTime() ?? null,
        score: row.score,
        replaced: row.replaced_how,
        ends: row.ends,
        answers: row.answers,
      })),
    ).toEqual(
      this.#attempts.map((m, i) => ({
        id: m.id,
        attempt: i + 1,
        startedAt: m.startedAt,
        deadlineAt: m.deadlineAt,
        closeAt: m.closeAt,
        status: m.ended ? 'completed' : 'in_progress',
        type: m.ended?.type ?? null,
        endedAt: m.ended?.at ?? null,
        score: m.ended ? this.#keys.filter((key, q) => m.selected.get(q) === key).length : null,
        replaced: m.replaced,
        ends: m.ended ? 1 : 0,
        answers: m.selected.size,
      })),
    );
    const query = { quizId: this.#quiz.id };
    const list = await this.#app.call('listParticipants', { as: this.#admin, query });
    expect(list.body.map((row: { id: string }) => row.id)).toEqual(
      this.#attempts.filter((m) => m.replaced === null).map((m) => m.id),
    );
  }
}
