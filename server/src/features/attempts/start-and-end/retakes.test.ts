import type { RetakeRule } from '@invigil/core/domain/retakes';
import { call } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  newestCodes,
  passTime,
  plainQuestions,
  setUpApp,
  setUpOtherProcess,
  signInAdmin,
} from '@invigil/testkit/factories';
import { changeQuizBy, type Must } from '@invigil/testkit/made-quiz';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';
import { releaseResults } from '../../../jobs/run-jobs.ts';
import { isWhole, RESULTS, walkRows } from '../../../trust/sealed-kinds.ts';

const app = setUpApp();
const other = setUpOtherProcess(app);

let admin: string;
let attempt: BegunAttempt;
let n = 0;

const must: Must = async (name, input) => {
  const reply = await app.call(name, { as: admin, ...input });
  if (reply.status >= 300) throw new Error(`${name} answered ${reply.text}`);
  return reply.body;
};
const rule = (retakes: RetakeRule | null) => changeQuizBy(must, attempt.quiz.id, { retakes });
const THREE_BEST: RetakeRule = { attempts: 3, waitMinutes: 0, counts: 'best' };

beforeEach(async () => {
  n += 1;
  admin = await signInAdmin(app, `retakes${n}@example.org`);
  const made = await makeQuiz(app, admin, { duration: 25, questions: plainQuestions(8) });
  attempt = await beginAttempt(app, admin, made);
  await rule(THREE_BEST);
});

const me = async () => (await app.call('me', { as: attempt.candidate.cookie })).body;
const login = () => {
  const { email, code } = attempt.candidate;
  return app.call('login', { body: { email, password: code } });
};
const startAfter = (retakes: string | undefined, as = attempt.candidate.cookie) =>
  app.call('startParticipant', { as, body: retakes === undefined ? {} : { retakes } });
/** Answers so many questions right and submits. */
const end = async (right: number) => {
  for (let i = 0; i < right; i += 1) expect((await attempt.save(i, 1, 1)).status).toBe(200);
  expect((await attempt.submit()).status).toBe(200);
};
/** Signs in and begins the next attempt. */
const again = async () => {
  app.clock.advance({ seconds: 1 });
  await attempt.signIn();
  const begun = await startAfter((await me()).retake?.after);
  expect(begun.status).toBe(201);
  attempt.id = begun.body.id;
  return begun;
};
/** Attempts by number: how each was replaced, null where it counts. */
const marks = async () => {
  const { rows } = await app.pool.query(
    'select replaced_how, replaced_at from participants where quiz_id = $1 order by attempt',
    [attempt.quiz.id],
  );
  for (const row of rows) expect(row.replaced_how === null).toBe(row.replaced_at === null);
  return rows.map((row) => row.replaced_how);
};
const list = async () => must('listParticipants', { query: { quizId: attempt.quiz.id } });
const allWhole = async () => {
  for await (const rows of walkRows(app.context.db, RESULTS)) {
    for (const row of rows) expect(isWhole(app.context.keys.integrity, RESULTS, row)).toBe(true);
  }
};

describe('a rule for retakes', () => {
  it('lets someone who has ended sign in and begin again, with a fresh paper, as often as it says', async () => {
    const paperOf = async () =>
      (
        await app.pool.query(
          'select question_id, option_order from paper_questions where participant_id = $1 order by position',
          [attempt.id],
        )
      ).rows;
    const papers = [await paperOf()];
    await end(1);
    for (const [number, left] of [
      [2, 2],
      [3, 1],
    ]) {
      const first = attempt.id;
      const signedIn = await login();
      expect(signedIn).toMatchObject({
        status: 200,
        body: { retake: { after: first, number, left }, attempt: { status: 'completed' } },
      });
      expect((await again()).body).toMatchObject({ answeredCount: 0 });
      expect((await attempt.row()).attempt).toBe(number);
      papers.push(await paperOf());
      expect(await me()).not.toHaveProperty('retake');
      await end(1);
    }
    expect(new Set(papers.map((paper) => JSON.stringify(paper))).size).toBe(3);
    expect(await login()).toMatchObject({
      status: 403,
      body: {
        ...{ code: 'ALREADY_COMPLETED', message: 'You have already completed this test' },
        details: { ended: { retakes: { left: 0 } } },
      },
    });
    await allWhole();
  });

  it('says how many are left after the end to the session that has taken it, which begins none', async () => {
    await end(2);
    const { id } = attempt;
    const ended = await app.call('getEndedAttempt', {
      ...{ as: attempt.candidate.cookie, params: { id } },
    });
    expect(ended.body.retakes).toEqual({ left: 2 });
    expect(await me()).toMatchObject({ attempt: { id, status: 'completed' } });
    expect(await me()).not.toHaveProperty('retake');
    // A start that is sent again, late, begins nothing.
    for (const resumes of [undefined, id]) {
      const body = resumes ? { resumes } : {};
      const reply = await app.call('startParticipant', { as: attempt.candidate.cookie, body });
      expect(reply).toMatchObject({ status: 403, body: { code: 'ALREADY_COMPLETED' } });
    }
    expect(await startAfter(attempt.quiz.id)).toMatchObject({ status: 403 });
    expect(await marks()).toEqual([null]);
  });

  it('changes nothing without one', async () => {
    await rule(null);
    await end(2);
    expect(await login()).toMatchObject({
      status: 403,
      body: { message: 'You have already completed this test' },
    });
    expect((await login()).body.details.ended).not.toHaveProperty('retakes');
    expect(await startAfter(attempt.id)).toMatchObject({ status: 403 });
  });

  it('makes them wait between an end and the next start', async () => {
    await rule({ attempts: 2, waitMinutes: 90, counts: 'last' });
    await end(2);
    app.clock.advance({ minutes: 30 });
    const from = new Date(app.clock.now().getTime() + 60 * 60_000).toISOString();
    expect((await login()).body).toMatchObject({
      ...{ opensInMs: 60 * 60_000, quiz: { opensAt: from } },
      retake: { number: 2, left: 1 },
    });
    await attempt.signIn();
    expect(await startAfter(attempt.id)).toMatchObject({
      status: 403,
      body: { code: 'NOT_OPEN_YET' },
    });
    app.clock.advance({ minutes: 60 });
    expect(await me()).not.toHaveProperty('opensInMs');
    expect((await startAfter(attempt.id)).status).toBe(201);
  });

  it('has no attempt left that could begin only after the end date', async () => {
    const endDate = new Date(app.clock.now().getTime() + 60 * 60_000).toISOString();
    const retakes = { attempts: 2, waitMinutes: 90, counts: 'last' };
    await changeQuizBy(must, attempt.quiz.id, { endDate, retakes });
    await end(2);
    expect(await login()).toMatchObject({
      status: 403,
      body: { details: { ended: { retakes: { left: 0 } } } },
    });
  });

  it.each([
    ['best', [1, 3, 2], ['retake', null, 'retake']],
    ['best', [2, 2, 2], [null, 'retake', 'retake']],
    ['best', [1, 2, 3], ['retake', 'retake', null]],
    ['first', [1, 3, 2], [null, 'retake', 'retake']],
    ['last', [3, 2, 1], ['retake', 'retake', null]],
  ] as const)('%s of %j counts, in lists, figures and reports', async (counts, right, expected) => {
    await rule({ ...THREE_BEST, counts });
    await end(right[0]);
    const { totalParticipants } = await must('getStats', {});
    for (const score of right.slice(1)) {
      await again();
      // The one that runs is the one that is shown.
      expect(await list()).toMatchObject([{ id: attempt.id, status: 'in_progress' }]);
      await end(score);
    }
    expect(await marks()).toEqual(expected);
    const at = expected.indexOf(null);
    expect(await list()).toMatchObject([{ attempt: at + 1, score: right[at] }]);
    expect((await must('getStats', {})).totalParticipants).toBe(totalParticipants);
    const query = { quizId: attempt.quiz.id };
    const report = await app.call('exportParticipants', { as: admin, query });
    expect(report.text.split(attempt.candidate.email)).toHaveLength(2);
    const params = { id: attempt.quiz.id };
    expect((await must('getQuizResults', { params })).figures).toMatchObject({ ended: 1 });
    expect((await must('getQuizStatistics', { params })).test).toMatchObject({ n: 1 });
    await allWhole();
  });

  it('changes the marks round whatever ends an attempt: time, an administrator, a dismissal', async () => {
    await end(2);
    await again();
    await passTime(app, { minutes: 26 });
    expect(await marks()).toEqual([null, 'retake']);
    admin = await signInAdmin(app, `retakes-later${n}@example.org`);
    await again();
    await attempt.save(0, 1, 1);
    const params = { id: attempt.id };
    await must('endParticipant', { params, body: { reason: 'Fire alarm' } });
    await passTime(app, { seconds: 11 });
    expect(await marks()).toEqual([null, 'retake', 'retake']);
    await allWhole();
  });

  it('keeps the reply to a submit, its receipt and the feedback of one that does not count', async () => {
    await end(2);
    await again();
    const body = { answers: [] };
    const once = await attempt.submit(body);
    expect(once.status).toBe(200);
    expect(await marks()).toEqual([null, 'retake']);
    expect((await attempt.submit(body)).text).toBe(once.text);
    const feedback = { participantId: attempt.id, emoji: 'smile' };
    const as = attempt.candidate.cookie;
    expect((await app.call('giveFeedback', { as, body: feedback })).status).toBe(201);
    expect(await me()).toMatchObject({ attempt: { id: attempt.id } });
    const late = await attempt.save(0, 1, 1);
    expect(late).toMatchObject({ status: 403, body: { code: 'ATTEMPT_CLOSED' } });
  });

  it('counts no dismissed attempt as the best, and lets its candidate begin none', async () => {
    await end(1);
    await again();
    await attempt.save(0, 1, 1);
    await attempt.save(1, 1, 1);
    await app.pool.query(
      "update participants set close_reason = 'dismissed', close_at = $2 where id = $1",
      [attempt.id, app.clock.now()],
    );
    await passTime(app, { seconds: 1 });
    expect(await marks()).toEqual([null, 'retake']);
    expect((await login()).body.code).toBe('ALREADY_COMPLETED');
    // By the verdict that nothing was wrong, it stands.
    const verdict = { verdict: 'no_concern', note: '', before: null };
    await must('giveVerdict', { params: { id: attempt.id }, body: verdict });
    expect(await marks()).toEqual(['retake', null]);
    expect((await login()).body.code).toBe('ALREADY_COMPLETED');
    const reason = { how: 'another', reason: 'A mistake' };
    await must('replaceParticipant', { params: { id: attempt.id }, body: reason });
    expect(await marks()).toEqual([null, 'another']);
    await attempt.signIn();
    expect((await startAfter(undefined)).status).toBe(201);
    expect(await marks()).toEqual(['retake', 'another', null]);
    await allWhole();
  });

  it('lets another attempt count by a rescoring, and not by a dry run', async () => {
    await end(2);
    await again();
    // Wrong, until the key of a further question is corrected twice.
    for (const i of [2, 3]) await attempt.save(i, 0, 1);
    await attempt.submit();
    expect(await marks()).toEqual([null, 'retake']);
    const rescore = (i: number, dryRun: boolean) =>
      must('rescoreQuestion', {
        params: { id: attempt.quiz.id, questionId: attempt.quiz.questions[i]?.id ?? '' },
        body: { dryRun, correction: { kind: 'also_right', options: [`Q${i + 1} a`] } },
      });
    await rescore(2, false);
    await rescore(3, false);
    // The earlier of two equally good ones still counts.
    expect(await marks()).toEqual([null, 'retake']);
    await attempt.submit();
    const leaveOut = (dryRun: boolean) =>
      must('rescoreQuestion', {
        params: { id: attempt.quiz.id, questionId: attempt.quiz.questions[0]?.id ?? '' },
        body: { dryRun, correction: { kind: 'left_out' } },
      });
    await leaveOut(true);
    expect(await marks()).toEqual([null, 'retake']);
    await leaveOut(false);
    expect(await marks()).toEqual(['retake', null]);
    await allWhole();
  });

  it('adds attempts that an administrator allows, and counts none that was set aside', async () => {
    await rule({ attempts: 2, waitMinutes: 60, counts: 'best' });
    await end(3);
    app.clock.advance({ minutes: 61 });
    admin = await signInAdmin(app, `retakes-hour${n}@example.org`);
    const first = attempt.id;
    await again();
    await end(1);
    expect((await login()).body.code).toBe('ALREADY_COMPLETED');
    app.clock.advance({ seconds: 1 });
    const reason = { how: 'another', reason: 'Power cut' };
    await must('replaceParticipant', { params: { id: first }, body: reason });
    expect(await marks()).toEqual(['another', null]);
    // At once: the wait is between attempts by rule.
    expect((await me()).retake).toBeUndefined();
    await again();
    await end(2);
    expect(await marks()).toEqual(['another', 'retake', null]);
    expect((await login()).body.code).toBe('ALREADY_COMPLETED');
    const refused = await app.call('replaceParticipant', {
      ...{ as: admin, params: { id: first }, body: reason },
    });
    expect(refused.body.code).toBe('ALREADY_REPLACED');
  });

  it('reinstates only the latest attempt, and counts an earlier one in the meantime', async () => {
    await end(3);
    const first = attempt.id;
    await again();
    await attempt.save(0, 1, 1);
    await attempt.submit();
    const reinstate = (id: string) =>
      app.call('replaceParticipant', {
        ...{ as: admin, params: { id }, body: { how: 'reinstate', reason: 'Power cut' } },
      });
    expect((await reinstate(first)).body.code).toBe('ALREADY_REPLACED');
    expect((await reinstate(attempt.id)).status).toBe(200);
    expect(await marks()).toEqual([null, 'reinstate']);
    await attempt.signIn();
    expect(await me()).toMatchObject({ attempt: null, continuesMs: expect.any(Number) });
    const begun = await startAfter(undefined);
    expect(begun.body).toMatchObject({ answeredCount: 1 });
    expect(await marks()).toEqual(['retake', 'reinstate', null]);
    attempt.id = begun.body.id;
    await end(1);
    expect(await marks()).toEqual([null, 'reinstate', 'retake']);
  });

  it('begins one attempt however many starts arrive, in two processes', async () => {
    await end(1);
    const after = attempt.id;
    await attempt.signIn();
    const as = attempt.candidate.cookie;
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) => {
        const input = { as, body: { retakes: after } };
        return i % 2 === 0
          ? app.call('startParticipant', input)
          : call(other, 'startParticipant', input);
      }),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(replies.map(({ body }) => `${body.id} ${body.startedAt}`)).size).toBe(1);
    expect(await marks()).toEqual(['retake', null]);
  });

  it('ends an attempt once when the closing job and a start of the next one come together', async () => {
    for (let round = 0; round < 6; round += 1) {
      n += 1;
      admin = await signInAdmin(app, `retakes-race${n}@example.org`);
      attempt = await beginAttempt(app, admin, attempt.quiz);
      await end(1);
      await again();
      app.clock.advance({ minutes: 26 });
      const closing =
        round % 2 === 0 ? closeDueParticipants(app.context) : closeDueParticipants(other.context);
      const [begun] = await Promise.all([startAfter(attempt.id), closing]);
      expect(begun.status).toBe(201);
      const { rows } = await app.pool.query(
        `select p.status, p.replaced_how, count(e.*)::int as ends from participants p
         left join participant_events e on e.participant_id = p.id and e.kind = 'ended'
         where p.user_id = (select user_id from participants where id = $1) group by p.id order by p.attempt`,
        [attempt.id],
      );
      expect(rows).toEqual([
        { status: 'completed', replaced_how: 'retake', ends: 1 },
        { status: 'completed', replaced_how: 'retake', ends: 1 },
        { status: 'in_progress', replaced_how: null, ends: 0 },
      ]);
    }
  });

  it('has another number for a group, and for one person who has ended', async () => {
    await rule({ attempts: 1, waitMinutes: 0, counts: 'best' });
    await end(1);
    expect((await login()).body.code).toBe('ALREADY_COMPLETED');
    const [invitation] = await must('listInvitations', { params: { id: attempt.quiz.id } });
    await must('updateInvitation', {
      ...{ params: { id: invitation.id }, body: { ownTimes: { attempts: 2 }, reason: 'r' } },
    });
    expect((await login()).body).toMatchObject({
      ...{ quiz: { retakes: { attempts: 2 } }, retake: { number: 2, left: 1 } },
    });
    await again();
    const running = await app.call('updateInvitation', {
      as: admin,
      ...{ params: { id: invitation.id }, body: { ownTimes: { attempts: 3 }, reason: 'r' } },
    });
    expect(running.body.code).toBe('ALREADY_STARTED');
    await end(2);
    expect((await login()).body.code).toBe('ALREADY_COMPLETED');
  });

  it('sends those who have attempts left another password', async () => {
    await end(1);
    const [invitation] = await must('listInvitations', { params: { id: attempt.quiz.id } });
    const body = { ids: [invitation.id] };
    const params = { id: attempt.quiz.id };
    const sent = await must('resendInvitations', { params, body });
    expect(sent.invitations).toMatchObject([{ status: 'queued' }]);
    const [code = ''] = await newestCodes(app, [attempt.candidate.email]);
    attempt.candidate.code = code;
    await again();
    const reminded = await must('remindInvitations', { params, body });
    expect(reminded.invitations).toMatchObject([{ status: 'in_progress' }]);
  });

  it('keeps which attempt counts once someone has relied on it, and checks each field', async () => {
    const change = async (retakes: unknown) => {
      const now = await must('getQuiz', { params: { id: attempt.quiz.id } });
      return app.call('updateQuiz', {
        ...{ as: admin, params: { id: attempt.quiz.id }, body: { ...now, retakes } },
      });
    };
    await end(1);
    expect((await change({ ...THREE_BEST, counts: 'last' })).status).toBe(200);
    expect((await change(THREE_BEST)).status).toBe(200);
    await again();
    for (const retakes of [null, { ...THREE_BEST, counts: 'first' }]) {
      expect((await change(retakes)).body.code).toBe('TAKEN_AGAIN');
    }
    expect((await change({ ...THREE_BEST, attempts: 1, waitMinutes: 5 })).status).toBe(200);
    for (const [part, path] of [
      [{ attempts: 0 }, 'retakes.attempts'],
      [{ attempts: 11 }, 'retakes.attempts'],
      [{ waitMinutes: -1 }, 'retakes.waitMinutes'],
      [{ waitMinutes: 525_601 }, 'retakes.waitMinutes'],
      [{ counts: 'worst' }, 'retakes.counts'],
    ] as const) {
      const { status, body } = await change({ ...THREE_BEST, ...part });
      expect([status, body.issues[0].path]).toEqual([400, path]);
    }
  });

  it('shows the attempts of a person in the record, with the one that counts', async () => {
    await end(3);
    const first = attempt.id;
    await again();
    await end(1);
    const record = await attempt.record();
    expect(record.body).toMatchObject({
      earlierAttempts: [{ id: first, attempt: 1 }],
      retakes: { counts: 'best', counting: first },
    });
    const { body } = await app.call('getParticipantRecord', { as: admin, params: { id: first } });
    expect(body).toMatchObject({
      earlierAttempts: [],
      laterAttempts: [{ id: attempt.id, attempt: 2 }],
      retakes: { counting: first },
    });
    const kinds = body.events.map(({ kind }: { kind: string }) => kind);
    expect(kinds.slice(-2)).toEqual(['retaken', 'counts']);
  });

  it('releases only the result of the one that counts, and certificates follow it', async () => {
    const params = { id: attempt.quiz.id };
    await must('setResultRules', {
      params,
      body: {
        rules: { passMark: { percent: 20 }, sectionMarks: [], grades: [] },
        dryRun: false,
      },
    });
    const when = { kind: 'by_hand' };
    await must('setReleaseRules', {
      params,
      body: { rules: { parts: ['outcome', 'score', 'certificate'], when, openDays: 30 } },
    });
    const release = async (id: string) => {
      app.clock.advance({ seconds: 1 });
      const { released } = await must('releaseResults', { params, body: { ids: [id] } });
      await releaseResults(app.context, app.clock.now());
      return released;
    };
    const first = attempt.id;
    await end(2);
    expect(await release(first)).toBe(1);
    const opens = (is: boolean) =>
      app.pool.query('update invitation_codes set opens_results = $1', [is]);
    // A password of someone who may not see scores leads to the next attempt and to no result.
    await opens(false);
    await attempt.signIn();
    expect(await me()).toMatchObject({ retake: { number: 2 } });
    expect(await me()).not.toHaveProperty('hasResult');
    const kept = await app.call('getResult', {
      ...{ as: attempt.candidate.cookie, params: { id: first } },
    });
    expect(kept.body.code).toBe('NOT_RELEASED');
    await opens(true);
    await attempt.signIn();
    expect(await me()).toMatchObject({ hasResult: true, retake: { number: 2 } });
    const read = (id: string) =>
      app.call('getResult', { as: attempt.candidate.cookie, params: { id } });
    const { number } = (await read(first)).body.certificate;
    const stateOf = async (one: string) =>
      (await app.call('getCertificate', { params: { number: one } })).body.state;
    await again();
    // It stays valid while the candidate tries for more.
    expect(await stateOf(number)).toBe('valid');
    expect((await read(first)).body.code).toBe('NOT_RELEASED');
    await end(1);
    expect(await stateOf(number)).toBe('valid');
    const refused = await app.call('releaseResults', {
      ...{ as: admin, params, body: { ids: [attempt.id] } },
    });
    expect(refused.status).toBe(404);
    expect((await read(attempt.id)).body.code).toBe('NOT_RELEASED');
    await attempt.signIn();
    expect(await me()).toMatchObject({ hasResult: true, attempt: { id: first } });
    expect((await read(first)).body.score.points).toBe(2);
    // Another password opens the result that counts, once no attempt is left.
    await rule({ ...THREE_BEST, attempts: 2 });
    const [invitation] = await must('listInvitations', { params });
    const sent = await must('resendInvitations', { params, body: { ids: [invitation.id] } });
    expect(sent.invitations).toMatchObject([{ status: 'queued' }]);
    const [code = ''] = await newestCodes(app, [attempt.candidate.email]);
    attempt.candidate.code = code;
    expect((await login()).body).toMatchObject({ hasResult: true, attempt: { id: first } });
    await rule(THREE_BEST);
    await again();
    await end(4);
    expect(await stateOf(number)).toBe('under_correction');
    expect(await release(attempt.id)).toBe(1);
    expect(await stateOf(number)).toBe('replaced');
    const better = (await read(attempt.id)).body;
    expect(better.score.points).toBe(4);
    expect(await stateOf(better.certificate.number)).toBe('valid');
  });
});
