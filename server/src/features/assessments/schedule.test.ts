import { readTime, wallTime } from '@invigil/core/domain/local-time';
import {
  lastStartOf,
  ownScheduleOf,
  type Schedule,
  scheduleOf,
  type TimedPerson,
  type TimedQuiz,
  type TimeRule,
} from '@invigil/core/domain/schedule';
import {
  inviteCandidate,
  makeQuiz,
  setUpApp,
  setUpOtherProcess,
  signInAdmin,
} from '@invigil/testkit/factories';
import { openFrames } from '@invigil/testkit/open-frames';
import { IS_LONG } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';

const MINUTE_MS = 60_000;
const HOUR = 60;

describe('the times of groups and people', () => {
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
  const window = (from: number, to: number | null) => ({
    opensAt: inMinutes(from),
    endDate: to === null ? null : inMinutes(to),
  });
  const must = async (...[name, input]: Parameters<typeof app.call>) => {
    const reply = await app.call(name, { as: admin, ...input });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const setRules = (quizId: string, rules: object[], more: object = {}) =>
    app.call('setSchedule', {
      ...{ as: admin, params: { id: quizId } },
      body: { rules, dryRun: false, ...more },
    });
  const groupsOf = async (email: string, groups: string[]) => {
    const people = [{ email, groups }];
    await must('importPeople', { body: { people, replacesGroups: true, dryRun: false } });
  };
  const person = async (quizId: string, name: string, groups: string[] = []) => {
    const email = `${name}${n}@example.org`;
    if (groups.length > 0) await groupsOf(email, groups);
    return inviteCandidate(app, admin, quizId, email);
  };
  const invitationOf = async (quizId: string, email: string) => {
    const rows = await must('listInvitations', { params: { id: quizId } });
    return rows.find((row: { email: string }) => row.email === email);
  };
  const start = (as: string) => app.call('startParticipant', { as, body: {} });

  it('let each group in at its own time, and close to it', async () => {
    const quiz = await makeQuiz(app, admin, { opensAt: inMinutes(10), endDate: inMinutes(HOUR) });
    const a = await person(quiz.id, 'a');
    const b = await person(quiz.id, 'b', ['B']);
    const rules = [{ group: 'B', window: window(120, 180) }];
    expect((await setRules(quiz.id, rules)).body).toMatchObject({ changed: 1, underWay: 0 });
    const me = await app.call('me', { as: b.cookie });
    expect(me.body.quiz).toMatchObject({ opensAt: inMinutes(120), endDate: inMinutes(180) });
    app.clock.advance({ minutes: 40 });
    expect((await start(a.cookie)).status).toBe(201);
    expect((await start(b.cookie)).body.code).toBe('NOT_OPEN_YET');
    app.clock.advance({ minutes: 80 });
    const again = await app.call('login', { body: { email: b.email, password: b.code } });
    const begun = await start(again.cookie ?? '');
    expect(begun).toMatchObject({ status: 201, body: { remainingMs: 30 * MINUTE_MS } });
  });

  it('end an attempt with the window of its person', async () => {
    const quiz = await makeQuiz(app, admin, { endDate: inMinutes(200) });
    const b = await person(quiz.id, 'b', ['B']);
    await setRules(quiz.id, [{ group: 'B', window: window(-1, 20) }]);
    expect((await start(b.cookie)).body.remainingMs).toBe(20 * MINUTE_MS);
  });

  it('say in a dry run whose times would change, and change nothing', async () => {
    const quiz = await makeQuiz(app, admin);
    const b = await person(quiz.id, 'b', ['B']);
    const c = await person(quiz.id, 'c', ['B']);
    await start(c.cookie);
    const rules = [{ group: 'B', minutes: 45 }];
    // Someone who has finished gets nothing from other times.
    const d = await person(quiz.id, 'd', ['B']);
    const done = (await start(d.cookie)).body.id;
    await app.call('submitParticipant', { as: d.cookie, params: { id: done }, body: {} });
    const tried = await setRules(quiz.id, rules, { dryRun: true });
    expect(tried.body).toMatchObject({ changed: 2, underWay: 1 });
    expect(tried.body.changes).toHaveLength(2);
    expect(tried.body.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          email: b.email,
          before: { opensAt: null, endDate: null, duration: 30 },
          after: { opensAt: null, endDate: null, duration: 45 },
          isUnderWay: false,
        }),
        expect.objectContaining({ email: c.email, isUnderWay: true }),
      ]),
    );
    expect(await invitationOf(quiz.id, b.email)).not.toHaveProperty('times');
    const schedule = await must('getSchedule', { params: { id: quiz.id } });
    expect(schedule).toEqual({ rules: [], people: [], groups: [{ group: 'B', people: 3 }] });
    expect(await must('getQuiz', { params: { id: quiz.id } })).not.toHaveProperty('timeRules');
    await setRules(quiz.id, rules);
    // The assessment is another one for no other form: its version stays.
    expect(await must('getQuiz', { params: { id: quiz.id } })).toMatchObject({
      ...{ timeRules: 1, version: 1 },
    });
    expect((await app.call('me', { as: b.cookie })).body.quiz).not.toHaveProperty('timeRules');
    expect((await invitationOf(quiz.id, b.email)).times).toMatchObject({ duration: 45 });
    expect((await start(b.cookie)).body.remainingMs).toBe(45 * MINUTE_MS);
  });

  it('of a person are nearer than those of a group, and come back with it', async () => {
    const quiz = await makeQuiz(app, admin);
    const b = await person(quiz.id, 'b', ['B']);
    await setRules(quiz.id, [{ group: 'B', window: window(5, 50), minutes: 10 }]);
    const { id } = await invitationOf(quiz.id, b.email);
    const own = { window: window(100, 200) };
    const body = { ownTimes: own, reason: 'A doctor’s note' };
    const changed = await must('updateInvitation', { params: { id }, body });
    expect(changed).toMatchObject({ ownTimes: own, times: { ...own.window, duration: 10 } });
    const schedule = await must('getSchedule', { params: { id: quiz.id } });
    expect(schedule.people).toEqual([{ invitationId: id, email: b.email, times: own }]);
    const stale = await app.call('updateInvitation', {
      ...{ as: admin, params: { id } },
      body: { ownTimes: null, reason: 'r', before: { ownTimes: { minutes: 1 } } },
    });
    expect(stale.body.code).toBe('STALE');
    await must('updateInvitation', { params: { id }, body: { ownTimes: null, reason: 'r' } });
    const back = await invitationOf(quiz.id, b.email);
    expect(back).not.toHaveProperty('ownTimes');
    expect(back.times).toMatchObject({ opensAt: inMinutes(5), duration: 10 });
  });

  it('are those with which extra time is said, before and after an invitation', async () => {
    const quiz = await makeQuiz(app, admin, { endDate: inMinutes(200) });
    await setRules(quiz.id, [{ group: 'B', window: window(0, 50), minutes: 40 }]);
    const email = `x${n}@example.org`;
    const people = [{ email, groups: ['B'], extraTime: 50 }];
    await must('importPeople', { body: { people, replacesGroups: true, dryRun: false } });
    const find = async () =>
      (await must('findInvited', { params: { id: quiz.id }, body: { emails: [email] } })).extraTime;
    const times = { opensAt: inMinutes(0), endDate: inMinutes(50), duration: 40 };
    expect(await find()).toEqual([{ email, percent: 50, times }]);
    const sent = await must('inviteToQuiz', { params: { id: quiz.id }, body: { emails: [email] } });
    expect(sent.invitations[0].extraTime).toEqual({ minutes: 60, atMost: 50, times });
    expect(await find()).toEqual([{ email, percent: 50, times }]);
    await setRules(quiz.id, []);
    expect(await find()).toEqual([{ email, percent: 50 }]);
  });

  it('follow the groups of a person, also on a page that waits', async () => {
    const quiz = await makeQuiz(app, admin, { opensAt: inMinutes(HOUR) });
    const b = await person(quiz.id, 'b', ['A']);
    await setRules(quiz.id, [{ group: 'B', window: window(5, 90) }]);
    await groupsOf(b.email, ['B']);
    expect((await app.call('me', { as: b.cookie })).body.opensInMs).toBe(5 * MINUTE_MS);
    const url = await other.fastify.listen({ port: 0, host: '127.0.0.1' });
    const frames = await openFrames(`${url}/api/opening/events`, b.cookie);
    expect(await frames.next()).toMatchObject({ opensInMs: 5 * MINUTE_MS });
    await setRules(quiz.id, [{ group: 'B', window: window(2, 90) }]);
    expect(await frames.next()).toMatchObject({ opensInMs: 2 * MINUTE_MS });
    frames.close();
  });

  it('are in the mail that invites, also where a rule changes while it waits', async () => {
    const quiz = await makeQuiz(app, admin, { endDate: inMinutes(HOUR) });
    const b = await person(quiz.id, 'b', ['B']);
    const textOf = async () => {
      const messages = await must('listOutbox', { query: { limit: 100 } });
      const { id } = messages.find((one: { recipient: string }) => one.recipient === b.email);
      return (await must('readOutboxMessage', { params: { id } })).text;
    };
    const before = await textOf();
    await setRules(quiz.id, [{ group: 'B', window: window(2 * 24 * HOUR, 3 * 24 * HOUR) }]);
    const after = await textOf();
    expect(before).not.toContain('Opens at');
    expect(after).toContain('Opens at');
    const { id } = await invitationOf(quiz.id, b.email);
    const body = { ownTimes: { window: window(-1, HOUR) }, reason: 'r' };
    await must('updateInvitation', { params: { id }, body });
    expect(await textOf()).not.toBe(after);
    await must('updateInvitation', { params: { id }, body: { ownTimes: null, reason: 'r' } });
    expect(await textOf()).toBe(after);
    await groupsOf(b.email, ['A']);
    expect(await textOf()).toBe(before);
    await setRules(quiz.id, [{ group: 'A', minutes: 7 }]);
    expect(await textOf()).toMatch(/Duration: +7 minutes/);
  });

  it('come from a list of people to invite, and change with the next one', async () => {
    const quiz = await makeQuiz(app, admin, { endDate: inMinutes(HOUR) });
    await setRules(quiz.id, [{ group: 'B', window: window(5, 90), minutes: 20 }]);
    const email = `list${n}@example.org`;
    const invite = (person: object) =>
      app.call('inviteToQuiz', {
        ...{ as: admin, params: { id: quiz.id } },
        body: { people: [{ email, ...person }] },
      });
    const invited = async (person: object) => {
      const reply = await invite(person);
      expect(reply.body, reply.text).toMatchObject({ invitations: [{ status: 'queued' }] });
      return invitationOf(quiz.id, email);
    };
    const first = await invited({ groups: ['B'], opensAt: inMinutes(10), endDate: inMinutes(70) });
    const own = { window: window(10, 70) };
    expect(first).toMatchObject({ ownTimes: own, times: { ...own.window, duration: 20 } });
    // Stays where a row leaves it out: the other time, and the minutes of the group.
    const later = { window: window(10, 80) };
    const second = await invited({ endDate: inMinutes(80) });
    expect(second).toMatchObject({ ownTimes: later, times: { ...later.window, duration: 20 } });
    const third = await invited({ minutes: 7 });
    expect(third).toMatchObject({ ownTimes: { ...later, minutes: 7 } });
    expect((await invited({})).ownTimes).toEqual({ ...later, minutes: 7 });
    // The message says the times of its person.
    const messages = await must('listOutbox', { query: { limit: 100 } });
    const { id } = messages.find((one: { recipient: string }) => one.recipient === email);
    const { text } = await must('readOutboxMessage', { params: { id } });
    expect(text).toMatch(/Duration: +7 minutes/);

    const refused = await invite({ opensAt: inMinutes(100) });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        message: `${email}: the assessment would open after its end. Enter both times`,
        issues: [{ path: 'people.0.opensAt' }],
      },
    });
    const both = await invite({ opensAt: inMinutes(100), endDate: inMinutes(100) });
    expect(both.body.issues).toMatchObject([{ path: 'people.0.opensAt' }]);
    expect((await invite({ minutes: 0.5 })).body.issues).toMatchObject([
      { path: 'people.0.minutes' },
    ]);
    expect((await invitationOf(quiz.id, email)).ownTimes).toEqual({ ...later, minutes: 7 });
    // Someone who has begun keeps the times, and the answer says so.
    const { cookie } = await inviteCandidate(app, admin, quiz.id, email);
    app.clock.advance({ minutes: 15 });
    const { code } = await inviteCandidate(app, admin, quiz.id, email);
    const again = await app.call('login', { body: { email, password: code } });
    expect((await start(again.cookie ?? cookie)).status).toBe(201);
    expect((await invite({ minutes: 9 })).body.invitations).toMatchObject([
      { status: 'in_progress', reason: expect.stringContaining('The times were not changed') },
    ]);
  });

  it('can be later than the end of the assessment, for whom alone it is then open', async () => {
    const quiz = await makeQuiz(app, admin, { endDate: inMinutes(20) });
    const a = await person(quiz.id, 'a');
    const b = await person(quiz.id, 'b', ['B']);
    const c = await person(quiz.id, 'c');
    await setRules(quiz.id, [{ group: 'B', window: window(0, 100) }]);
    const { id } = await invitationOf(quiz.id, c.email);
    const late = { window: window(0, 300) };
    await must('updateInvitation', { params: { id }, body: { ownTimes: late, reason: 'r' } });
    app.clock.advance({ minutes: 30 });
    admin = await signInAdmin(app, `later${n}@example.org`);
    expect((await must('getQuiz', { params: { id: quiz.id } })).isOpen).toBe(true);
    expect((await start(a.cookie)).body.code).toBe('QUIZ_INACTIVE');
    expect((await start(b.cookie)).status).toBe(201);
    app.clock.advance({ minutes: 80 });
    admin = await signInAdmin(app, `last${n}@example.org`);
    expect((await must('getQuiz', { params: { id: quiz.id } })).isOpen).toBe(false);
    const resend = (ids: string[]) =>
      app.call('resendInvitations', { as: admin, params: { id: quiz.id }, body: { ids } });
    const others = (await invitationOf(quiz.id, a.email)).id;
    expect((await resend([others])).body.code).toBe('QUIZ_NOT_OPEN');
    expect((await resend([id])).status).toBe(200);
  });

  it('are refused at the field: an empty rule, a group twice, an end before its opening', async () => {
    const quiz = await makeQuiz(app, admin);
    const refused = async (rules: object[], path: string) => {
      const { status, body } = await setRules(quiz.id, rules);
      expect({ status, paths: body.issues?.map((one: { path: string }) => one.path) }).toEqual({
        ...{ status: 400, paths: [path] },
      });
    };
    await refused([{ group: 'A' }], 'rules.0');
    await refused(
      [
        { group: 'A', minutes: 5 },
        { group: 'A', minutes: 6 },
      ],
      'rules.1.group',
    );
    await refused([{ group: 'A', window: window(10, 5) }], 'rules.0.window.opensAt');
    await refused([{ group: 'A', minutes: 181 }], 'rules.0.minutes');
    const before = [{ group: 'B', minutes: 5 }];
    expect((await setRules(quiz.id, [], { before })).body).toMatchObject({});
    await setRules(quiz.id, before);
    expect((await setRules(quiz.id, [], { before: [] })).body.code).toBe('STALE');
  });

  it('can have a latest start, after which only those who have begun go on', async () => {
    const quiz = await makeQuiz(app, admin, { endDate: inMinutes(60) });
    const params = { id: quiz.id };
    const edit = async (times: object) => {
      const known = await must('getQuiz', { params });
      return app.call('updateQuiz', { as: admin, params, body: { ...known, ...times } });
    };
    const refused = await edit({ opensAt: inMinutes(5), startBy: inMinutes(5) });
    expect(refused.body.issues).toMatchObject([{ path: 'startBy' }]);
    expect((await edit({ startBy: inMinutes(61) })).status).toBe(400);
    expect((await edit({ startBy: inMinutes(20) })).body).toMatchObject({ startBy: inMinutes(20) });
    const [a, late] = [await person(quiz.id, 'a'), await person(quiz.id, 'late')];
    const b = await person(quiz.id, 'b', ['B']);
    const outside = [{ group: 'B', window: { ...window(0, 50), startBy: inMinutes(51) } }];
    expect((await setRules(quiz.id, outside)).body.issues).toMatchObject([
      { path: 'rules.0.window.startBy' },
    ]);
    const rules = [{ group: 'B', window: { ...window(0, 50), startBy: inMinutes(25) } }];
    const set = await setRules(quiz.id, rules);
    expect(set.body.changes).toMatchObject([
      { before: { startBy: inMinutes(20) }, after: { startBy: inMinutes(25) } },
    ]);
    expect((await app.call('me', { as: b.cookie })).body.quiz.startBy).toBe(inMinutes(25));
    const messages = await must('listOutbox', { query: { limit: 100 } });
    const mail = messages.find((one: { recipient: string }) => one.recipient === b.email);
    const { text } = await must('readOutboxMessage', { params: { id: mail.id } });
    expect(text).toContain('Start by:');
    expect((await start(a.cookie)).body.remainingMs).toBe(30 * MINUTE_MS);
    app.clock.advance({ minutes: 20 });
    expect(await start(late.cookie)).toMatchObject({
      status: 403,
      body: { code: 'QUIZ_INACTIVE' },
    });
    const me = await app.call('me', { as: late.cookie });
    expect(me.body.quiz).toMatchObject({ isOpen: false, isActive: true });
    expect((await start(b.cookie)).status).toBe(201);
    // Whoever has begun goes on, also on another device.
    expect((await start(a.cookie)).body.remainingMs).toBe(10 * MINUTE_MS);
    app.clock.advance({ minutes: 6 });
    admin = await signInAdmin(app, `start${n}@example.org`);
    expect((await must('getQuiz', { params })).isOpen).toBe(false);
    // Moved with times that it does not fit, it goes.
    const moved = await edit({ startBy: undefined, endDate: inMinutes(-10) });
    expect(moved.body).not.toHaveProperty('startBy');
  });

  it('reinstate an attempt after the end with minutes, as after a power cut', async () => {
    const quiz = await makeQuiz(app, admin, { endDate: inMinutes(20) });
    const a = await person(quiz.id, 'a');
    const { id } = (await start(a.cookie)).body;
    await app.call('submitParticipant', { as: a.cookie, params: { id }, body: {} });
    app.clock.advance({ minutes: 25 });
    const replace = (minutes?: number) =>
      app.call('replaceParticipant', {
        ...{ as: admin, params: { id } },
        body: { how: 'reinstate', reason: 'Power cut', ...(minutes ? { minutes } : {}) },
      });
    expect((await replace()).body).toMatchObject({
      message: 'The end date of this assessment has passed. Add minutes, or move it',
    });
    expect((await replace(15)).status).toBe(200);
    const again = await app.call('login', { body: { email: a.email, password: a.code } });
    expect(again.body).toMatchObject({ quiz: { isOpen: true }, continuesMs: 35 * MINUTE_MS });
    const begun = await start(again.cookie ?? '');
    expect(begun).toMatchObject({ status: 201, body: { remainingMs: 35 * MINUTE_MS } });
  });

  it('open for no one before, close for all after, and shorten no attempt, whatever changes', async () => {
    const timed = fc.record({
      from: fc.integer({ min: -20, max: 60 }),
      takes: fc.integer({ min: 1, max: 60 }),
      starts: fc.option(fc.integer({ min: 1, max: 40 })),
    });
    const windowOf = ({ from, takes, starts = null }: Timed) => ({
      ...window(from, from + takes),
      ...(starts === null ? {} : { startBy: inMinutes(from + Math.min(starts, takes)) }),
    });
    const minutes = fc.integer({ min: 1, max: 40 });
    const times = fc.oneof(
      fc.record({ timed }),
      fc.record({ minutes }),
      fc.record({ timed, minutes }),
    );
    const group = fc.constantFrom('A', 'B');
    const rules = fc.uniqueArray(fc.record({ group, times }), {
      selector: (rule) => rule.group,
      maxLength: 2,
    });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('rules' as const), rules }),
      fc.record({
        kind: fc.constant('groups' as const),
        groups: fc.subarray(['A', 'B', 'C'], { minLength: 1 }),
      }),
      fc.record({ kind: fc.constant('own' as const), times: fc.option(times) }),
      fc.record({ kind: fc.constant('list' as const), timed }),
      fc.record({ kind: fc.constant('edit' as const), timed: fc.option(timed), minutes }),
      fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 15 }) }),
      fc.constant({ kind: 'start' as const }),
    );
    const timesOf = (given: { timed?: Timed; minutes?: number }): TimeRule => ({
      ...(given.timed ? { window: windowOf(given.timed) } : {}),
      ...(given.minutes === undefined ? {} : { minutes: given.minutes }),
    });
    // The clocks of Berlin show the hour from 2:00 twice.
    const changing = Date.parse('2026-10-25T00:30:00Z');
    app.clock.advance({ ms: changing - app.clock.now().getTime() });
    const zone = 'Europe/Berlin';
    const written = (minutes: number) => {
      const shown = new Date(wallTime(new Date(inMinutes(minutes)), zone)).toISOString();
      const read = readTime(shown.slice(0, 16).replace('T', ' '), zone);
      if (!('at' in read)) throw new Error(read.problem);
      return read.at.toISOString();
    };
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 14 }),
      async (some) => {
        n += 1;
        admin = await signInAdmin(app, `admin${n}@example.org`);
        const made = await makeQuiz(app, admin);
        const params = { id: made.id };
        const one = await person(made.id, 'p', ['A']);
        let quiz: TimedQuiz = {
          ...{ opensAt: null, endDate: null, startBy: null, duration: 30, timeRules: null },
          retakes: null,
        };
        let who: TimedPerson = { groups: ['A'], ownTimes: null };
        let deadlineMs: number | null = null;
        for (const each of [...some, { kind: 'start' as const }]) {
          if (each.kind === 'pass') {
            app.clock.advance({ minutes: each.minutes });
            n += 1;
            // A session of an administrator ends after half an hour without a call.
            admin = await signInAdmin(app, `admin${n}@example.org`);
          }
          if (each.kind === 'rules') {
            const timeRules = each.rules.map((rule) => ({
              ...{ group: rule.group, ...timesOf(rule.times) },
            }));
            await must('setSchedule', { params, body: { rules: timeRules, dryRun: false } });
            quiz = { ...quiz, timeRules };
          }
          if (each.kind === 'groups') {
            await groupsOf(one.email, each.groups);
            who = { ...who, groups: each.groups };
          }
          if (each.kind === 'own' && deadlineMs === null) {
            const ownTimes = each.times && timesOf(each.times);
            const { id } = await invitationOf(made.id, one.email);
            await must('updateInvitation', { params: { id }, body: { ownTimes, reason: 'r' } });
            who = { ...who, ownTimes };
          }
          if (each.kind === 'list' && deadlineMs === null) {
            const { from, takes } = each.timed;
            const listed = { opensAt: written(from), endDate: written(from + takes) };
            const people = [{ email: one.email, ...listed }];
            const invited = await app.call('inviteToQuiz', {
              ...{ as: admin, params, body: { people, sendMail: false } },
            });
            const isOver = listed.opensAt >= listed.endDate;
            const isClosed = invited.body.code === 'QUIZ_NOT_OPEN';
            expect(invited.status, invited.text).toBe(isOver ? 400 : isClosed ? 409 : 200);
            if (!isOver && !isClosed) {
              const last = scheduleOf(quiz, who).startBy?.toISOString();
              const fits = last !== undefined && listed.opensAt < last && last <= listed.endDate;
              const own = { ...listed, ...(fits ? { startBy: last } : {}) };
              who = { ...who, ownTimes: { ...who.ownTimes, window: own } };
            }
          }
          if (each.kind === 'edit') {
            const times: Partial<ReturnType<typeof windowOf>> = each.timed
              ? windowOf(each.timed)
              : {};
            const { opensAt = null, endDate = null, startBy = null } = times;
            const now = await must('getQuiz', { params });
            const body = { ...now, opensAt, endDate, startBy, duration: each.minutes };
            await must('updateQuiz', { params, body });
            const dateOf = (text: string | null) => text && new Date(text);
            quiz = { ...quiz, opensAt: dateOf(opensAt), endDate: dateOf(endDate) } as TimedQuiz;
            quiz = { ...quiz, startBy: dateOf(startBy) as Date | null };
            quiz = { ...quiz, duration: each.minutes };
          }
          const now = app.clock.now().getTime();
          const schedule = scheduleOf(quiz, who);
          const { opensAt, endDate, startBy, duration } = schedule;
          const { times } = await invitationOf(made.id, one.email);
          expect(times ?? timesIn(ownScheduleOf(quiz))).toEqual(timesIn(schedule));
          if (deadlineMs !== null) {
            if (now >= deadlineMs) return;
            // Whatever has changed since, nothing is shorter.
            expect((await start(one.cookie)).body.remainingMs).toBe(deadlineMs - now);
          }
          if (each.kind !== 'start' || deadlineMs !== null) continue;
          const begun = await start(one.cookie);
          const last = lastStartOf({ startBy, endDate });
          if (last !== null && now >= last.getTime()) {
            expect(begun.body.code).toBe('QUIZ_INACTIVE');
          } else if (opensAt !== null && now < opensAt.getTime()) {
            expect(begun.body.code).toBe('NOT_OPEN_YET');
            expect((await app.call('me', { as: one.cookie })).body.quiz.totalQuestions).toBe(0);
          } else {
            const full = now + duration * MINUTE_MS;
            deadlineMs = Math.min(full, endDate?.getTime() ?? full);
            expect(begun).toMatchObject({ status: 201, body: { remainingMs: deadlineMs - now } });
          }
        }
      },
    );
    await fc.assert(property, { numRuns: IS_LONG ? 60 : 6 });
  });
});

interface Timed {
  from: number;
  takes: number;
  starts?: number | null;
}

/** Times as an answer has them. */
const timesIn = ({ opensAt, endDate, startBy, duration }: Schedule) =>
  JSON.parse(JSON.stringify({ opensAt, endDate, ...(startBy ? { startBy } : {}), duration }));
