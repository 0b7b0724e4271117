import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { call, type Reply } from '@invigil/testkit/app';
import {
  inviteCandidate,
  makeQuiz,
  plainQuestions,
  setUpApp,
  setUpOtherProcess,
  signInAdmin,
} from '@invigil/testkit/factories';
import { openFrames } from '@invigil/testkit/open-frames';
import { IS_LONG } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const MINUTE_MS = 60_000;
const NOT_OPEN_YET = {
  status: 403,
  body: { code: 'NOT_OPEN_YET', message: 'This assessment has not opened yet' },
};
/** Signing out would end the session, and a stream does not end. */
const NOT_CALLED: EndpointName[] = ['logout', 'streamParticipant', 'streamOpening'];

describe('an assessment with an opening time', () => {
  const app = setUpApp();
  const other = setUpOtherProcess(app);
  let n = 0;
  let admin: string;

  const inMinutes = (minutes: number) =>
    new Date(app.clock.now().getTime() + minutes * MINUTE_MS).toISOString();
  /** Makes an assessment whose questions, options and their number are found as words: `Needle`, 7. */
  const make = async (opensAt: string | null, more: object = {}) => {
    const questions = plainQuestions(7).map(({ question, options, correctAnswer }) => ({
      question: `Needle ${question}`,
      options: options.map((option) => `Needle ${option}`),
      correctAnswer: `Needle ${correctAnswer}`,
    }));
    n += 1;
    // The tests move the clock by days.
    admin = await signInAdmin(app, `admin${n}@example.org`);
    const quiz = await makeQuiz(app, admin, { questions, opensAt, ...more });
    return { quiz, person: await inviteCandidate(app, admin, quiz.id, `o${n}@example.org`) };
  };
  const move = async (id: string, change: object) => {
    // An hour may have passed, and with it the session.
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    const quizzes = (await app.call('listQuizzes', { as: admin })).body;
    const quiz = quizzes.find((one: { id: string }) => one.id === id);
    const body = { ...quiz, ...change };
    return await app.call('updateQuiz', { as: admin, params: { id }, body });
  };
  const start = (as: string) => app.call('startParticipant', { as, body: {} });
  const saysNothing = ({ text }: Reply) => {
    expect(text).not.toContain('Needle');
    expect(text).not.toMatch(/"(?:totalQuestions|questionCount|totalMarks)":[^0]/);
  };

  it('opens at that moment, and the time counts from the start', async () => {
    const { person } = await make(inMinutes(10));
    app.clock.advance({ minutes: 9, seconds: 59.999 });
    expect(await start(person.cookie)).toMatchObject(NOT_OPEN_YET);
    app.clock.advance({ seconds: 0.001 });
    const begun = await start(person.cookie);
    expect(begun).toMatchObject({ status: 201, body: { totalQuestions: 7 } });
    expect(begun.body.remainingMs).toBe(30 * MINUTE_MS);
  });

  it('says when to its candidate, by the clock of the server, and nothing about its paper', async () => {
    const opensAt = inMinutes(10);
    const { person } = await make(opensAt);
    const waiting = await app.call('me', { as: person.cookie });
    expect(waiting.body).toMatchObject({
      opensInMs: 10 * MINUTE_MS,
      quiz: { opensAt, isOpen: true, totalQuestions: 0, questionCount: 0 },
    });
    app.clock.advance({ minutes: 10 });
    const open = await app.call('me', { as: person.cookie });
    expect(open.body).toMatchObject({ quiz: { opensAt, totalQuestions: 7, questionCount: 7 } });
    expect(open.body).not.toHaveProperty('opensInMs');
  });

  it('keeps a running attempt when it is moved, and refuses another one', async () => {
    const { quiz, person } = await make(null);
    const { id } = (await start(person.cookie)).body;
    expect((await move(quiz.id, { opensAt: inMinutes(60) })).status).toBe(200);
    expect(await start(person.cookie)).toMatchObject({ status: 200, body: { id } });
    await app.call('submitParticipant', { as: person.cookie, params: { id }, body: {} });
    const body = { how: 'reinstate', reason: 'Power cut', minutes: 10 };
    await app.call('replaceParticipant', { as: admin, params: { id }, body });
    expect(await start(person.cookie)).toMatchObject(NOT_OPEN_YET);
  });

  it('is before its end date, wherever one of the two is changed', async () => {
    const problem = {
      status: 400,
      body: { issues: [{ path: 'opensAt', message: 'Select a time before the end date' }] },
    };
    const category = (await app.call('createCategory', { as: admin, body: { name: 'C' } })).body;
    const body = { title: 'T', categoryId: category.id, duration: 30, totalQuestions: 5 };
    const times = { opensAt: inMinutes(60), endDate: inMinutes(60) };
    const make = (more: object) =>
      app.call('createQuiz', { as: admin, body: { ...body, ...more } });
    expect(await make(times)).toMatchObject(problem);
    const { id } = (await make({ ...times, opensAt: inMinutes(59) })).body;
    const change = (more: object) =>
      app.call('updateQuiz', { as: admin, params: { id }, body: { ...body, ...more } });
    expect(await change({ endDate: inMinutes(59) })).toMatchObject(problem);
    expect(await change({ opensAt: inMinutes(61) })).toMatchObject(problem);
    expect((await change({ opensAt: inMinutes(61), endDate: null })).status).toBe(200);
    const { body: cleared } = await change({ opensAt: null });
    expect(cleared).not.toHaveProperty('opensAt');
    const copy = await app.call('duplicateQuiz', { as: admin, params: { id } });
    expect(copy.body).not.toHaveProperty('opensAt');
  });

  it('can be waited for: the sign-in and its code last until then', async () => {
    const { person } = await make(inMinutes(23 * 60));
    app.clock.advance({ minutes: 23 * 60 });
    expect((await start(person.cookie)).status).toBe(201);
    const late = await make(inMinutes(100 * 24 * 60));
    app.clock.advance({ minutes: 100 * 24 * 60 });
    const again = { email: late.person.email, password: late.person.code };
    expect((await app.call('login', { body: again })).status).toBe(200);
  });

  it('gives no part of its paper to any call of its candidates before', async () => {
    const { quiz, person } = await make(inMinutes(60));
    const params = { id: quiz.id, questionId: quiz.questions[0]?.id ?? '', hash: 'a'.repeat(64) };
    const bodies: Partial<Record<EndpointName, unknown>> = {
      login: { email: person.email, password: person.code },
      startParticipant: { withQuestions: true },
    };
    let cookie: string | undefined = person.cookie;
    for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
      const { access, method, path }: Endpoint = ENDPOINTS[name];
      if (NOT_CALLED.includes(name) || !(access === 'public' || access.includes('participant'))) {
        continue;
      }
      const reply: Reply = await app.call(name, {
        as: cookie,
        params: Object.fromEntries(
          Object.entries(params).filter(([key]) => path.includes(`:${key}`)),
        ),
        ...(method === 'GET' ? {} : { body: bodies[name] ?? {} }),
      });
      cookie = reply.cookie ?? cookie;
      saysNothing(reply);
    }
    app.clock.advance({ minutes: 60 });
    // The walk looked for the right words.
    const begun = await app.call('startParticipant', { as: cookie, body: { withQuestions: true } });
    expect(begun.text).toContain('Needle');
  });

  it('reaches those who wait at once when it is moved, whichever process they use', async () => {
    const { quiz, person } = await make(inMinutes(60));
    const url = await other.fastify.listen({ port: 0, host: '127.0.0.1' });
    const frames = await openFrames(`${url}/api/opening/events`, person.cookie);
    const told = { opensInMs: 60 * MINUTE_MS, timeZone: app.context.config.timeZone, isOpen: true };
    expect(await frames.next()).toEqual({ ...told, opensAt: inMinutes(60) });
    await move(quiz.id, { opensAt: inMinutes(5) });
    expect(await frames.next()).toMatchObject({ opensInMs: 5 * MINUTE_MS });
    await move(quiz.id, { opensAt: null });
    expect(await frames.next()).toMatchObject({ opensAt: null, opensInMs: 0 });
    frames.close();
  });

  it('opens for no one before, on any process, across moved times and restarts', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('move' as const), minutes: fc.integer({ min: -5, max: 30 }) }),
      fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 10 }) }),
      fc.record({ kind: fc.constant('try' as const), elsewhere: fc.boolean() }),
      fc.constant({ kind: 'restart' as const }),
    );
    const steps = fc.array(step, { minLength: 5, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, async (some) => {
        let opensAt = inMinutes(10);
        const { quiz, person } = await make(opensAt);
        for (const one of [...some, { kind: 'try' as const, elsewhere: true }]) {
          if (one.kind === 'pass') app.clock.advance({ minutes: one.minutes });
          if (one.kind === 'restart') await app.rebuild();
          if (one.kind === 'move') {
            opensAt = inMinutes(one.minutes);
            await move(quiz.id, { opensAt });
          }
          if (one.kind !== 'try') continue;
          const on = one.elsewhere ? other : app;
          const isOpen = app.clock.now() >= new Date(opensAt);
          const body = { withQuestions: true };
          const me = await call(on, 'me', { as: person.cookie });
          const begun = await call(on, 'startParticipant', { as: person.cookie, body });
          if (isOpen) {
            expect(begun).toMatchObject({ status: 201, body: { totalQuestions: 7 } });
            return;
          }
          expect(begun).toMatchObject(NOT_OPEN_YET);
          for (const reply of [me, begun]) saysNothing(reply);
        }
      }),
      { numRuns: IS_LONG ? 100 : 5 },
    );
  });
});
