import { QUIZ_LIMITS } from '@invigil/core/domain/limits';
import { REVIEW_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  inviteForCodes,
  makeQuiz,
  plainQuestions,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('a copy of an assessment', () => {
  const app = setUpAppWithAdmin();
  const duplicate = (id: string) => app.call('duplicateQuiz', { as: app.admin, params: { id } });
  const questionsOf = async (id: string) =>
    (await app.call('listQuestions', { as: app.admin, params: { id } })).body;

  it('is refused for an unknown or archived one', async () => {
    expect((await duplicate(UNKNOWN)).status).toBe(404);
    const quiz = await makeQuiz(app, app.admin);
    await app.call('deleteQuiz', { as: app.admin, params: { id: quiz.id } });
    expect((await duplicate(quiz.id)).status).toBe(404);
  });

  it('has settings, policy and questions with keys in order, and is not open', async () => {
    const endDate = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
    const source = await makeQuiz(app, app.admin, {
      title: 'Physics',
      description: 'Mechanics',
      duration: 42,
      totalQuestions: 7,
      finishAfterEnd: true,
      endDate,
      policy: REVIEW_POLICY,
      questions: plainQuestions(6),
    });
    // Not in the order of creation, and one of them in its second version.
    const ids = source.questions.map((q) => q.id).toReversed();
    await app.call('reorderQuestions', { as: app.admin, params: { id: source.id }, body: { ids } });
    await app.call('updateQuestion', {
      as: app.admin,
      params: { id: source.id, questionId: ids[0] ?? '' },
      body: { question: 'Edited', options: ['yes', 'no', 'perhaps'], correctAnswer: 'no' },
    });
    await inviteForCodes(app, app.admin, source.id, ['someone@example.org']);
    app.clock.advance({ seconds: 5 });

    const reply = await duplicate(source.id);
    expect(reply).toMatchObject({
      status: 201,
      body: {
        title: 'Physics (copy)',
        description: 'Mechanics',
        duration: 42,
        totalQuestions: 7,
        questionCount: 6,
        finishAfterEnd: true,
        endDate: null,
        isActive: false,
        isOpen: false,
        version: 1,
        policy: { ...REVIEW_POLICY, version: 1 },
        createdAt: app.clock.now().toISOString(),
      },
    });
    const plain = (q: Record<string, unknown>) => ({ ...q, id: '', quizId: '', version: 1 });
    const [made, copied] = [await questionsOf(source.id), await questionsOf(reply.body.id)];
    expect(copied.map(plain)).toEqual(made.map(plain));
    expect(copied[0]).toMatchObject({
      question: 'Edited',
      correctAnswer: 'no',
      quizId: reply.body.id,
    });
    const invited = await app.call('listInvitations', {
      as: app.admin,
      params: { id: reply.body.id },
    });
    expect(invited.body).toEqual([]);
  });

  it('keeps what else is right, and not what made up for a bad question', async () => {
    const source = await makeQuiz(app, app.admin);
    const [bad, left, fine] = source.questions;
    const corrections = [
      [bad, { kind: 'full_points' }],
      [left, { kind: 'left_out' }],
      [fine, { kind: 'also_right', options: [fine?.options[2]] }],
    ] as const;
    for (const [question, correction] of corrections) {
      const params = { id: question?.id ?? '' };
      const body = { dryRun: false, correction };
      const reply = await app.call('rescoreBankQuestion', { as: app.admin, params, body });
      expect(reply.status).toBe(200);
    }
    const copy = await duplicate(source.id);
    const { rows } = await app.pool.query(
      `select v.correction->>'kind' as kind from questions q join question_versions v on v.question_id = q.id
         where q.quiz_id = $1 order by q.order_number`,
      [copy.body.id],
    );
    expect(rows.map(({ kind }) => kind)).toEqual([null, null, 'also_right', null, null]);
  });

  it('is independent of its source', async () => {
    const source = await makeQuiz(app, app.admin);
    const copy = (await duplicate(source.id)).body;
    const [first] = await questionsOf(copy.id);
    await app.call('updateQuestion', {
      as: app.admin,
      params: { id: copy.id, questionId: first.id },
      body: { question: 'Only here', options: ['x', 'y'], correctAnswer: 'x' },
    });
    await app.call('updateQuiz', {
      as: app.admin,
      params: { id: copy.id },
      body: { ...copy, policy: REVIEW_POLICY },
    });
    expect((await questionsOf(source.id))[0].question).toBe('Q1');
    const quizzes = (await app.call('listQuizzes', { as: app.admin })).body;
    const kept = quizzes.find((q: { id: string }) => q.id === source.id);
    expect(kept.policy).toMatchObject({ preset: 'strict', version: 1 });
  });

  it.each([
    ['a title at the limit', 'x'.repeat(QUIZ_LIMITS.titleMaxCharacters)],
    ['one whose limit splits a surrogate pair', `${'x'.repeat(192)}🦊${'y'.repeat(6)}`],
    ['a copy of a copy', `${'z'.repeat(190)} (copy)`],
  ])('cuts %s to the limit, and can be saved as it is', async (_, title) => {
    const source = await makeQuiz(app, app.admin, { title, questions: [] });
    const { body } = await duplicate(source.id);
    expect(body.title.length).toBeLessThanOrEqual(QUIZ_LIMITS.titleMaxCharacters);
    expect(body.title.endsWith(' (copy)')).toBe(true);
    expect(body.title).not.toContain('\ufffd');
    const saved = await app.call('updateQuiz', { as: app.admin, params: { id: body.id }, body });
    expect([saved.status, saved.body.title]).toEqual([200, body.title]);
  });

  it('is audited with its source', async () => {
    const source = await makeQuiz(app, app.admin, { questions: [] });
    const { body } = await duplicate(source.id);
    const { rows } = await app.pool.query(
      "select subject_id, details from audit_entries where action = 'quiz.duplicated' order by id desc limit 1",
    );
    expect(rows).toEqual([{ subject_id: body.id, details: { from: source.id } }]);
  });
});

describe('a preview', () => {
  const app = setUpAppWithAdmin();
  const preview = (id: string) => app.call('previewQuiz', { as: app.admin, params: { id } });

  it('is refused without questions to show', async () => {
    expect((await preview(UNKNOWN)).status).toBe(404);
    const empty = await makeQuiz(app, app.admin, { questions: [] });
    expect(await preview(empty.id)).toMatchObject({
      status: 409,
      body: { code: 'NO_QUESTIONS', message: 'No questions found for this Assessment' },
    });
    await app.call('deleteQuiz', { as: app.admin, params: { id: empty.id } });
    expect((await preview(empty.id)).status).toBe(404);
  });

  it('draws a paper as a start would: the same number of questions, shuffled, without the key', async () => {
    const quiz = await makeQuiz(app, app.admin, {
      questions: plainQuestions(30),
      totalQuestions: 20,
      isActive: false,
    });
    const reply = await preview(quiz.id);
    expect(reply.status).toBe(200);
    expect(reply.body).toHaveLength(20);
    expect(new Set(reply.body.map((q: { id: string }) => q.id)).size).toBe(20);
    expect(reply.body.map((q: { orderNumber: number }) => q.orderNumber)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    expect(reply.text).not.toContain('correctAnswer');
    for (const shown of reply.body) {
      const made = quiz.questions.find((q) => q.id === shown.id);
      expect(shown.question).toBe(made?.question);
      expect([...shown.options].sort()).toEqual([...(made?.options ?? [])].sort());
    }
    expect((await preview(quiz.id)).body).not.toEqual(reply.body);
  });

  it('stores nothing', async () => {
    const quiz = await makeQuiz(app, app.admin);
    await preview(quiz.id);
    const { rows } = await app.pool.query(
      `select (select count(*) from participants)::int as attempts,
         (select count(*) from paper_questions)::int as papers,
         (select count(*) from invitations)::int as invitations`,
    );
    expect(rows).toEqual([{ attempts: 0, papers: 0, invitations: 0 }]);
    const removed = await app.call('deleteQuestion', {
      as: app.admin,
      params: { id: quiz.id, questionId: quiz.questions[0]?.id ?? '' },
    });
    expect(removed.status).toBe(204);
  });
});
