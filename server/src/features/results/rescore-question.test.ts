import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  passTime,
  plainQuestions,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { beforeEach, describe, expect, it } from 'vitest';

describe('a corrected key', () => {
  const app = setUpApp();
  let admin: string;
  let quiz: MadeQuiz;
  let question: MadeQuiz['questions'][number];
  let n = 0;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    quiz = await makeQuiz(app, admin, { duration: 25 });
    const [first] = quiz.questions;
    if (!first) throw new Error('no question was made');
    question = first;
  });

  const params = () => ({ id: quiz.id, questionId: question.id });
  const rescore = (body: unknown) =>
    app.call('rescoreQuestion', { as: admin, params: params(), body });
  const edit = async (change: object) => {
    const body = { ...question, ...change };
    const reply = await app.call('updateQuestion', { as: admin, params: params(), body });
    expect(reply.status).toBe(200);
  };
  /** Someone who selected the `option`-th option of the question and got one other question right. */
  const ended = async (option: number) => {
    const attempt = await beginAttempt(app, admin, quiz);
    await attempt.save(0, option, 1);
    await attempt.save(1, 1, 1);
    await attempt.submit();
    return attempt;
  };
  const scoreOf = async (attempt: BegunAttempt) => (await attempt.row()).score;
  const scoresOf = (attempts: BegunAttempt[]) => Promise.all(attempts.map(scoreOf));
  /** The question as the record of an attempt shows it. */
  const shownIn = async (attempt: BegunAttempt) =>
    (await attempt.record()).body.questions.find(
      (q: { questionId: string }) => q.questionId === question.id,
    );
  const name = ({ candidate }: BegunAttempt) =>
    app.pool.query(`update users set given_name = 'Ada', family_name = 'King' where email = $1`, [
      candidate.email,
    ]);
  const audited = async () =>
    (
      await app.pool.query(
        "select details from audit_entries where action = 'question.rescored' and subject_id = $1 order by id",
        [question.id],
      )
    ).rows.map((row) => row.details);

  it('is refused for unknown ids and without a dry-run choice', async () => {
    expect(await rescore({})).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'dryRun' }] },
    });
    expect((await rescore({ dryRun: 'yes' })).status).toBe(400);
    expect((await rescore({ dryRun: true, reason: 'x'.repeat(501) })).status).toBe(400);
    const other = await makeQuiz(app, admin);
    const foreign = { id: other.id, questionId: question.id };
    const body = { dryRun: true };
    expect((await app.call('rescoreQuestion', { as: admin, params: foreign, body })).status).toBe(
      404,
    );
  });

  it('is refused to an owner of one assessment while another one uses the question', async () => {
    const as = await signInAdmin(app, `owner${n}@example.org`);
    const { id } = (await app.call('me', { as })).body.user;
    const grants = [{ role: 'owner', quizId: quiz.id }];
    await app.call('setGrants', { as: admin, params: { id }, body: { grants } });
    const tryIt = async (dryRun: boolean) =>
      (await app.call('rescoreQuestion', { as, params: params(), body: { dryRun } })).status;
    expect(await tryIt(false)).toBe(200);
    const other = await makeQuiz(app, admin);
    const items = [...other.questions.slice(1), question].map((one) => ({ questionId: one.id }));
    const structure = { sections: [{ title: 'All', isShuffled: false, items }] };
    const set = { as: admin, params: { id: other.id }, body: { structure, negativeMarks: null } };
    expect((await app.call('setStructure', set)).status).toBe(200);
    expect(await tryIt(true)).toBe(403);
    // Also where only a paper still has it.
    await (await beginAttempt(app, admin, other)).submit();
    await app.call('setStructure', { ...set, body: { structure: null, negativeMarks: null } });
    expect(await tryIt(true)).toBe(403);
    expect((await rescore({ dryRun: true })).body).toMatchObject({ participants: 1 });
  });

  it('corrects a question that papers drew from the bank', async () => {
    const definition = plainDefinition('Of the bank', ['a', 'b', 'c'], 'a');
    const { body: added } = await app.call('addToBank', { as: admin, body: { definition } });
    const items = [...quiz.questions.slice(0, 4), added].map(({ id }) => ({ questionId: id }));
    const structure = { sections: [{ title: 'All', isShuffled: false, items }] };
    const set = { as: admin, params: { id: quiz.id }, body: { structure, negativeMarks: null } };
    expect((await app.call('setStructure', set)).status).toBe(200);
    const attempt = await beginAttempt(app, admin, quiz);
    await attempt.submit();
    const params = { id: added.id };
    const body = { definition: plainDefinition('Of the bank', ['a', 'b', 'c'], 'c') };
    await app.call('changeBankQuestion', { as: admin, params, body });
    const call = { as: admin, params, body: { dryRun: false } };
    expect((await app.call('rescoreBankQuestion', call)).body).toMatchObject({
      participants: 1,
      unchanged: 0,
      applied: true,
    });
    const unknown = { ...call, params: { id: attempt.id } };
    expect((await app.call('rescoreBankQuestion', unknown)).status).toBe(404);
  });

  it('changes no score without a rescore, and none in a dry run, which lists who would change', async () => {
    const [wrong, right] = [await ended(1), await ended(2)];
    await name(wrong);
    await edit({ correctAnswer: question.options[2] });
    expect(await scoresOf([wrong, right])).toEqual([2, 1]);
    const reply = await rescore({ dryRun: true });
    expect(reply.body).toMatchObject({ participants: 2, unchanged: 0, applied: false });
    const change = (of: BegunAttempt, before: number, after: number) => ({
      participantId: of.id,
      userEmail: of.candidate.email,
      before,
      after,
      totalMarks: 5,
    });
    expect(reply.body.changes).toHaveLength(2);
    const named = { ...change(wrong, 2, 1), userName: 'Ada King' };
    expect(reply.body.changes).toEqual(expect.arrayContaining([named, change(right, 1, 2)]));
    expect(await scoresOf([wrong, right])).toEqual([2, 1]);
    expect(await shownIn(wrong)).toMatchObject({
      correctAnswer: question.options[1],
      isCorrect: true,
    });
  });

  it('when applied changes exactly what the dry run listed, and nothing the second time', async () => {
    const attempts = [await ended(1), await ended(2), await ended(0)];
    await edit({ correctAnswer: question.options[2] });
    const dry = await rescore({ dryRun: true });
    const real = await rescore({ dryRun: false, reason: 'The key was wrong' });
    expect(real.body).toEqual({ ...dry.body, applied: true });
    expect(await scoresOf(attempts)).toEqual([1, 2, 1]);
    for (const attempt of attempts) {
      const { participant, questions } = (await attempt.record()).body;
      const right = questions.filter((q: { isCorrect: boolean }) => q.isCorrect).length;
      expect(participant.score).toBe(right);
    }
    const again = await rescore({ dryRun: false });
    expect(again.body).toEqual({ participants: 3, unchanged: 0, changes: [], applied: true });
    expect(await scoresOf(attempts)).toEqual([1, 2, 1]);
    expect(await audited()).toEqual([
      { participants: 3, changed: 2, reason: 'The key was wrong' },
      { participants: 3, changed: 0, reason: null },
    ]);
  });

  it('is in the record of each attempt that it changed: from, to, when and by whom', async () => {
    const [changed, same] = [await ended(2), await ended(0)];
    await name(changed);
    await edit({ correctAnswer: question.options[2] });
    const reason = 'The book has it wrong';
    await rescore({ dryRun: true });
    await rescore({ dryRun: false, reason });
    const actionsOf = async (attempt: BegunAttempt) => (await attempt.record()).body.actions;
    const before = await scoreOf(changed);
    expect(await actionsOf(changed)).toEqual([
      {
        at: app.clock.now().toISOString(),
        action: 'participant.rescored',
        adminEmail: `admin${n}@example.org`,
        reason,
        verdict: null,
        change: { before: expect.any(Number), after: before, totalMarks: 5 },
      },
    ]);
    expect(await actionsOf(same)).toEqual([]);
    const { rows } = await app.pool.query(
      `select details::text as details from audit_entries where subject_id = $1`,
      [changed.id],
    );
    expect(JSON.stringify(rows)).not.toMatch(/King|@/);
  });

  it('applies to running attempts when they end', async () => {
    const running = await beginAttempt(app, admin, quiz);
    await running.save(0, 2, 1);
    await edit({ correctAnswer: question.options[2] });
    const { body } = await rescore({ dryRun: false });
    expect(body).toMatchObject({ participants: 1, changes: [], applied: true });
    await passTime(app, { minutes: 26 });
    expect(await running.row()).toMatchObject({ status: 'completed', score: 1 });
  });

  it('applies only to papers that hold the question', async () => {
    quiz = await makeQuiz(app, admin, { questions: plainQuestions(10), totalQuestions: 5 });
    const attempts = await Promise.all(
      Array.from({ length: 6 }, () => beginAttempt(app, admin, quiz)),
    );
    const { rows } = await app.pool.query(
      'select question_id, count(*)::int as n from paper_questions p join participants a on a.id = p.participant_id where a.quiz_id = $1 group by 1',
      [quiz.id],
    );
    // Ten questions, thirty places: some question is missing from some paper.
    const { question_id, n: holders } = rows.find((row) => row.n < attempts.length);
    question = quiz.questions.find((q) => q.id === question_id) ?? question;
    await edit({ correctAnswer: question.options[3] });
    expect((await rescore({ dryRun: true })).body.participants).toBe(holders);
  });

  it('skips papers whose version lacks the option', async () => {
    const old = await ended(1);
    await edit({ options: ['Q1 b', 'brand new'], correctAnswer: 'brand new' });
    const later = await ended(0);
    const { body } = await rescore({ dryRun: false });
    expect(body).toMatchObject({ participants: 2, unchanged: 1, changes: [] });
    expect(await scoresOf([old, later])).toEqual([2, 1]);
    expect((await old.record()).text).not.toContain('brand new');
  });

  it('applies to a replaced attempt: its record shows the same key and score', async () => {
    const first = await ended(2);
    await app.call('replaceParticipant', {
      as: admin,
      params: { id: first.id },
      body: { how: 'another', reason: 'r' },
    });
    await edit({ correctAnswer: question.options[2] });
    expect((await rescore({ dryRun: false })).body.changes).toMatchObject([
      { participantId: first.id, after: 2 },
    ]);
    expect(await scoreOf(first)).toBe(2);
  });

  it('is never missed by an attempt that ends at the same moment', async () => {
    const running = await Promise.all(
      Array.from({ length: 5 }, () => beginAttempt(app, admin, quiz)),
    );
    for (const attempt of running) await attempt.save(0, 2, 1);
    await edit({ correctAnswer: question.options[2] });
    const [rescored, ...submitted] = await Promise.all([
      rescore({ dryRun: false }),
      ...running.map((attempt) => attempt.submit()),
    ]);
    expect([rescored.status, ...submitted.map((s) => s.status)]).toEqual(Array(6).fill(200));
    expect(await scoresOf(running)).toEqual(Array(5).fill(1));
  });

  it('of two questions at once results in the score by both', async () => {
    const attempt = await beginAttempt(app, admin, quiz);
    for (const i of [0, 1]) await attempt.save(i, 2, 1);
    await attempt.submit();
    const [one, two] = quiz.questions;
    const both = [one, two].flatMap((q) => (q ? [q] : []));
    for (const q of both) {
      question = q;
      await edit({ correctAnswer: q.options[2] });
    }
    const replies = await Promise.all(
      both.map((q) =>
        app.call('rescoreQuestion', {
          as: admin,
          params: { id: quiz.id, questionId: q.id },
          body: { dryRun: false },
        }),
      ),
    );
    expect(replies.map((r) => r.status)).toEqual([200, 200]);
    expect(await scoreOf(attempt)).toBe(2);
  });

  it('does not block saves and heartbeats while it is being applied', async () => {
    // The running one came first, and so did its lock.
    const running = await beginAttempt(app, admin, quiz);
    const done = await ended(1);
    await edit({ correctAnswer: question.options[2] });
    // An ended attempt is locked: the rescoring reaches it and waits.
    const held = await HeldWindow.open(
      app.pool,
      'select 1 from participants where id = $1 for update',
      [done.id],
    );
    const rescored = rescore({ dryRun: false });
    await held.untilStuck(app.pool, 1);
    expect((await running.save(0, 2, 1)).status).toBe(200);
    expect((await running.heartbeat()).status).toBe(200);
    await held.release();
    expect((await rescored).status).toBe(200);
  });

  describe('with options that were edited', () => {
    const [A, B, C, D] = ['Q1 a', 'Q1 b', 'Q1 c', 'Q1 d'];

    it('applies to an option whose typo was corrected in its place, and names the change', async () => {
      const attempts = [await ended(1), await ended(2)];
      await edit({
        options: [A, B, 'Q1 c, spelled right', D],
        correctAnswer: 'Q1 c, spelled right',
      });
      const { body } = await rescore({ dryRun: false });
      expect(body).toMatchObject({
        participants: 2,
        unchanged: 0,
        options: [{ before: C, now: 'Q1 c, spelled right', isSame: true, participants: 2 }],
      });
      expect(await scoresOf(attempts)).toEqual([1, 2]);
      // Papers keep their texts.
      expect((await attempts[1]?.record())?.text).not.toContain('spelled right');
    });

    it('asks where text and place changed, and goes by the answer', async () => {
      const attempts = [await ended(1), await ended(2)];
      await edit({ options: ['Q1 C!', B, A, D], correctAnswer: 'Q1 C!' });
      const asked = (await rescore({ dryRun: true })).body;
      const pair = { before: C, now: 'Q1 C!' };
      expect(asked).toMatchObject({
        unchanged: 2,
        changes: [],
        options: [{ ...pair, isSame: false, participants: 2 }],
      });
      const options = [{ ...pair, isSame: true }];
      const { body } = await rescore({ dryRun: false, options });
      expect(body).toMatchObject({
        unchanged: 0,
        options: [{ ...pair, isSame: true, participants: 2 }],
      });
      expect(await scoresOf(attempts)).toEqual([1, 2]);
    });

    it('keeps the key of papers where the author says it is another answer', async () => {
      const old = await ended(2);
      await edit({ options: [A, B, 'Something else', D], correctAnswer: 'Something else' });
      const options = [{ before: C, now: 'Something else', isSame: false }];
      const { body } = await rescore({ dryRun: false, options });
      expect(body).toMatchObject({
        unchanged: 1,
        changes: [],
        options: [{ ...options[0], participants: 1 }],
      });
      expect(await scoreOf(old)).toBe(1);
    });

    it('finds a text of any earlier version again', async () => {
      const old = await ended(2);
      await edit({ options: [A, B, D], correctAnswer: B });
      await edit({ options: [C, A, B, D], correctAnswer: C, version: 2 });
      const { body } = await rescore({ dryRun: false });
      expect(body).toMatchObject({ unchanged: 0, changes: [{ before: 1, after: 2 }] });
      expect(body).not.toHaveProperty('options');
      expect(await scoreOf(old)).toBe(2);
    });
  });

  describe('or another correction', () => {
    const correct = (correction: object, dryRun = false) => rescore({ dryRun, correction });

    it('gives full points to everyone, blank answers too, and takes them back', async () => {
      const unanswered = await beginAttempt(app, admin, quiz);
      await unanswered.submit();
      const attempts = [await ended(1), await ended(2), unanswered];
      const dry = await correct({ kind: 'full_points' }, true);
      expect(dry.body.changes).toHaveLength(2);
      expect(await scoresOf(attempts)).toEqual([2, 1, 0]);
      const real = await correct({ kind: 'full_points' });
      expect(real.body).toEqual({ ...dry.body, applied: true });
      expect(await scoresOf(attempts)).toEqual([2, 2, 1]);
      expect(await shownIn(unanswered)).toMatchObject({
        isCorrect: true,
        correction: 'full_points',
      });
      // Kept by a rescoring that decides nothing.
      expect((await rescore({ dryRun: false })).body).toMatchObject({
        correction: { kind: 'full_points' },
        changes: [],
      });
      await correct({ kind: 'key' });
      expect(await scoresOf(attempts)).toEqual([2, 1, 0]);
      expect((await audited()).map(({ correction }) => correction)).toEqual([
        'full_points',
        'full_points',
        undefined,
      ]);
    });

    it('leaves the question out for everyone, and running attempts when they end', async () => {
      const [right, wrong] = [await ended(1), await ended(2)];
      const running = await beginAttempt(app, admin, quiz);
      await running.save(0, 1, 1);
      await running.save(1, 1, 1);
      const { body } = await correct({ kind: 'left_out' });
      expect(body.changes).toHaveLength(2);
      expect(body.changes).toContainEqual({
        participantId: right.id,
        userEmail: right.candidate.email,
        before: 2,
        after: 1,
        totalMarks: 5,
        pointsBefore: 2,
        pointsAfter: 1,
        maxPoints: 4,
        maxPointsBefore: 5,
      });
      await running.submit();
      for (const attempt of [right, wrong, running]) {
        const { participant, hasBrokenSeal } = (await attempt.record()).body;
        expect(participant).toMatchObject({ score: 1, points: 1, maxPoints: 4 });
        expect(hasBrokenSeal).toBeUndefined();
        expect(await shownIn(attempt)).toMatchObject({
          ...{ isCorrect: false, correction: 'left_out', maxPoints: 0 },
        });
      }
      await correct({ kind: 'key' });
      const { participant } = (await right.record()).body;
      expect(participant).toMatchObject({ score: 2, totalMarks: 5 });
      expect(participant).not.toHaveProperty('points');
    });

    it('accepts one more option beside the right one, in earlier versions too', async () => {
      const attempts = [await ended(1), await ended(2), await ended(0)];
      await edit({ question: 'Reworded' });
      const also = { kind: 'also_right', options: ['Q1 c'] };
      const { body } = await correct(also);
      expect(body).toMatchObject({ participants: 3, unchanged: 0, correction: also });
      expect(await scoresOf(attempts)).toEqual([2, 2, 1]);
      expect(await correct({ kind: 'also_right', options: ['unknown'] })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'correction' }] },
      });
    });

    it('asks before it accepts an answer that replaced another one in its place', async () => {
      const old = await ended(2);
      const now = 'Something else';
      await edit({ options: ['Q1 a', 'Q1 b', now, 'Q1 d'] });
      const also = { kind: 'also_right', options: [now] };
      const pair = { before: 'Q1 c', now };
      const dry = await correct(also, true);
      expect(dry.body.options).toEqual([{ ...pair, isSame: true, participants: 1 }]);
      const options = [{ ...pair, isSame: false }];
      const { body } = await rescore({ dryRun: false, correction: also, options });
      expect(body).toMatchObject({ unchanged: 1, changes: [] });
      expect(await scoreOf(old)).toBe(1);
    });

    it('asks for an accepted answer whose text and place changed', async () => {
      const old = await ended(2);
      const now = 'Q1 C!';
      await edit({ options: [now, 'Q1 b', 'Q1 a', 'Q1 d'] });
      const also = { kind: 'also_right', options: [now] };
      const pair = { before: 'Q1 c', now };
      const dry = await correct(also, true);
      expect(dry.body).toMatchObject({ unchanged: 1, changes: [] });
      expect(dry.body.options).toEqual([{ ...pair, isSame: false, participants: 1 }]);
      const options = [{ ...pair, isSame: true }];
      const { body } = await rescore({ dryRun: false, correction: also, options });
      expect(body).toMatchObject({ unchanged: 0, changes: [{ before: 1, after: 2 }] });
      expect(await scoreOf(old)).toBe(2);
    });

    it('ends with an edit of the question for those who start later', async () => {
      const wrong = await ended(2);
      await correct({ kind: 'full_points' });
      // Saved again as it is: still the same version.
      await edit({});
      expect((await rescore({ dryRun: true })).body.correction).toEqual({ kind: 'full_points' });
      await edit({ question: 'Reworded' });
      const later = await ended(2);
      expect(await scoreOf(later)).toBe(1);
      // Who had the earlier version keeps what was decided, until something else is.
      const { body } = await rescore({ dryRun: false });
      expect(body).not.toHaveProperty('correction');
      expect(body.isMixed).toBe(true);
      expect(await scoresOf([wrong, later])).toEqual([2, 1]);
      expect((await correct({ kind: 'key' })).body).not.toHaveProperty('isMixed');
      expect((await rescore({ dryRun: true })).body).not.toHaveProperty('isMixed');
      expect(await scoreOf(wrong)).toBe(1);
    });
  });
});
