import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import {
  holdOf,
  LATE_PARTS,
  type ReleaseRules,
  takesBack,
} from '@invigil/core/domain/results/release';
import { momentText } from '@invigil/core/texts/moments';
import { call } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  inviteForCodes,
  mailServer,
  makeScoredQuiz,
  setUpAppWithAdmin,
  setUpOtherProcess,
  signInAdmin,
  sitScoredQuiz,
} from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../boot/app.ts';
import { listDueReleases } from '../../db/queries/attempts/releases.ts';
import { inTransaction } from '../../db/transaction.ts';
import { renderMail } from '../../deliveries/mails/mail.ts';
import { resultReleased } from '../../deliveries/mails/result-released.ts';
import { closeDueParticipants } from '../../jobs/close-due-participants.ts';
import { releaseResults } from '../../jobs/run-jobs.ts';
import { RELEASES } from '../../trust/row-kinds.ts';
import { changeSealed } from '../../trust/sealed-kinds.ts';
import { releaseDue } from '../attempts/release-results.ts';

const QUESTIONS = [
  { ...plainDefinition('One', ['a', 'b'], 'a'), explanation: 'Because of a.', points: 2 },
  {
    ...plainDefinition('Two', ['a', 'b'], 'b'),
    options: [
      { text: 'a', isCorrect: false, feedback: 'Not a.' },
      { text: 'b', isCorrect: true, feedback: 'It is b.' },
    ],
  },
  plainDefinition('Three', ['a', 'b'], 'a'),
  plainDefinition('Four', ['a', 'b'], 'a'),
  {
    ...plainDefinition('g', [], ''),
    ...{ type: 'numeric' as const, numeric: { accepted: [{ value: '9.8' }] } },
  },
];
const ALL: ReleaseRules['parts'] = [
  ...(['outcome', 'grade', 'score', 'sections', 'answers', 'key', 'explanations'] as const),
  'statistics',
];
const byHand = (change: Partial<ReleaseRules> = {}): ReleaseRules => ({
  ...{ parts: ALL, when: { kind: 'by_hand' }, openDays: 30 },
  ...change,
});

const NO_ID = '00000000-0000-0000-0000-000000000000';

describe('the release of results', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const other = setUpOtherProcess(app);
  let quizId: string;
  let questionIds: string[];
  let sat: BegunAttempt;

  let n = 0;
  beforeEach(async () => {
    // Days pass, and with them sessions.
    n += 1;
    app.admin = await signInAdmin(app, `releasing${n}@example.org`);
    const quiz = await makeScoredQuiz(app, app.admin, QUESTIONS);
    quizId = quiz.id;
    questionIds = quiz.questionIds;
    sat = await sitScoredQuiz(app, app.admin, quiz, ['a', 'a', 'a', '', '9,8']);
    await sat.submit();
  });

  const as = () => app.admin;
  const setRules = (rules: ReleaseRules | null) =>
    app.call('setReleaseRules', { as: as(), params: { id: quizId }, body: { rules } });
  const release = (ids?: string[]) =>
    app.call('releaseResults', {
      as: as(),
      params: { id: quizId },
      body: ids === undefined ? {} : { ids },
    });
  const releases = async () =>
    (await app.call('getReleases', { as: as(), params: { id: quizId } })).body;
  const signIn = (on: App = app) =>
    call(on, 'login', { body: { email: sat.candidate.email, password: sat.candidate.code } });
  const read = (cookie = sat.candidate.cookie) =>
    app.call('getResult', { as: cookie, params: { id: sat.id } });
  const rescore = (correction: object) =>
    app.call('rescoreBankQuestion', {
      as: as(),
      params: { id: questionIds[0] ?? '' },
      body: { dryRun: false, correction },
    });
  const mails = async () =>
    (
      await app.pool.query(
        `select * from outbox where recipient = $1 and kind = 'result_released' order by id`,
        [sat.candidate.email],
      )
    ).rows.map((row) => ({
      variables: row.variables,
      ...renderMail(resultReleased, row.variables, undefined),
    }));
  const revoke = async () => {
    const { rows } = await app.pool.query(
      'select invitation_id as id from participants where id = $1',
      [sat.id],
    );
    const body = { ids: [rows[0].id] };
    await app.call('revokeInvitations', { as: as(), params: { id: quizId }, body });
  };
  const verdict = (given: string) =>
    app.call('giveVerdict', {
      as: as(),
      params: { id: sat.id },
      body: { verdict: given, note: 'seen' },
    });

  it('shows nothing before, and afterwards exactly its parts, with a mail', async () => {
    expect(await read()).toMatchObject({ status: 409, body: { code: 'NOT_RELEASED' } });
    const refused = await signIn();
    expect(refused).toMatchObject({ status: 403, body: { code: 'ALREADY_COMPLETED' } });
    expect(refused.body.details.ended).not.toHaveProperty('result');
    expect((await release()).body.code).toBe('RULES_UNMET');

    expect(await setRules(byHand({ parts: ['score', 'key'] }))).toMatchObject({
      status: 400,
      body: {
        issues: [{ path: 'rules.parts', message: expect.stringContaining('their own answers') }],
      },
    });
    await setRules(byHand({ parts: ['score'] }));
    expect((await signIn()).body.details.ended.result).toEqual({ state: 'later' });
    expect(await releases()).toMatchObject({ released: 0, held: { by_hand: 1 } });
    expect((await release()).body).toMatchObject({ released: 1, releases: { released: 1 } });
    expect((await release()).body.released).toBe(0);
    const { body } = await read();
    expect(body).toEqual({
      participantId: sat.id,
      title: expect.any(String),
      ...{ submittedAt: expect.any(String), releasedAt: expect.any(String) },
      ...{ until: expect.any(String), isChanging: false },
      score: { points: 4, maxPoints: 6, percent: 66.67 },
    });
    expect(Date.parse(body.until) - Date.parse(body.releasedAt)).toBe(30 * 86_400_000);
    const [mail] = await mails();
    expect(mail?.subject).toMatch(/^Your result: /);
    expect(JSON.stringify([mail?.variables, mail?.text])).not.toMatch(/66|passed|failed|Dear/i);
  });

  it('replaces no rules that someone else has set since', async () => {
    const replace = (before: ReleaseRules | null, openDays: number) =>
      app.call('setReleaseRules', {
        ...{ as: as(), params: { id: quizId } },
        body: { rules: byHand({ openDays }), before },
      });
    expect((await replace(null, 30)).status).toBe(200);
    expect((await replace(null, 5)).body.code).toBe('STALE');
    expect((await replace(byHand(), 6)).body.rules).toEqual(byHand({ openDays: 6 }));
  });

  it('is mailed with the name of the candidate, where it is known', async () => {
    await app.pool.query(
      `update users set given_name = 'Ada', family_name = 'King' where email = $1`,
      [sat.candidate.email],
    );
    await setRules(byHand());
    await release();
    const [mail] = await mails();
    expect(mail?.text).toMatch(/^Dear Ada King,\n\nYour result of the assessment /);
  });

  it('has answers, key and explanations of the own paper, and the figures of a group that is large enough', async () => {
    await setRules(byHand());
    await release();
    const { questions, ...rest } = (await read()).body;
    expect(rest).not.toHaveProperty('statistics');
    const of = (text: string) =>
      questions.find(({ question }: { question: string }) => question === text);
    expect(of('One')).toMatchObject({
      ...{ isCorrect: true, points: 2, maxPoints: 2, explanation: 'Because of a.' },
    });
    expect(of('Two')).toMatchObject({ isCorrect: false });
    expect(
      of('Two').options.toSorted((x: { text: string }, y: { text: string }) =>
        x.text < y.text ? -1 : 1,
      ),
    ).toEqual([
      { text: 'a', isSelected: true, isCorrect: false, feedback: 'Not a.' },
      { text: 'b', isSelected: false, isCorrect: true },
    ]);
    expect(of('g')).toMatchObject({
      options: [],
      typed: '9,8',
      accepted: ['9.8'],
      isCorrect: true,
    });
    await setRules(byHand({ parts: ['answers'] }));
    const plain = JSON.stringify((await read()).body);
    expect(plain).not.toMatch(/isCorrect|accepted|explanation|feedback|points|percent/);
  });

  it('is read by who signs in again with the same code, until it ends, and by no one else', async () => {
    await setRules(byHand({ openDays: 2 }));
    await release();
    const again = await signIn();
    expect(again).toMatchObject({ status: 200, body: { role: 'participant', hasResult: true } });
    expect((await read(again.cookie)).status).toBe(200);
    // It opens nothing else: no start, no paper, no answers.
    for (const name of ['startParticipant', 'saveAnswers', 'listQuestions'] as const) {
      const params = { id: name === 'listQuestions' ? quizId : sat.id };
      const body = name === 'saveAnswers' ? { answers: [] } : {};
      const query = { forAssessment: 'true' };
      const reply = await app.call(name, {
        as: again.cookie,
        ...(name === 'startParticipant' ? {} : { params }),
        ...(name === 'listQuestions' ? { query } : { body }),
      });
      expect([name, reply.status >= 400]).toEqual([name, true]);
    }
    const quiz = { id: quizId, questionIds };
    const second = await sitScoredQuiz(app, app.admin, quiz, ['b']);
    expect((await read(second.candidate.cookie)).status).toBe(404);
    const until = app.clock.now().getTime() + 2 * 86_400_000;
    app.clock.advance({ minutes: 2 * 24 * 60, ms: 1 });
    const closed = (await signIn()).body;
    expect(closed.code).toBe('ALREADY_COMPLETED');
    const at = new Date(until).toISOString();
    expect(closed.details.ended.result).toEqual({ state: 'closed', at });
    app.admin = await signInAdmin(app, `later${n}@example.org`);
    await setRules(byHand({ openDays: 30 }));
    expect((await signIn()).status).toBe(200);
    await setRules(null);
    expect((await signIn()).body.code).toBe('ALREADY_COMPLETED');
  });

  describe('with right answers that wait for the end', () => {
    const held = byHand({ keyAfterEnd: true });
    const quizBody = (change: object) => ({
      params: { id: quizId },
      as: as(),
      body: { ...quizFields, ...change },
    });
    let quizFields: object;
    beforeEach(async () => {
      const { body } = await app.call('getQuiz', { as: as(), params: { id: quizId } });
      const { title, categoryId, duration, totalQuestions } = body;
      quizFields = { title, categoryId, duration, totalQuestions };
    });
    const update = async (change: object) =>
      expect((await app.call('updateQuiz', quizBody(change))).status).toBe(200);
    const inHours = (hours: number) =>
      new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString();
    const tellsKey = (body: object) =>
      /isCorrect|accepted|Because of a|Not a\./.test(JSON.stringify(body));
    const exported = async () => {
      const params = { id: sat.candidate.userId };
      return (await app.call('exportPerson', { as: as(), params })).text;
    };

    it.each([
      ['by hand', { kind: 'by_hand' }],
      ['at once', { kind: 'at_once' }],
      ['when reviewed', { kind: 'reviewed' }],
    ] as const)(
      'shows them to no one while someone can start or is under way: released %s',
      async (_, when) => {
        const settings = mailServer(1, { fromEmail: 'a@example.org' });
        await app.call('putSmtpSettings', { as: as(), body: settings });
        const endDate = inHours(1);
        await update({ endDate });
        await setRules({ ...held, when });
        const late = await sitScoredQuiz(app, app.admin, { id: quizId, questionIds }, ['a']);
        if (when.kind === 'by_hand') await release();
        else await releaseResults(app.context, app.clock.now());
        const open = (await read()).body;
        expect(open).toMatchObject({
          score: { points: 4 },
          waiting: { parts: ['answers', 'key', 'explanations'], until: endDate },
        });
        // Own answers would tell the questions and, beside full points, what is right.
        expect(open).not.toHaveProperty('questions');
        expect(tellsKey(open)).toBe(false);
        // Nor in the preview, in the export of the person, or in the email, which says that they follow.
        expect(tellsKey((await read(as())).body)).toBe(false);
        expect(await exported()).not.toMatch(/correctAnswer|isCorrect|Because of a/);
        const [mail] = await mails();
        expect(mail?.text).toContain('once no one can take the assessment any more');
        expect(Date.parse(open.until)).toBe(Date.parse(endDate) + 30 * 86_400_000);
        const { timeZone } = await releases();
        expect(mail?.text).toContain(momentText(open.until, timeZone));

        // Past the end date someone is still under way, with extra time.
        const extend = { params: { id: late.id }, body: { minutes: 120, reason: 'Power cut' } };
        expect((await app.call('extendParticipant', { as: as(), ...extend })).status).toBe(200);
        app.clock.advance({ minutes: 61 });
        app.admin = await signInAdmin(app, `after${n}${when.kind}@example.org`);
        const cookie = (await signIn()).cookie;
        const after = (await read(cookie)).body;
        expect(after.waiting).toEqual({ parts: ['answers', 'key', 'explanations'], until: null });
        expect(tellsKey(after)).toBe(false);
        expect(
          (
            await app.call('endParticipant', {
              as: as(),
              params: { id: late.id },
              body: { reason: 'Over' },
            })
          ).status,
        ).toBe(200);
        app.clock.advance({ seconds: 11 });
        await closeDueParticipants(app.context);
        const over = (await read(cookie)).body;
        expect(over).not.toHaveProperty('waiting');
        expect(tellsKey(over)).toBe(true);
        expect(await exported()).toMatch(/correctAnswer/);

        // Moved back, it can be started again.
        await update({ endDate: inHours(2) });
        expect(tellsKey((await read(cookie)).body)).toBe(false);
      },
    );

    it('shows them once it is deactivated, where it has no end date', async () => {
      await setRules(held);
      await release();
      expect((await read()).body.waiting).toEqual({
        parts: LATE_PARTS.filter((part) => held.parts.some((one) => one === part)),
        until: null,
      });
      await update({ isActive: false });
      expect(tellsKey((await read()).body)).toBe(true);
      await update({ isActive: true });
      expect(tellsKey((await read()).body)).toBe(false);
    });

    it('counts who could learn them, who has them, and what is to review', async () => {
      const params = { id: quizId };
      const reply = async () => (await app.call('countKeyReaders', { as: as(), params })).body;
      const readers = async () => (await reply()).people;
      const quiz = { id: quizId, questionIds };
      await sitScoredQuiz(app, app.admin, quiz, ['a']);
      await inviteForCodes(app, app.admin, quizId, [`not-yet${n}@example.org`]);
      await app.pool.query('update participants set review_flags = 1 where id = $1', [sat.id]);
      await setRules(held);
      const open = { canStart: 1, running: 1, until: null };
      expect(await releases()).toMatchObject({ open, toReview: 1, seen: 0 });
      await release();
      expect(await releases()).toMatchObject({ open, toReview: 0, seen: 0 });
      await read();
      expect(await releases()).toMatchObject({ seen: 1 });
      expect(await readers()).toBe(0);
      // With the result: everyone who has one can read them, and who has read them stays known.
      await setRules(byHand());
      expect(await readers()).toBe(1);
      await setRules(byHand({ parts: ['score'] }));
      expect(await readers()).toBe(0);
      await setRules(byHand());
      await read();
      await setRules(null);
      expect(await readers()).toBe(1);
      // Who is about to invite more people reads the same.
      expect((await app.call('checkInviting', { as: as(), params })).body.keyReaders).toBe(1);
      expect((await sat.record()).body.releases).toMatchObject([
        {
          seenAt: expect.any(String),
          keySeenAt: expect.any(String),
          takenBackAt: expect.any(String),
        },
      ]);
      await update({ isActive: false });
      expect((await releases()).open).toEqual({ canStart: 0, running: 1, until: null });
      // Whoever is about to open it again reads who could start then.
      expect(await reply()).toEqual({ people: 1, notStarted: 1, running: 1 });
    });
  });

  it('names other assessments that can still be started with its questions', async () => {
    const elsewhere = async (reader = as()) =>
      (await app.call('listElsewhere', { as: reader, params: { id: quizId } })).body;
    const none = { named: [], others: 0 };
    const second = await makeScoredQuiz(app, app.admin, QUESTIONS);
    const items = [...questionIds.slice(0, 2), ...second.questionIds.slice(2)];
    await app.call('setStructure', {
      as: as(),
      params: { id: second.id },
      body: {
        structure: {
          sections: [
            { title: 'All', isShuffled: false, items: items.map((questionId) => ({ questionId })) },
          ],
        },
        negativeMarks: null,
      },
    });
    await setRules(byHand({ parts: ['score', 'answers'] }));
    expect(await elsewhere()).toEqual(none);
    await setRules(byHand());
    const named = [{ quizId: second.id, title: expect.any(String), questions: 2 }];
    expect(await elsewhere()).toEqual({ named, others: 0 });
    const analyst = await signInAdmin(app, `analyst${n}@example.org`);
    const { id } = (await app.call('me', { as: analyst })).body.user;
    const grants = [{ role: 'analyst', quizId }];
    await app.call('setGrants', { as: as(), params: { id }, body: { grants } });
    expect(await elsewhere(analyst)).toEqual({ named: [], others: 1 });
    await app.pool.query('update quizzes set end_date = $2 where id = $1', [
      second.id,
      new Date(app.clock.now().getTime() - 1_000),
    ]);
    expect(await elsewhere()).toEqual(none);
  });

  describe('that is taken back', () => {
    const tomorrow = () => ({
      ...byHand(),
      when: {
        kind: 'at' as const,
        at: new Date(app.clock.now().getTime() + 86_400_000).toISOString(),
      },
    });
    const isShown = async () => {
      const signedIn = await signIn();
      const given = await read(signedIn.cookie ?? sat.candidate.cookie);
      expect(signedIn.status).toBe(given.status === 200 ? 200 : 403);
      return given.status === 200;
    };

    it('is held again until it is released by hand again, with another email', async () => {
      await setRules(byHand());
      await release();
      expect(await isShown()).toBe(true);
      await setRules(null);
      expect(await isShown()).toBe(false);
      await setRules(byHand());
      expect(await isShown()).toBe(false);
      expect(await releases()).toMatchObject({ released: 0, held: { by_hand: 1 } });
      expect((await release()).body.released).toBe(1);
      expect(await isShown()).toBe(true);
      expect((await mails()).map(({ subject }) => subject.split(':')[0])).toEqual([
        ...['Your result', 'Your result'],
      ]);
    });

    it('is held until a later time, which releases it by itself', async () => {
      const settings = mailServer(1, { fromEmail: 'a@example.org' });
      await app.call('putSmtpSettings', { as: as(), body: settings });
      await setRules(byHand());
      await release();
      const later = tomorrow();
      await setRules(later);
      expect(await isShown()).toBe(false);
      // Named by hand it is there before; other parts, or an earlier time, do not take it back.
      await release([sat.id]);
      await setRules({ ...later, openDays: 5 });
      expect(await isShown()).toBe(true);
      await setRules(null);
      await setRules(later);
      await releaseResults(app.context, app.clock.now());
      expect(await isShown()).toBe(false);
      app.clock.advance({ minutes: 24 * 60 });
      await releaseResults(app.context, app.clock.now());
      expect((await signIn()).status).toBe(200);
      expect(await mails()).toHaveLength(3);
    });

    it('stays with its reader where rules only add or remove parts, or release the rest', async () => {
      await setRules(byHand());
      await release();
      for (const change of [
        { parts: ['score'] },
        { openDays: 3 },
        { when: { kind: 'at_once' } },
        { when: { kind: 'reviewed' } },
        { when: { kind: 'by_hand' } },
      ] as Partial<ReleaseRules>[]) {
        await setRules(byHand(change));
        expect([change, await isShown()]).toEqual([change, true]);
      }
      expect(await mails()).toHaveLength(1);
    });

    it('has no certificate meanwhile', async () => {
      const rules = { passMark: { percent: 10 }, sectionMarks: [], grades: [] };
      const params = { id: quizId };
      await app.call('setResultRules', { as: as(), params, body: { rules, dryRun: false } });
      const certified = byHand({ parts: [...ALL, 'certificate'] });
      await setRules(certified);
      await release();
      const { number } = (await read()).body.certificate;
      const state = async () =>
        (await app.call('getCertificate', { params: { number } })).body.state;
      expect(await state()).toBe('valid');
      await setRules(null);
      expect(await state()).toBe('under_correction');
      await setRules(certified);
      expect(await state()).toBe('under_correction');
      await release();
      expect([await state(), (await read()).body.certificate.number]).toEqual(['valid', number]);
    });

    it('is not there by a release that was made while it was taken back', async () => {
      await setRules(byHand());
      // The assessment is held as by a change of its rules that has not committed yet.
      const held = await app.pool.connect();
      await held.query('begin');
      await held.query('select from quizzes where id = $1 for update', [quizId]);
      const releasing = release();
      await expect
        .poll(
          async () =>
            (await app.pool.query(`select from pg_stat_activity where wait_event_type = 'Lock'`))
              .rowCount,
        )
        .toBeGreaterThan(0);
      const again = setRules(null);
      await held.query('rollback');
      held.release();
      await Promise.all([releasing, again]);
      await setRules(byHand());
      expect(await isShown()).toBe(false);
    });
  });

  it('counts once it is stored, also for a process whose clock is behind', async () => {
    await setRules(byHand());
    await release();
    const ahead = new Date(app.clock.now().getTime() + 60_000);
    const { db, keys } = app.context;
    const { rows } = await app.pool.query(
      'select id from result_releases where participant_id = $1',
      [sat.id],
    );
    const move = (at: Date) =>
      inTransaction(db, (tx) =>
        changeSealed(tx, keys.integrity, RELEASES, [rows[0].id], () =>
          tx.execute(
            sql`update result_releases set released_at = ${at.toISOString()} where id = ${rows[0].id}`,
          ),
        ),
      );
    await move(ahead);
    expect((await read()).status).toBe(200);
    // A second release follows the first one, by whichever clock.
    await rescore({ kind: 'left_out' });
    await release();
    expect((await read()).body.score).toMatchObject({ percent: 50 });
  });

  it.each([
    [['answers', 'key'], false],
    [['answers', 'key', 'explanations', 'sections'], false],
    [['answers', 'key', 'score'], true],
    [['answers', 'score'], false],
  ] as const)('with %j says what each question earned: %s', async (parts, hasPoints) => {
    await setRules(byHand({ parts: [...parts] }));
    await release();
    const { body } = await read();
    const has = body.questions.map(
      (question: object) => 'points' in question || 'maxPoints' in question,
    );
    expect(new Set(has)).toEqual(new Set([hasPoints]));
    expect('isCorrect' in body.questions[0]).toBe(parts.some((part) => part === 'key'));
  });

  it('holds what is open about a breach, unless it is named, and goes by the verdict', async () => {
    await setRules(byHand());
    await verdict('breach');
    expect(await releases()).toMatchObject({ held: { breach: 1 } });
    expect((await release()).body.released).toBe(0);
    expect((await release([sat.id])).body.released).toBe(1);
    expect(await releases()).toMatchObject({ released: 1, changed: 0, held: {} });
    await verdict('no_concern');
    expect((await release([quizId])).status).toBe(404);
    // Whose code is revoked reads nothing any more.
    expect((await signIn()).status).toBe(200);
    await revoke();
    expect((await signIn()).body.code).toBe('CODE_WITHDRAWN');
  });

  it('is read no more, by a session that was opened for it, once the invitation is revoked', async () => {
    await setRules(byHand());
    await release();
    app.clock.advance({ ms: 1 });
    const cookie = (await signIn()).cookie ?? '';
    expect((await read(cookie)).status).toBe(200);
    const params = { id: quizId };
    const [{ id }] = (await app.call('listInvitations', { as: as(), params })).body;
    const revoke = { as: as(), params, body: { ids: [id] } };
    expect((await app.call('revokeInvitations', revoke)).status).toBe(200);
    expect((await read(cookie)).status).toBe(401);
    // Nor by the session of an attempt that was going on then, and has ended since.
    await app.pool.query(
      `update sessions set ended_at = null, end_reason = null where id =
         (select id from sessions where invitation_id = $1 order by created_at desc, id desc limit 1)`,
      [id],
    );
    expect((await read(cookie)).body.code).toBe('NOT_RELEASED');
    expect((await signIn()).status).toBe(401);
  });

  it('holds the result of someone whose invitation was revoked, and mails nothing', async () => {
    const settings = mailServer(1, { fromEmail: 'a@example.org' });
    await app.call('putSmtpSettings', { as: as(), body: settings });
    await setRules(byHand());
    await revoke();
    expect(await releases()).toMatchObject({ released: 0, held: { revoked: 1 } });
    expect((await release()).body.released).toBe(0);
    expect((await release([sat.id])).body.released).toBe(0);
    await setRules(byHand({ when: { kind: 'at_once' } }));
    const due = await listDueReleases(app.context.db, app.clock.now(), NO_ID, 1_000);
    expect(due.map(({ id }) => id)).not.toContain(sat.id);
    expect((await read()).body.code).toBe('NOT_RELEASED');
    expect(await mails()).toEqual([]);
  });

  it('is again, with another mail, after a correction: until then the first one is shown', async () => {
    await setRules(byHand());
    await release();
    await rescore({ kind: 'left_out' });
    const who = { participantId: sat.id, userEmail: sat.candidate.email };
    expect(await releases()).toMatchObject({ released: 1, changed: 1, changes: [who] });
    const before = (await read()).body;
    expect(before).toMatchObject({ isChanging: true, score: { points: 4, maxPoints: 6 } });
    expect(before).not.toHaveProperty('questions');
    // It was opened, without right answers.
    const [opened] = (await sat.record()).body.releases;
    expect(opened).toMatchObject({ seenAt: expect.any(String) });
    expect(opened).not.toHaveProperty('keySeenAt');
    expect((await release()).body).toMatchObject({ released: 1, releases: { changed: 0 } });
    expect((await read()).body).toMatchObject({
      ...{ isChanging: false, score: { points: 2, maxPoints: 4, percent: 50 } },
    });
    expect((await mails()).map(({ subject }) => subject.split(':')[0])).toEqual([
      ...['Your result', 'Your corrected result'],
    ]);
    expect((await sat.record()).body.releases).toMatchObject([
      { percent: 66.67, by: expect.any(String) },
      { percent: 50 },
    ]);
  });

  it('is announced for its time by the rule alone, which tells no verdict', async () => {
    const at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
    await setRules(byHand({ when: { kind: 'at', at } }));
    const announced = async () => (await signIn()).body.details.ended.result;
    expect(await announced()).toEqual({ state: 'at', at });
    for (const given of ['breach', 'talk', 'no_concern'] as const) {
      await verdict(given);
      expect(await announced()).toEqual({ state: 'at', at });
    }
  });

  it('says in each mail until when, also where assessments share a title', async () => {
    const settings = mailServer(1, { fromEmail: 'a@example.org' });
    await app.call('putSmtpSettings', { as: as(), body: settings });
    const at = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const all: [BegunAttempt, number][] = [];
    for (const openDays of [2, 30]) {
      const quiz = await makeScoredQuiz(app, app.admin, QUESTIONS);
      quizId = quiz.id;
      const attempt = await sitScoredQuiz(app, app.admin, quiz, ['a']);
      await attempt.submit();
      await setRules(byHand({ when: { kind: 'at', at }, openDays }));
      all.push([attempt, openDays]);
    }
    app.clock.advance({ minutes: 2 });
    const now = app.clock.now();
    const ids = all.map(([{ id }]) => id);
    await releaseDue(app.context, ids, now);
    const { timeZone } = await releases();
    for (const [attempt, openDays] of all) {
      sat = attempt;
      const { until } = (await read()).body;
      expect(Date.parse(until)).toBe(now.getTime() + openDays * 86_400_000);
      const [mail] = await mails();
      expect(mail?.text).toContain(`It opens your result until ${momentText(until, timeZone)}.`);
    }
  });

  it('is previewed by who may release, as the candidate would see it', async () => {
    await setRules(byHand({ parts: ['score', 'grade'] }));
    const preview = await read(as());
    expect(preview.body).toMatchObject({ score: { points: 4, percent: 66.67 } });
    expect(preview.body).not.toHaveProperty('questions');
    expect((await read()).status).toBe(409);
  });

  it('shows nothing before and everything after, in any order of times, verdicts, corrections and processes', async () => {
    const settings = mailServer(1, { fromEmail: 'a@example.org' });
    await app.call('putSmtpSettings', { as: as(), body: settings });
    const step = fc.oneof(
      fc.record({
        do: fc.constant('rules' as const),
        kind: fc.constantFrom('by_hand', 'at_once', 'at', 'reviewed', 'none'),
      }),
      fc.record({ do: fc.constant('time' as const), minutes: fc.constantFrom(1, 30, 61) }),
      fc.record({
        do: fc.constant('verdict' as const),
        verdict: fc.constantFrom('breach', 'no_concern'),
      }),
      fc.record({ do: fc.constant('release' as const) }),
      fc.record({
        do: fc.constant('rescore' as const),
        kind: fc.constantFrom('full_points', 'key'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        n += 1;
        app.admin = await signInAdmin(app, `releasing${n}@example.org`);
        const quiz = { id: quizId, questionIds };
        sat = await sitScoredQuiz(app, app.admin, quiz, ['a']);
        await sat.submit();
        let rules: ReleaseRules | null = null;
        let given: 'breach' | 'no_concern' | null = null;
        let isReleased = false;
        await setRules(null);
        for (const one of steps) {
          const now = app.clock.now();
          if (one.do === 'rules') {
            const before: ReleaseRules | null = rules;
            const at = new Date(now.getTime() + 60 * 60_000).toISOString();
            const when = one.kind === 'at' ? { kind: 'at' as const, at } : { kind: one.kind };
            rules = one.kind === 'none' ? null : byHand({ when: when as ReleaseRules['when'] });
            if (takesBack(before, rules, now)) isReleased = false;
            await setRules(rules);
          } else if (one.do === 'time') {
            app.clock.advance({ minutes: one.minutes });
            n += 1;
            app.admin = await signInAdmin(app, `releasing${n}@example.org`);
          } else if (one.do === 'verdict') {
            given = one.verdict as 'breach';
            await verdict(given);
          } else if (one.do === 'release') {
            await release();
            isReleased ||= rules !== null && given !== 'breach';
          } else await rescore({ kind: one.kind });
          const attempt = {
            status: 'completed' as const,
            verdict: given,
            toReview: false,
            isRevoked: false,
          };
          const isDue = rules !== null && holdOf(rules, attempt, app.clock.now(), true) === null;
          // The rule releases it at the moment at which someone looks, on whichever process; the job stores it.
          isReleased ||= isDue;
          const expected = isReleased && rules !== null;
          const [here, there] = await Promise.all([signIn(), signIn(other)]);
          await releaseResults(app.context, app.clock.now());
          expect([one, here.status, there.status]).toEqual([
            ...[one, ...(expected ? [200, 200] : [403, 403])],
          ]);
        }
      }),
      { numRuns: inForm({ short: 12, long: 80 }) },
    );
  });
});
