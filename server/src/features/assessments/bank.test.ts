import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import pg from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const app = setUpAppWithAdmin();

const several: QuestionDefinition = {
  type: 'multiple_response',
  format: 'markdown',
  question: 'Which are *prime*?',
  options: [
    { text: '2', isCorrect: true },
    { text: '3', isCorrect: true },
    { text: '4', isCorrect: false },
    { text: 'None of these', isCorrect: false, isLast: true },
  ],
  points: 2.5,
  rule: 'right_minus_wrong',
  maxSelections: 3,
  explanation: 'Divisible by 1 and itself only.',
};

const plain = (text: string, ...options: string[]) =>
  plainDefinition(text, options.length > 0 ? options : ['a', 'b', 'c'], 'b');
const change = (body: object) => app.call('changeBankQuestions', { as: app.admin, body });

describe('the question bank', () => {
  beforeEach(async () => {
    await app.pool.query('update questions set deleted_at = now()');
    await app.pool.query('update quizzes set structure = null');
  });

  const add = async (
    definition: QuestionDefinition,
    labels: object = {},
  ): Promise<BankQuestion> => {
    const reply = await app.call('addToBank', { as: app.admin, body: { definition, ...labels } });
    expect(reply.text).toContain('"id"');
    return reply.body;
  };
  const list = async (query: Record<string, string> = {}): Promise<BankQuestion[]> =>
    (await app.call('listBank', { as: app.admin, query })).body;
  const setStructure = (id: string, structure: unknown, negativeMarks: unknown = null) =>
    app.call('setStructure', { as: app.admin, params: { id }, body: { structure, negativeMarks } });
  const draws = (count: number, tag: string) => ({
    sections: [{ title: 'Basics', isShuffled: true, items: [{ count, from: { tags: [tag] } }] }],
  });

  it('returns a question of any type as it was added', async () => {
    const typed: QuestionDefinition[] = [
      several,
      plain('Plain'),
      {
        type: 'numeric',
        format: 'plain',
        question: 'g?',
        options: [],
        points: 1,
        rule: 'weights',
        numeric: {
          accepted: [
            { value: '9.81', weight: 100 },
            { min: '9.7', max: '9.9', weight: 50 },
          ],
          units: [{ unit: 'm/s²', factor: '1' }],
          isUnitRequired: true,
        },
      },
      {
        type: 'short_text',
        format: 'plain',
        question: 'Capital of France?',
        options: [],
        points: 0.25,
        rule: 'all_or_nothing',
        shortText: { accepted: [{ text: 'Paris' }], isCaseSensitive: true },
      },
    ];
    for (const definition of typed) {
      const { id } = await add(definition, {
        tags: ['a', 'b', 'a'],
        difficulty: 'hard',
        note: 'n',
      });
      const reply = await app.call('getBankQuestion', { as: app.admin, params: { id } });
      expect(reply.body).toMatchObject({
        definition,
        tags: ['a', 'b'],
        difficulty: 'hard',
        note: 'n',
        isDraft: false,
        quizId: null,
        timesSeen: 0,
        versions: [{ version: 1, definition }],
        usedIn: [],
      });
    }
    expect(await list()).toHaveLength(4);
  });

  it('stores a plain question as ever', async () => {
    const { id } = await add(plain('Plain'));
    const { rows } = await app.pool.query(
      'select details, correct_option_id from question_versions where question_id = $1',
      [id],
    );
    expect(rows).toEqual([{ details: null, correct_option_id: 2 }]);
  });

  it.each<[string, Partial<QuestionDefinition>, string]>([
    ['points', { points: 0.1 }, 'points'],
    [
      'a blank option',
      {
        options: [
          { text: '', isCorrect: true },
          { text: 'b', isCorrect: false },
        ],
      },
      'options.0.text',
    ],
    [
      'equal options',
      {
        options: [
          { text: 'b', isCorrect: true },
          { text: 'b', isCorrect: false },
        ],
      },
      'options.1.text',
    ],
    [
      'a rule that needs options',
      { type: 'numeric', options: [], rule: 'per_option', numeric: { accepted: [{ value: '1' }] } },
      'rule',
    ],
    [
      'what is no number',
      {
        type: 'numeric',
        options: [],
        rule: 'all_or_nothing',
        numeric: { accepted: [{ value: 'ten' }] },
      },
      'numeric.accepted.0.value',
    ],
    ['no text', { question: ' ' }, 'question'],
    ['an image of another site', { question: '![A map](https://example.org/a.png)' }, 'question'],
    [
      'an image that is not stored',
      { explanation: `![A map](image:${'0'.repeat(64)})` },
      'explanation',
    ],
  ])('refuses %s at its field', async (_, wrong, path) => {
    const definition = { ...several, ...wrong };
    const reply = await app.call('addToBank', { as: app.admin, body: { definition } });
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(reply.body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(await list()).toEqual([]);
  });

  it('adds a version with each change of content, and none with a change of labels', async () => {
    const { id } = await add(several);
    const put = (body: object) =>
      app.call('changeBankQuestion', { as: app.admin, params: { id }, body });
    expect((await put({ definition: { ...several, points: 3 }, version: 1 })).body.version).toBe(2);
    expect((await put({ definition: { ...several, points: 3 } })).body.version).toBe(2);
    expect((await put({ definition: several, version: 1 })).status).toBe(409);
    expect((await put({ tags: ['x'] })).body).toMatchObject({ version: 2, tags: ['x'] });
    const { body } = await app.call('getBankQuestion', { as: app.admin, params: { id } });
    const { rows } = await app.pool.query('select name, email from admins');
    const by = rows[0]?.name || rows[0]?.email;
    expect(by).toMatch(/./);
    expect(body.versions).toMatchObject([
      { version: 2, by, definition: { points: 3 } },
      { version: 1, by, definition: { points: 2.5 } },
    ]);
  });

  it('refuses a change of a label that someone else has changed', async () => {
    const { id } = await add(several, { tags: ['a'] });
    const put = (body: object) =>
      app.call('changeBankQuestion', {
        as: app.admin,
        params: { id },
        body: { version: 1, ...body },
      });
    const labelsBefore = { tags: ['a'] };
    const replies = [
      await put({ tags: ['a', 'mine'], labelsBefore }),
      await put({ tags: ['a', 'theirs'], labelsBefore }),
      await put({ note: 'n', labelsBefore: { note: '' } }),
      await put({ difficulty: 'easy', labelsBefore: { difficulty: 'hard' } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 409, 200, 409]);
    expect(replies[1]?.body.code).toBe('STALE');
    expect(await list()).toMatchObject([{ tags: ['a', 'mine'], note: 'n', difficulty: null }]);
  });

  it('is searched by text, tag, type, category, difficulty and use', async () => {
    const category = await app.call('createCategory', { as: app.admin, body: { name: 'Numbers' } });
    const categoryId = category.body.id;
    await add(several, { tags: ['maths'], difficulty: 'easy', categoryId });
    await add(plain('100% of _this_'), { tags: ['signs'] });
    const quiz = await makeQuiz(app, app.admin);
    const texts = async (query: Record<string, string>) =>
      (await list(query)).map((q) => q.definition.question).sort();
    expect(await texts({ search: '100% of _' })).toEqual(['100% of _this_']);
    expect(await texts({ search: 'divisible' })).toEqual([several.question]);
    expect(await texts({ search: 'MATHS' })).toEqual([several.question]);
    expect(await texts({ tag: 'signs' })).toEqual(['100% of _this_']);
    expect(await texts({ type: 'multiple_response' })).toEqual([several.question]);
    expect(await texts({ categoryId, difficulty: 'easy' })).toEqual([several.question]);
    expect(await texts({ quizId: quiz.id })).toEqual(['Q1', 'Q2', 'Q3', 'Q4', 'Q5']);
    expect(await texts({ use: 'bank' })).toEqual(['100% of _this_', several.question].sort());
    const page = await app.call('listBank', { as: app.admin, query: { limit: '3', offset: '5' } });
    expect(page.body).toHaveLength(2);
    expect(page.headers['x-total-count']).toBe('7');
  });

  it('is searched in options and tags as they are written', async () => {
    await add(plain('Which?', 'print("a\\n")', 'b'), { tags: ['the "C" part'] });
    const found = async (search: string) => (await list({ search })).length;
    expect(await found('print("a\\n")')).toBe(1);
    expect(await found('"c" part')).toBe(1);
    // A separator of options is none of their letters.
    expect(await found(',b')).toBe(0);
  });

  it('lists drafts apart, and no paper gets them', async () => {
    const keyless = several.options.map((option) => ({ ...option, isCorrect: false }));
    const { id } = await add({ ...several, options: keyless }, { tags: ['t'] });
    expect((await list({ state: 'draft' })).map((q) => [q.id, q.isDraft])).toEqual([[id, true]]);
    const quiz = await makeQuiz(app, app.admin);
    const reply = await setStructure(quiz.id, draws(5, 't'));
    expect(reply).toMatchObject({ status: 409, body: { code: 'RULES_UNMET' } });
    const own = await makeQuiz(app, app.admin, { questions: [] });
    const ids = [id, (await add(plain('A'))).id];
    expect((await change({ ids, quizId: own.id })).status).toBe(200);
    const { body: quizzes } = await app.call('listQuizzes', { as: app.admin });
    expect(quizzes).toContainEqual(expect.objectContaining({ id: own.id, questionCount: 1 }));
  });

  it('tags, moves, archives and deletes several, all or none', async () => {
    const a = await add(plain('A'), { tags: ['old'] });
    const b = await add(plain('B'));
    const ids = [a.id, b.id];
    expect((await change({ ids: [...ids, crypto.randomUUID()], addTags: ['x'] })).status).toBe(404);
    expect((await change({ ids, addTags: ['new'], removeTags: ['old'] })).body.changed).toBe(2);
    expect((await list()).map((q) => q.tags)).toEqual([['new'], ['new']]);
    const full = Array.from({ length: 50 }, (_, i) => `t${i}`);
    const refused = await change({ ids, addTags: full });
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'At most 50 tags: “A” would have more',
    ]);
    expect((await list()).map((q) => q.tags)).toEqual([['new'], ['new']]);
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    await change({ ids, quizId: quiz.id });
    const own = await app.call('listQuestions', { as: app.admin, params: { id: quiz.id } });
    expect(own.body.map((q: { orderNumber: number }) => q.orderNumber)).toEqual([1, 2]);
    await change({ ids: [a.id], isArchived: true });
    expect((await list()).map((q) => q.id)).toEqual([b.id]);
    expect((await list({ state: 'archived' })).map((q) => q.id)).toEqual([a.id]);
    const many = Array.from({ length: 1_001 }, () => crypto.randomUUID());
    expect((await change({ ids: many, addTags: ['x'] })).body.message).toBe(
      'At most 1,000 at a time',
    );
    expect((await change({ ids: many, isDeleted: true })).status).toBe(404);
    await change({ ids, isDeleted: true });
    expect([...(await list()), ...(await list({ state: 'archived' }))]).toEqual([]);
  });

  it('returns what takes a change of labels back, for each as it was', async () => {
    const category = await app.call('createCategory', { as: app.admin, body: { name: 'Logic' } });
    const rows = [
      await add(plain('A'), { tags: ['old', 'new'], difficulty: 'hard' }),
      await add(plain('B'), { tags: ['new'] }),
      await add(plain('C'), { categoryId: category.body.id }),
      await add(plain('D'), { tags: ['old'], difficulty: 'easy' }),
    ];
    const ids = rows.map(({ id }) => id);
    await change({ ids: ids.slice(3), isArchived: true });
    const labelsOf = async () => {
      const all = [...(await list()), ...(await list({ state: 'archived' }))];
      return new Map(
        all.map((q) => [
          q.id,
          [q.tags.toSorted(), q.categoryId, q.difficulty, q.archivedAt === null],
        ]),
      );
    };
    const before = await labelsOf();
    const { body } = await change({
      ...{ ids, addTags: ['new', 'other'], removeTags: ['old'], difficulty: 'hard' },
      ...{ categoryId: category.body.id, isArchived: true },
    });
    expect(await labelsOf()).not.toEqual(before);
    for (const one of body.undo) expect((await change(one)).status).toBe(200);
    expect(await labelsOf()).toEqual(before);
    expect((await change({ ids, addTags: ['new'], quizId: null })).body.undo).toEqual([
      { ids: ids.slice(2), removeTags: ['new'] },
    ]);
  });

  it('puts deleted questions back in their places, once', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const ids: string[] = [];
    for (const text of ['A', 'B', 'C']) ids.push((await add(plain(text), { quizId: quiz.id })).id);
    const own = async () => {
      const params = { id: quiz.id };
      const { body } = await app.call('listQuestions', { as: app.admin, params });
      return body.map((q: { question: string }) => q.question).join('');
    };
    expect((await change({ ids: ids.slice(1, 2), isDeleted: true })).body.changed).toBe(1);
    expect(await own()).toBe('AC');
    expect((await change({ ids, isDeleted: false })).status).toBe(404);
    expect(await own()).toBe('AC');
    expect((await change({ ids: ids.slice(1, 2), isDeleted: false })).body).toEqual({
      changed: 1,
      undo: [],
    });
    expect(await own()).toBe('ABC');
    expect((await change({ ids: ids.slice(1, 2), isDeleted: false })).status).toBe(404);
  });

  it('moves and tags many with as many statements as two, and audits each', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const idsOf = async (n: number) => {
      const ids: string[] = [];
      for (let i = 0; i < n; i += 1) {
        ids.push((await add(plain(`${n} ${i}`), { tags: ['b', 'c'] })).id);
      }
      return ids;
    };
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    const counts: number[] = [];
    for (const n of [2, 40]) {
      const ids = await idsOf(n);
      statements.mockClear();
      const body = { ids, quizId: quiz.id, addTags: ['a'], removeTags: ['b'] };
      expect((await change(body)).body).toEqual({
        changed: n,
        undo: [{ ids, addTags: ['b'], removeTags: ['a'] }],
      });
      counts.push(statements.mock.calls.length);
      const { rows } = await app.pool.query(
        `select count(*)::int as n from audit_entries
         where action = 'question.labeled' and subject_id = any ($1::uuid[])`,
        [ids],
      );
      expect(rows).toEqual([{ n }]);
      expect((await list({ tag: 'a' })).filter(({ id }) => ids.includes(id))).toHaveLength(n);
    }
    statements.mockRestore();
    expect(counts[1]).toBe(counts[0]);
    const own = await app.call('listQuestions', { as: app.admin, params: { id: quiz.id } });
    const numbers = own.body.map((q: { orderNumber: number }) => q.orderNumber);
    expect(numbers).toEqual(Array.from({ length: 42 }, (_, i) => i + 1));
    expect((await list({ tag: 'a' }))[0]?.tags).toEqual(['c', 'a']);
  });

  describe('with an assessment that draws by rules', () => {
    let attempt: BegunAttempt;
    let pool: BankQuestion[];

    beforeEach(async () => {
      pool = [];
      for (let i = 0; i < 6; i += 1) {
        pool.push(await add({ ...several, question: `Which? ${i}` }, { tags: ['t'] }));
      }
    });

    it('gives papers of the drawn questions, with points and the section, without the key', async () => {
      const quiz = await makeQuiz(app, app.admin, { questions: [] });
      expect((await setStructure(quiz.id, draws(5, 't'))).status).toBe(200);
      const preview = await app.call('previewQuiz', { as: app.admin, params: { id: quiz.id } });
      expect(preview.body).toHaveLength(5);
      for (const question of preview.body) {
        expect(question).toMatchObject({
          type: 'multiple_response',
          format: 'markdown',
          points: 2.5,
          maxSelections: 3,
          section: 'Basics',
        });
        expect(question.options.at(-1)).toBe('None of these');
        expect(JSON.stringify(question)).not.toMatch(/isCorrect|rule|explanation|weight/i);
      }
    });

    it('refuses what would leave too few questions, by any way', async () => {
      const quiz = await makeQuiz(app, app.admin, { questions: [], title: 'Midterm' });
      await setStructure(quiz.id, draws(6, 't'));
      const ids = [pool[0]?.id ?? ''];
      const message = '“Midterm” could no longer draw its papers: Only 5 of 6 questions qualify';
      for (const body of [{ isArchived: true }, { removeTags: ['t'] }, { isDeleted: true }]) {
        expect(await change({ ids, ...body })).toMatchObject({ status: 409, body: { message } });
      }
      const params = { id: ids[0] ?? '' };
      const reply = await app.call('changeBankQuestion', {
        as: app.admin,
        params,
        body: { tags: [] },
      });
      expect(reply.status).toBe(409);
      expect(await list({ tag: 't' })).toHaveLength(6);
    });

    it('does not name an assessment that is out of the author’s reach', async () => {
      const quiz = await makeQuiz(app, app.admin, { questions: [], title: 'Midterm' });
      await setStructure(quiz.id, draws(6, 't'));
      const named = await app.call('createCategory', { as: app.admin, body: { name: 'Own' } });
      const ids = pool.map(({ id }) => id);
      await change({ ids, categoryId: named.body.id });
      const as = await signInAdmin(app, 'author@example.org');
      const { id } = (await app.call('me', { as })).body.user;
      const grants = [{ role: 'author', categoryId: named.body.id }];
      await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
      const reply = await app.call('changeBankQuestions', { as, body: { ids, isArchived: true } });
      expect(reply).toMatchObject({ status: 409, body: { code: 'RULES_UNMET' } });
      expect(reply.text).not.toContain('Midterm');
    });

    it('says how many qualify, and what is wrong, without storing anything', async () => {
      const quiz = await makeQuiz(app, app.admin, { questions: [] });
      const structure = {
        sections: [
          {
            title: 'One',
            isShuffled: false,
            items: [{ questionId: pool[0]?.id }, { questionId: crypto.randomUUID() }],
          },
          {
            title: 'Two',
            isShuffled: true,
            items: [
              { count: 6, from: { tags: ['t'] } },
              { count: 1, from: {} },
            ],
          },
        ],
      };
      const params = { id: quiz.id };
      const { body } = await app.call('checkStructure', {
        as: app.admin,
        params,
        body: { structure },
      });
      expect(body.qualified).toEqual([
        [1, 0],
        // The question that has a place already is not counted.
        [5, 5],
      ]);
      expect(body.problems.map((p: { path: string }) => p.path)).toEqual(
        expect.arrayContaining([
          'structure.sections.0.items.1',
          'structure.sections.1.items.0',
          'structure.sections.1.items.1',
        ]),
      );
      const stored = await app.call('getStructure', { as: app.admin, params });
      expect(stored.body).toMatchObject({ structure: null, negativeMarks: null });
    });

    it('keeps the questions of an assessment that someone has started, drawn or not', async () => {
      const quiz = await makeQuiz(app, app.admin);
      attempt = await beginAttempt(app, app.admin, quiz);
      const ids = [pool[0]?.id ?? ''];
      expect((await change({ ids, quizId: quiz.id })).status).toBe(200);
      for (const body of [{ isDeleted: true }, { quizId: null }]) {
        expect(await change({ ids, ...body })).toMatchObject({
          status: 409,
          body: { code: 'QUESTION_IN_USE' },
        });
      }
      const params = { id: quiz.id };
      const reply = await app.call('deleteQuestions', { as: app.admin, params, body: { ids } });
      expect(reply.status).toBe(409);
    });

    it('counts how often a question was seen, and keeps what was', async () => {
      const quiz = await makeQuiz(app, app.admin, { questions: [] });
      await setStructure(quiz.id, draws(6, 't'), { percent: 50, floor: 'total' });
      attempt = await beginAttempt(app, app.admin, quiz);
      expect((await list({ tag: 't' })).map((q) => q.timesSeen)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(await list({ use: 'never', tag: 't' })).toEqual([]);
      const ids = [pool[0]?.id ?? ''];
      expect(await change({ ids, isDeleted: true })).toMatchObject({
        status: 409,
        body: { code: 'QUESTION_IN_USE' },
      });
      // Nor by way of another assessment that takes it: the papers would keep a key that none can correct.
      const later = await makeQuiz(app, app.admin, { questions: [] });
      await add(plain('Spare?'), { tags: ['t'] });
      expect((await change({ ids, quizId: later.id })).status).toBe(200);
      const params = { id: later.id };
      const reply = await app.call('deleteQuestions', { as: app.admin, params, body: { ids } });
      expect(reply).toMatchObject({ status: 409, body: { code: 'QUESTION_IN_USE' } });
      await attempt.submit();
      expect((await attempt.record()).body.participant).toMatchObject({ points: 0, maxPoints: 15 });
    });
  });
});

describe('duplicates', () => {
  beforeEach(() => app.pool.query('update questions set deleted_at = now()'));

  const add = async (definition: QuestionDefinition): Promise<string> =>
    (await app.call('addToBank', { as: app.admin, body: { definition } })).body.id;
  const duplicates = async (): Promise<string[][]> => {
    const { body } = await app.call('listDuplicates', { as: app.admin });
    return body.map((group: { id: string }[]) => group.map(({ id }) => id));
  };

  it('are found among any number of equal texts', { tags: 'long' }, async () => {
    const pairs = Array.from({ length: 101 }, (_, n) => [n, plain(`Pair ${n}`)] as const);
    for (const [n, definition] of pairs) {
      await add(definition);
      await add(plain(`Pair ${n}`, 'a', 'b', 'd'));
    }
    const same = [await add(plain('Same')), await add(plain('Same', 'c', 'b', 'a'))];
    await add(plainDefinition('Same', ['a', 'b', 'c'], 'c'));
    expect(await duplicates()).toEqual([same]);
  });

  it('are equal however their texts and numbers are written', async () => {
    const formatted = (text: string, ...options: string[]) => ({
      ...plainDefinition(text, options, options[0] ?? ''),
      format: 'markdown' as const,
    });
    const number = (value: string): QuestionDefinition => ({
      ...plainDefinition('How much?', [], ''),
      type: 'numeric',
      numeric: { accepted: [{ value }] },
    });
    const same = [
      await add(formatted('Is _\\<x>_ a tag?', '__yes__', 'no')),
      await add(formatted('Is *<x>* a tag?', '**yes**', 'no')),
    ];
    await add(formatted('Is **<x>** a tag?', '**yes**', 'no'));
    const numbers = [await add(number('70.0')), await add(number('70'))];
    await add(number('7'));
    const plainToo = [
      await add(plain('Which?', 'b', '1 < 2')),
      await add({ ...formatted('Which?', 'b', '1 &lt; 2') }),
    ];
    expect(await duplicates()).toEqual([same, numbers, plainToo]);
  });

  it('are looked for within the bank and within each assessment', async () => {
    const ids = [await add(plain('Q')), await add(plain('Q'))];
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    await change({ ids: ids.slice(1), quizId: quiz.id });
    const { body: copy } = await app.call('duplicateQuiz', {
      as: app.admin,
      params: { id: quiz.id },
    });
    expect(await duplicates()).toEqual([]);
    await change({ ids: ids.slice(0, 1), quizId: quiz.id });
    expect(await duplicates()).toEqual([ids]);
    await app.call('deleteQuiz', { as: app.admin, params: { id: quiz.id } });
    expect([copy.questionCount, await duplicates()]).toEqual([1, []]);
  });

  it('of an import, and tags, are not those of a deleted assessment', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const order = { name: 'questions.gift', quizId: quiz.id, tags: ['gone'] };
    const take = (of: object) =>
      app.call('importFile', {
        as: app.admin,
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.from(`${JSON.stringify(of)}\nWhich? {~a =b ~c}`),
      });
    expect((await take(order)).body).toMatchObject({ added: 1, duplicates: 0 });
    expect((await take(order)).body).toMatchObject({ added: 0, duplicates: 1 });
    await app.call('deleteQuiz', { as: app.admin, params: { id: quiz.id } });
    expect((await app.call('listTags', { as: app.admin })).body).toEqual([]);
    const { quizId: _, ...toBank } = order;
    expect((await take(toBank)).body).toMatchObject({ added: 1, duplicates: 0 });
  });
});
