import { HALL_LIMITS } from '@invigil/core/domain/limits';
import type { Role } from '@invigil/core/domain/rights';
import { call, type Reply } from '@invigil/testkit/app';
import {
  inviteCandidate,
  makeQuiz,
  plainQuestions,
  setUpApp,
  setUpOtherProcess,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { openFrames } from '@invigil/testkit/open-frames';
import { IS_LONG } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';

/** One of the processes. */
type On = Parameters<typeof call>[0];

const MINUTE_MS = 60_000;
const BY_BUTTON = { by: 'button', lateMinutes: 15 };
const BY_TIME = { by: 'time', lateMinutes: 15 };
const refusal = (status: number, code: string) => ({ status, body: { code } });

describe('an assessment that all start together', () => {
  const app = setUpApp();
  const other = setUpOtherProcess(app);
  let n = 0;
  let admin: string;

  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
  });

  const inMinutes = (minutes: number) =>
    new Date(app.clock.now().getTime() + minutes * MINUTE_MS).toISOString();
  /** Questions, options and their number are found as words: `Needle`, 7. */
  const questions = plainQuestions(7).map(({ question, options, correctAnswer }) => ({
    question: `Needle ${question}`,
    options: options.map((option) => `Needle ${option}`),
    correctAnswer: `Needle ${correctAnswer}`,
  }));
  const make = (more: object) => makeQuiz(app, admin, { questions, ...more });
  const person = async (quizId: string, name: string, groups: string[] = []) => {
    const email = `${name}${n}@example.org`;
    const body = { people: [{ email, groups }], replacesGroups: true, dryRun: false };
    await app.call('importPeople', { as: admin, body });
    return inviteCandidate(app, admin, quizId, email);
  };
  const press = (quizId: string, group: string | null = null, on: On = app) =>
    call(on, 'startTogether', { as: admin, params: { id: quizId }, body: { group } });
  const start = (as: string, on: On = app) =>
    call(on, 'startParticipant', { as, body: { withQuestions: true } });
  const wait = (as: string, on: On = app) => call(on, 'reportWaiting', { as, body: {} });
  const halls = async (on: On = app) => (await call(on, 'listHalls', { as: admin })).body.halls;
  const saysNothing = ({ text }: Reply) => {
    expect(text).not.toContain('Needle');
    expect(text).not.toMatch(/"(?:totalQuestions|questionCount|totalMarks)":[^0]/);
  };

  it('is refused where the rule cannot be kept, at its field', async () => {
    const category = (await app.call('createCategory', { as: admin, body: { name: `C${n}` } }))
      .body;
    const body = { title: 'T', categoryId: category.id, duration: 30, totalQuestions: 5 };
    const create = (startTogether: unknown) =>
      app.call('createQuiz', { as: admin, body: { ...body, startTogether } });
    const at = (path: string) => ({ status: 400, body: { issues: [{ path }] } });
    expect(await create({ by: 'time', lateMinutes: 15 })).toMatchObject(at('opensAt'));
    expect(await create({ by: 'bell', lateMinutes: 15 })).toMatchObject(at('startTogether.by'));
    for (const lateMinutes of [0, 181, 1.5]) {
      const refused = await create({ by: 'button', lateMinutes });
      expect(refused).toMatchObject(at('startTogether.lateMinutes'));
    }
    const made = (await create(BY_BUTTON)).body;
    expect(made.startTogether).toEqual(BY_BUTTON);
    const change = (more: object) =>
      app.call('updateQuiz', { as: admin, params: { id: made.id }, body: { ...body, ...more } });
    expect((await change({})).body.startTogether).toEqual(BY_BUTTON);
    expect(await change({ startTogether: BY_TIME })).toMatchObject(at('opensAt'));
    expect((await change({ startTogether: null })).body).not.toHaveProperty('startTogether');
  });

  it('starts by the button, in both processes, for those who wait at once', async () => {
    const quiz = await make({ startTogether: BY_BUTTON });
    const a = await person(quiz.id, 'a');
    const b = await person(quiz.id, 'b');
    const me = await app.call('me', { as: a.cookie });
    expect(me.body.startTogether).toEqual(BY_BUTTON);
    saysNothing(me);
    const before = await start(a.cookie);
    expect(before).toMatchObject(refusal(403, 'NOT_STARTED_YET'));
    saysNothing(before);
    const url = await other.fastify.listen({ port: 0, host: '127.0.0.1' });
    const frames = await openFrames(`${url}/api/opening/events`, a.cookie);
    expect(await frames.next()).toMatchObject({ isOpen: true, startTogether: BY_BUTTON });
    const count = async () => (await app.call('getLiveCount', { as: admin })).body;
    expect(await count()).toMatchObject({ hasHall: true });
    const given = await press(quiz.id);
    expect(given).toMatchObject({
      status: 200,
      body: { startedAt: inMinutes(0), lateUntil: inMinutes(15) },
    });
    expect(await frames.next()).toMatchObject({ startTogether: { lateForMs: 15 * MINUTE_MS } });
    frames.close();
    app.clock.advance({ seconds: 2 });
    // The time of each begins with their own start.
    expect((await start(a.cookie, other)).body).toMatchObject({
      remainingMs: 30 * MINUTE_MS,
      totalQuestions: 7,
    });
    expect((await start(b.cookie)).status).toBe(201);
    expect(await count()).not.toHaveProperty('hasHall');
    // Given once; it moves nothing while those who are late can start.
    expect(await press(quiz.id, null, other)).toMatchObject(refusal(409, 'STARTED_ALREADY'));
  });

  it('lets those who are late start until the minute, and whoever gets another attempt', async () => {
    const quiz = await make({ startTogether: BY_BUTTON });
    const [a, b] = [await person(quiz.id, 'a'), await person(quiz.id, 'b')];
    const c = await person(quiz.id, 'c');
    await press(quiz.id);
    expect((await start(c.cookie)).status).toBe(201);
    app.clock.advance({ minutes: 14, seconds: 59.999 });
    expect((await start(a.cookie)).status).toBe(201);
    app.clock.advance({ seconds: 0.001 });
    expect(await start(b.cookie)).toMatchObject(refusal(403, 'TOO_LATE'));
    expect((await wait(b.cookie)).body.startTogether).toEqual({ ...BY_BUTTON, lateForMs: 0 });
    const { id } = (await start(c.cookie)).body;
    await app.call('submitParticipant', { as: c.cookie, params: { id }, body: {} });
    const again = { how: 'another', reason: 'Fault' };
    await app.call('replaceParticipant', { as: admin, params: { id }, body: again });
    expect((await wait(c.cookie)).body).not.toHaveProperty('startTogether');
    expect((await start(c.cookie)).status).toBe(201);
    // Who was late waits for the next start.
    expect((await press(quiz.id)).status).toBe(200);
    expect((await start(b.cookie)).status).toBe(201);
  });

  it('starts one group and not the others', async () => {
    const quiz = await make({ startTogether: BY_BUTTON });
    const a = await person(quiz.id, 'a', [`A${n}`]);
    const b = await person(quiz.id, 'b', [`B${n}`]);
    expect((await press(quiz.id, `A${n}`)).status).toBe(200);
    expect(await start(b.cookie)).toMatchObject(refusal(403, 'NOT_STARTED_YET'));
    saysNothing(await app.call('me', { as: b.cookie }));
    expect((await app.call('me', { as: a.cookie })).body.quiz.totalQuestions).toBe(7);
    // Both are in one batch.
    const both = await Promise.all([start(a.cookie), start(b.cookie)]);
    expect(both.map(({ status }) => status)).toEqual([201, 403]);
    expect((await press(quiz.id)).status).toBe(200);
    expect((await start(b.cookie)).status).toBe(201);
  });

  it('starts at a time at the opening of each, until the minute', async () => {
    const quiz = await make({ opensAt: inMinutes(10), startTogether: BY_TIME });
    const [a, late] = [await person(quiz.id, 'a'), await person(quiz.id, 'late')];
    const b = await person(quiz.id, 'b', [`B${n}`]);
    const rules = [{ group: `B${n}`, window: { opensAt: inMinutes(40), endDate: null } }];
    await app.call('setSchedule', {
      ...{ as: admin, params: { id: quiz.id } },
      body: { rules, dryRun: false },
    });
    expect(await press(quiz.id)).toMatchObject(refusal(409, 'NO_COMMON_START'));
    app.clock.advance({ minutes: 9, seconds: 59.999 });
    expect(await start(a.cookie)).toMatchObject(refusal(403, 'NOT_OPEN_YET'));
    app.clock.advance({ seconds: 0.001 });
    expect((await start(a.cookie)).status).toBe(201);
    expect(await start(b.cookie)).toMatchObject(refusal(403, 'NOT_OPEN_YET'));
    app.clock.advance({ minutes: 15 });
    expect(await start(late.cookie)).toMatchObject(refusal(403, 'TOO_LATE'));
    app.clock.advance({ minutes: 15 });
    expect((await start(b.cookie)).status).toBe(201);
  });

  it('shows who waits, who does not any more, and who is not ready', async () => {
    const quiz = await make({ startTogether: BY_BUTTON });
    const [a, b] = [await person(quiz.id, 'a', [`A${n}`]), await person(quiz.id, 'b')];
    const people = [{ email: `absent${n}@example.org` }];
    await app.call('inviteToQuiz', { as: admin, params: { id: quiz.id }, body: { people } });
    await wait(a.cookie);
    const hall = (await halls(other)).find(({ quizId }: { quizId: string }) => quizId === quiz.id);
    expect(hall).toMatchObject({
      ...BY_BUTTON,
      ...{ opensAt: null, counts: { absent: 1, lost: 0, entered: 1, waiting: 1 } },
      groups: [{ group: `A${n}`, counts: { waiting: 1, absent: 0 } }],
    });
    const states = (of: { people: { email: string; state: string }[] }) =>
      of.people.map(({ email, state }) => `${email.replace(/\d.*/, '')} ${state}`);
    expect(states(hall)).toEqual(['absent absent', 'b entered', 'a waiting']);
    // A laptop that is closed says nothing any more.
    app.clock.advance({ ms: HALL_LIMITS.waitsForMs });
    const now = async () =>
      (await halls()).find(({ quizId }: { quizId: string }) => quizId === quiz.id);
    expect(states(await now())).toEqual(['absent absent', 'a lost', 'b entered']);
    // Another device takes over, and has not gone through the check.
    await wait(a.cookie);
    const taken = await signInCandidate(app, a.email, a.code);
    expect(await wait(a.cookie)).toMatchObject(refusal(401, 'SESSION_REPLACED'));
    expect(states(await now())).toEqual(['absent absent', 'a entered', 'b entered']);
    await wait(taken.cookie, other);
    await press(quiz.id);
    expect((await start(taken.cookie)).status).toBe(201);
    expect(states(await now())).toEqual(['absent absent', 'b entered']);
    expect(await now()).toMatchObject({ startedAt: inMinutes(0), lateUntil: inMinutes(15) });
    // Nobody can come late any more, and nobody waits.
    app.clock.advance({ minutes: 15 });
    expect(await now()).toBeUndefined();
    await wait(b.cookie);
    expect((await now()).counts).toEqual({ absent: 0, lost: 0, entered: 0, waiting: 1 });
  });

  it('is started by whoever may act on attempts, and only while it is open', async () => {
    const quiz = await make({ startTogether: BY_BUTTON, endDate: inMinutes(60) });
    for (const role of ['author', 'reviewer', 'analyst', 'support', 'invigilator'] as Role[]) {
      const email = `${role}${n}@example.org`;
      const password = 'granite lantern otter';
      const body = { email, password, grants: [{ role, quizId: quiz.id }] };
      expect((await app.call('createAdmin', { as: admin, body })).status).toBe(201);
      const { cookie } = await app.call('login', { body: { email, password } });
      const reply = await app.call('startTogether', {
        ...{ as: cookie, params: { id: quiz.id }, body: { group: null } },
      });
      expect(reply.status, role).toBe(role === 'invigilator' ? 200 : 403);
    }
    app.clock.advance({ minutes: 60 });
    admin = await signInAdmin(app, `late${n}@example.org`);
    expect(await press(quiz.id)).toMatchObject(refusal(409, 'NOT_OPEN_FOR_START'));
    const soon = await make({ startTogether: BY_BUTTON, opensAt: inMinutes(5) });
    expect(await press(soon.id)).toMatchObject(refusal(409, 'NOT_OPEN_FOR_START'));
  });

  it('is started once by two who press at the same time', async () => {
    const quiz = await make({ startTogether: BY_BUTTON });
    const both = await Promise.all([press(quiz.id), press(quiz.id, null, other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('starts nobody by a start that was written outside of Invigil', async () => {
    const quiz = await make({ startTogether: BY_BUTTON });
    const a = await person(quiz.id, 'a');
    await app.tamper(
      `update quizzes set common_starts = '[{"group": null, "at": "${inMinutes(0)}"}]' where id = '${quiz.id}'`,
    );
    expect((await start(a.cookie)).body.code).toBe('CHANGED_OUTSIDE');
  });

  it('starts nobody before, on any process, whatever happens until then', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('try' as const), elsewhere: fc.boolean() }),
      fc.record({ kind: fc.constant('wait' as const), elsewhere: fc.boolean() }),
      fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 8 }) }),
      fc.record({ kind: fc.constant('press' as const), group: fc.constantFrom('A', 'B', null) }),
      fc.constant({ kind: 'restart' as const }),
      fc.constant({ kind: 'takeover' as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        n += 1;
        admin = await signInAdmin(app, `admin${n}@example.org`);
        const quiz = await make({ startTogether: { by: 'button', lateMinutes: 6 } });
        let a = await person(quiz.id, 'a', ['A']);
        let lateUntil = 0;
        const until = { all: 0, A: 0, B: 0 };
        for (const one of [...steps, { kind: 'try', elsewhere: true } as const]) {
          const now = app.clock.now().getTime();
          if (one.kind === 'pass') app.clock.advance({ minutes: one.minutes });
          if (one.kind === 'restart') await app.rebuild();
          if (one.kind === 'takeover') a = await signInCandidate(app, a.email, a.code);
          if (one.kind === 'press') {
            const key = one.group ?? 'all';
            const isOn = now < until[key] || now < until.all;
            expect((await press(quiz.id, one.group)).status).toBe(isOn ? 409 : 200);
            if (isOn) continue;
            until[key] = now + 6 * MINUTE_MS;
            if (key !== 'B') lateUntil = now + 6 * MINUTE_MS;
          }
          if (one.kind !== 'try' && one.kind !== 'wait') continue;
          const on = one.elsewhere ? other : app;
          if (one.kind === 'wait') {
            const told = (await wait(a.cookie, on)).body.startTogether.lateForMs;
            expect(told).toBe(lateUntil === 0 ? undefined : Math.max(0, lateUntil - now));
            continue;
          }
          const begun = await start(a.cookie, on);
          if (now < lateUntil) {
            expect(begun).toMatchObject({ status: 201, body: { totalQuestions: 7 } });
            return;
          }
          const code = lateUntil === 0 ? 'NOT_STARTED_YET' : 'TOO_LATE';
          expect(begun).toMatchObject(refusal(403, code));
          expect(begun.text).not.toContain('Needle');
        }
      }),
      { numRuns: IS_LONG ? 100 : 5 },
    );
  });
});
