import {
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  plainQuestions,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const app = setUpAppWithAdmin();

const HEADER = 'Question,Option A,Option B,Option C,Option D,Correct Answer';

describe('importing questions', () => {
  let quizId: string;
  beforeEach(async () => {
    quizId = (await makeQuiz(app, app.admin, { questions: [] })).id;
  });

  const stored = async () =>
    (await app.call('listQuestions', { as: app.admin, params: { id: quizId } })).body;
  const rows = (questions: unknown) =>
    app.call('importQuestions', { as: app.admin, params: { id: quizId }, body: { questions } });
  const file = async (
    content: string | Uint8Array,
    { type = 'text/csv', query = '' }: { type?: string; query?: string } = {},
  ) => {
    const response = await app.fastify.inject({
      method: 'POST',
      url: `/api/quizzes/${quizId}/questions/csv${query}`,
      headers: { cookie: `invigil_session=${app.admin}`, 'content-type': type },
      payload: Buffer.from(content),
    });
    return { status: response.statusCode, body: response.json() };
  };

  describe('as rows', () => {
    const good = (n: number) => ({
      type: 'multiple_choice',
      question: `Q${n}`,
      options: ['a', 'b'],
      correctAnswer: 'b',
      orderNumber: n,
    });

    it.each([
      ['none', [], 'No valid questions found in the CSV file'],
      ['a text', 'Q,a,b,A', undefined],
      ['nothing', undefined, undefined],
    ])('refuses %s', async (_, questions, message) => {
      const reply = await rows(questions);
      expect(reply.status).toBe(400);
      if (message) expect(reply.body).toMatchObject({ code: 'NO_VALID_QUESTIONS', message });
    });

    it('reports every problem of every row, and stores nothing', async () => {
      const reply = await rows([
        good(1),
        { ...good(2), question: '' },
        null,
        { ...good(4), options: ['a'], correctAnswer: 'x' },
        { ...good(5), options: 4 },
        { ...good(6), type: 'essay' },
        { ...good(7), options: ['b', 'b'] },
        good(8),
      ]);
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'INVALID_QUESTIONS', message: 'Please enter a question' },
      });
      expect(reply.body.issues).toEqual([
        { path: 'questions.1.question', message: 'Please enter a question' },
        { path: 'questions.2', message: expect.any(String) },
        { path: 'questions.3.options', message: 'Please provide at least two options' },
        {
          path: 'questions.3.correctAnswer',
          message: 'Selected correct answer must be one of the options',
        },
        { path: 'questions.4.options', message: 'Please provide at least two options' },
        { path: 'questions.5.type', message: expect.any(String) },
        { path: 'questions.6.options', message: 'Two options are the same. Change one of them' },
      ]);
      expect(await stored()).toEqual([]);
    });

    it('refuses 1,001 rows and imports 1,000 in their order', async () => {
      const many = Array.from({ length: 1_001 }, (_, i) => ({
        ...good(i + 1),
        orderNumber: undefined,
      }));
      expect(await rows(many)).toMatchObject({
        status: 413,
        body: {
          code: 'TOO_LARGE',
          message: 'The file has more than 1000 rows. Split it into smaller files',
        },
      });
      expect(await stored()).toEqual([]);
      const reply = await rows(many.slice(1));
      expect(reply).toMatchObject({ status: 201, body: { created: 1_000 } });
      const listed = await stored();
      expect(listed.map((q: { question: string }) => q.question)).toEqual(
        many.slice(1).map((q) => q.question),
      );
      expect(listed.at(-1).orderNumber).toBe(1_000);
      // An import of any size is undone whole.
      await rows([good(1)]);
      const ids = (await stored()).map(({ id }: { id: string }) => id);
      const deleted = async (body: { ids: string[] }) =>
        (await app.call('deleteQuestions', { as: app.admin, params: { id: quizId }, body })).body;
      expect(await deleted({ ids: [...ids, quizId] })).toMatchObject({ code: 'NOT_FOUND' });
      expect(await deleted({ ids })).toEqual({ deleted: 1_001 });
      expect(await stored()).toEqual([]);
    });

    it('returns the stored questions, placed after the existing ones', async () => {
      await rows([good(1)]);
      const reply = await rows([
        { question: ' Q2 ', options: 'x, "y, z"', correctAnswer: 'y, z' },
        { question: 'Q3', options: '["=1", "2"]', correctAnswer: '2' },
      ]);
      expect(reply).toMatchObject({
        status: 201,
        body: {
          created: 2,
          questions: [
            { question: 'Q2', options: ['x', 'y, z'], correctAnswer: 'y, z', orderNumber: 2 },
            { question: 'Q3', options: ['=1', '2'], correctAnswer: '2', orderNumber: 3 },
          ],
        },
      });
      expect((await stored()).slice(1)).toEqual(reply.body.questions);
    });

    it('refuses an archived assessment', async () => {
      await app.call('deleteQuiz', { as: app.admin, params: { id: quizId } });
      expect((await rows([good(1)])).status).toBe(404);
    });
  });

  describe('as a file', () => {
    it('refuses a file without a valid line, with the problem of each', async () => {
      const reply = await file(`${HEADER}\nQ,a\nQ,a,b,c,D\n`);
      expect(reply).toMatchObject({
        status: 400,
        body: {
          code: 'NO_VALID_QUESTIONS',
          message: 'No valid questions found in the CSV file',
          issues: [
            {
              path: 'line.2',
              message: 'Line 2: Each question must have at least a question and 2 options',
            },
            {
              path: 'line.3',
              message: 'Line 3: Option D is out of range (only 3 options provided)',
            },
          ],
        },
      });
    });

    it('refuses a file with one invalid row of three, naming the line where it starts', async () => {
      const reply = await file(`${HEADER}\r\n"Q\r\n1",a,b,A\r\nQ2,a,b,c,,D\r\nQ3,a,b,B\r\n`);
      expect(reply).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_QUESTIONS',
          message: 'Line 4: Option D is out of range (only 3 options provided)',
          issues: [{ path: 'line.4' }],
        },
      });
      expect(await stored()).toEqual([]);
    });

    it.each([
      ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 400],
      ['a text with a NUL', 'Question,A,B,Key\nQ,a\0,b,A\n', 400],
      ['an unclosed quote', `${HEADER}\nQ,"a,b,A`, 400],
      ['more than 1 MiB', `${HEADER}\n${'Q,a,b,A\n'.repeat(140_000)}`, 413],
      ['1,001 rows', `${HEADER}\n${'Q,a,b,A\n'.repeat(1_001)}`, 413],
    ])('refuses %s', async (_, content, status) => {
      const reply = await file(content);
      expect(reply.status).toBe(status);
      expect(reply.body.message).not.toMatch(/undefined|\[object/);
      expect(await stored()).toEqual([]);
    });

    it('refuses other types than text/csv', async () => {
      for (const type of ['text/plain', 'image/png', 'application/octet-stream']) {
        expect((await file(`${HEADER}\nQ,a,b,A`, { type })).status).toBe(415);
      }
      expect((await file(`${HEADER}\nQ,a,b,A`, { type: 'text/csv; charset=utf-8' })).status).toBe(
        201,
      );
    });

    it('is ordinary text to the letter, in the encoding that is named in the answer', async () => {
      // Excel saves an English file like this: windows-1252 with curly apostrophes.
      const line = Buffer.from('A person\x92s choice?;don\x92t;can\x92t;A\n', 'latin1');
      const reply = await file(Buffer.concat([Buffer.from('Question;A;B;Key\n'), line]));
      expect(reply.body).toMatchObject({ created: 1, encoding: 'windows-1252' });
      expect(await stored()).toMatchObject([
        { question: 'A person’s choice?', options: ['don’t', 'can’t'] },
      ]);
    });

    it('is read in the encoding that the caller names', async () => {
      const content = Buffer.from(`${HEADER}\nGr\xf6\xdfe?,a,b,A\n`, 'latin1');
      const reply = await file(content, { query: '?encoding=windows-1251' });
      expect(reply.body).toMatchObject({ created: 1, encoding: 'windows-1251' });
      expect(await stored()).toMatchObject([{ question: 'GrцЯe?' }]);
      expect((await file(content, { query: '?encoding=utf-7' })).status).toBe(400);
      expect(
        (await rows([{ question: 'Q', options: ['a', 'b'], correctAnswer: 'a' }])).body,
      ).toEqual(expect.not.objectContaining({ encoding: expect.anything() }));
    });

    it('keeps the first row when there is no header', async () => {
      const content = 'Q1,a,b,A\nQ2,a,b,B\n';
      expect((await file(content, { query: '?keepFirstRow=true' })).body.created).toBe(2);
      expect((await file(content, { query: '?keepFirstRow=false' })).body.created).toBe(1);
      expect((await file(content)).body.created).toBe(1);
      expect((await file(content, { query: '?keepFirstRow=perhaps' })).status).toBe(400);
      const questions = (await stored()).map((q: { question: string }) => q.question);
      expect(questions).toEqual(['Q1', 'Q2', 'Q2', 'Q2']);
    });
  });
});

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('a new order of questions', () => {
  let quiz: MadeQuiz;
  let ids: string[];
  beforeEach(async () => {
    quiz = await makeQuiz(app, app.admin);
    ids = quiz.questions.map((q) => q.id);
  });

  const reorder = (given: unknown, id = quiz.id) =>
    app.call('reorderQuestions', { as: app.admin, params: { id }, body: { ids: given } });
  const listed = async () =>
    (await app.call('listQuestions', { as: app.admin, params: { id: quiz.id } })).body.map(
      (q: { id: string; orderNumber: number }) => [q.id, q.orderNumber],
    );
  const numbered = (order: string[]) => order.map((id, i) => [id, i + 1]);

  it('changes nothing unless every question of the assessment is named exactly once', async () => {
    const other = (await makeQuiz(app, app.admin)).questions[0]?.id ?? '';
    const [first = '', ...rest] = ids;
    for (const given of [[], rest, [...ids, first], [first, ...ids], [...ids, UNKNOWN]]) {
      expect(await reorder(given)).toMatchObject({ status: 409, body: { code: 'STALE' } });
    }
    expect(await reorder([other, ...rest])).toMatchObject({ status: 409 });
    expect(await listed()).toEqual(numbered(ids));
  });

  it('is refused for an unknown or archived assessment', async () => {
    expect((await reorder(ids, UNKNOWN)).status).toBe(404);
    await app.call('deleteQuiz', { as: app.admin, params: { id: quiz.id } });
    expect((await reorder(ids)).status).toBe(404);
  });

  it('numbers the questions from 1, and returns them in their order', async () => {
    const order = ids.toReversed();
    const reply = await reorder(order);
    expect(reply.status).toBe(200);
    expect(reply.body.map((q: { id: string }) => q.id)).toEqual(order);
    expect(reply.body[0]).toMatchObject({ correctAnswer: 'Q5 b', version: 1 });
    expect(await listed()).toEqual(numbered(order));
    // Upper case names the same ids; a question added later goes to the end.
    expect((await reorder(ids.map((id) => id.toUpperCase()))).status).toBe(200);
    const added = await app.call('createQuestion', {
      as: app.admin,
      params: { id: quiz.id },
      body: plainQuestions(6)[5],
    });
    expect(await listed()).toEqual(numbered([...ids, added.body.id]));
  });

  it('is refused if a question was added or deleted since', async () => {
    await app.call('createQuestion', {
      as: app.admin,
      params: { id: quiz.id },
      body: plainQuestions(1)[0],
    });
    expect(await reorder(ids)).toMatchObject({ status: 409, body: { code: 'STALE' } });
    const fresh = (await listed()).map(([id]: [string]) => id);
    await app.call('deleteQuestion', {
      as: app.admin,
      params: { id: quiz.id, questionId: ids[0] ?? '' },
    });
    expect((await reorder(fresh)).status).toBe(409);
  });

  it('is one of two concurrent orders, never a mix', async () => {
    const one = ids.toReversed();
    const two = [...ids.slice(2), ...ids.slice(0, 2)];
    const replies = await Promise.all([reorder(one), reorder(two)]);
    expect(replies.map((r) => r.status)).toEqual([200, 200]);
    expect([numbered(one), numbered(two)]).toContainEqual(await listed());
  });

  it('leaves papers unchanged, and is audited', async () => {
    const attempt = await beginAttempt(app, app.admin, quiz);
    const before = (await attempt.record()).body.questions;
    expect((await reorder(ids.toReversed())).status).toBe(200);
    expect((await attempt.record()).body.questions).toEqual(before);
    const { rows } = await app.pool.query(
      "select action from audit_entries where subject_id = $1 and action like 'questions.%' order by id",
      [quiz.id],
    );
    expect(rows.at(-1)).toEqual({ action: 'questions.reordered' });
  });
});
