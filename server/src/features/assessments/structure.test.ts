import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { beginAttempt, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const plain = (text: string) => plainDefinition(text, ['a', 'b', 'c'], 'b');

describe('an assessment that draws by rules', () => {
  const app = setUpAppWithAdmin();
  let pool: BankQuestion[];
  beforeEach(async () => {
    await app.pool.query('update questions set deleted_at = now()');
    await app.pool.query('update quizzes set structure = null');
    pool = [];
    for (let i = 0; i < 6; i += 1) pool.push(await add(plain(`Which? ${i}`), { tags: ['t'] }));
  });

  const add = async (
    definition: QuestionDefinition,
    labels: object = {},
  ): Promise<BankQuestion> => {
    const reply = await app.call('addToBank', { as: app.admin, body: { definition, ...labels } });
    expect(reply.text).toContain('"id"');
    return reply.body;
  };
  const draws = (count: number, tag = 't') => ({ count, from: { tags: [tag] } });
  const sections = (...items: object[]) => ({
    sections: [{ title: 'Basics', isShuffled: true, items }],
  });
  const setStructure = (id: string, structure: unknown) =>
    app.call('setStructure', {
      as: app.admin,
      params: { id },
      body: { structure, negativeMarks: null },
    });
  const check = (id: string, structure: unknown) =>
    app.call('checkStructure', { as: app.admin, params: { id }, body: { structure } });

  const change = (body: object) => app.call('changeBankQuestions', { as: app.admin, body });
  const idsOf = (questions: readonly BankQuestion[]) => questions.map(({ id }) => id);

  it('refuses a wrong total before it matches rules', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const many = {
      sections: [1, 2, 3, 4].map((n) => ({
        title: `${n}`,
        isShuffled: false,
        items: Array.from({ length: 125 }, () => draws(100)),
      })),
    };
    for (const [structure, total, qualified] of [
      [many, 50_000, []],
      [sections(draws(60), draws(60)), 120, [[6, 6]]],
    ] as const) {
      const message = `The sections have ${total} questions. An assessment has 5 to 100`;
      const problems = [{ path: 'structure.sections', message }];
      expect(await check(quiz.id, structure)).toMatchObject({
        status: 200,
        body: { qualified, problems },
      });
      expect(await setStructure(quiz.id, structure)).toMatchObject({
        status: 409,
        body: { message, issues: problems },
      });
    }
  });

  it('refuses a title that two sections have, but reads and checks what was stored before', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const [section] = sections(draws(2)).sections;
    const twice = {
      sections: [
        { ...section, items: [draws(3)] },
        { ...section, title: ' Basics ' },
      ],
    };
    const message = 'Another section has this title';
    expect(await setStructure(quiz.id, twice)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'structure.sections.1.title', message }] },
    });
    expect((await check(quiz.id, twice)).status).toBe(200);
    const stored = { sections: twice.sections.map((one) => ({ ...one, title: 'Basics' })) };
    await app.pool.query('update quizzes set structure = $1 where id = $2', [stored, quiz.id]);
    const params = { id: quiz.id };
    const { body } = await app.call('getStructure', { as: app.admin, params });
    expect(body).toMatchObject({ structure: stored, check: { problems: [] } });
    const [first, second] = stored.sections;
    const renamed = { sections: [first, { ...second, title: 'More' }] };
    const before = { structure: body.structure, negativeMarks: null };
    const put = { structure: renamed, negativeMarks: null, before };
    const reply = await app.call('setStructure', { as: app.admin, params, body: put });
    expect(reply.status).toBe(200);
  });

  it('keeps a section that has a minimum in the pass mark', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    expect((await setStructure(quiz.id, sections(draws(5)))).status).toBe(200);
    const rules = {
      ...{ passMark: { percent: 50 }, grades: [] },
      sectionMarks: [{ title: 'Basics', percent: 60 }],
    };
    const set = (body: object) =>
      app.call('setResultRules', { as: app.admin, params: { id: quiz.id }, body });
    expect((await set({ rules, dryRun: false })).status).toBe(200);
    expect((await setStructure(quiz.id, sections(draws(6)))).status).toBe(200);
    const [section] = sections(draws(5)).sections;
    const renamed = { sections: [{ ...section, title: 'Safety' }] };
    const message = expect.stringContaining('“Basics” has a minimum');
    const problems = [{ path: 'structure.sections', message }];
    // A check while typing knows no titles.
    expect((await check(quiz.id, renamed)).body.problems).toEqual([]);
    for (const structure of [renamed, null]) {
      const { status, body } = await setStructure(quiz.id, structure);
      expect([status, body.issues]).toEqual([409, problems]);
    }
    await beginAttempt(app, app.admin, quiz);
    await set({ rules: { ...rules, sectionMarks: [] }, dryRun: false });
    expect((await setStructure(quiz.id, renamed)).status).toBe(200);
    // Earlier papers keep the former title, and it can have a minimum again.
    expect((await set({ rules, dryRun: false })).status).toBe(200);
    for (const structure of [renamed, null]) {
      expect((await setStructure(quiz.id, structure)).status).toBe(200);
    }
  });

  it('knows its sections by their ids, which programs need not send', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const put = async (...named: { id?: string; title: string }[]) => {
      const wanted = named.map((one) => ({ ...one, isShuffled: true, items: [draws(5)] }));
      const { status, body } = await setStructure(quiz.id, {
        sections: wanted.map((one, i) => (i === 0 ? one : { ...one, items: [] })),
      });
      return status === 200
        ? body.structure.sections.map(({ id, title }: { id: string; title: string }) => [id, title])
        : body.issues;
    };
    expect(await put({ title: 'Basics' }, { id: 'b', title: 'Law' })).toEqual([
      ...[
        ['Basics', 'Basics'],
        ['b', 'Law'],
      ],
    ]);
    // Whoever sends titles only renames none, and keeps the ids.
    expect(await put({ title: 'Law' }, { title: 'Basics' })).toEqual([
      ...[
        ['b', 'Law'],
        ['Basics', 'Basics'],
      ],
    ]);
    const renamed = { id: 'Basics', title: 'Contracts' };
    expect(await put(renamed, { title: 'Law' })).toEqual([
      ...[
        ['Basics', 'Contracts'],
        ['b', 'Law'],
      ],
    ]);
    // A new section under a former title is another one, and so is one beside the section with its title.
    for (const sent of [renamed, { title: 'Contracts' }]) {
      const [[first], [second]] = await put(sent, { title: 'Basics' });
      expect([first, second]).toEqual(['Basics', expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    }
    const [[given], [taken]] = await put({ id: 'b', title: 'Contracts' }, { title: 'Law' });
    expect([given, taken]).toEqual(['b', 'Law']);
    // An id that no section has is that of a new one.
    expect(await put({ id: 'n', title: 'Law' })).toEqual([['n', 'Law']]);
    expect(await put({ id: 'n', title: 'Law' }, { id: 'n', title: 'More' })).toEqual([
      { path: 'structure.sections.1.id', message: 'Another section has this id' },
    ]);
    expect(await put({ id: '', title: 'Law' })).toEqual([
      { path: 'structure.sections.0.id', message: 'Enter an id' },
    ]);
  });

  it('is not replaced by who has not read the last change', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const put = async (count: number, before?: object) => {
      const body = { structure: sections(draws(count)), negativeMarks: null };
      const as = { as: app.admin, params: { id: quiz.id } };
      const reply = await app.call('setStructure', { ...as, body: { ...body, before } });
      return reply.body.code ?? reply.status;
    };
    const none = { structure: null, negativeMarks: null };
    const five = { structure: sections(draws(5)), negativeMarks: null };
    expect(await put(5, none)).toBe(200);
    expect(await put(6, none)).toBe('STALE');
    expect(await put(6, five)).toBe(200);
    expect(await put(5)).toBe(200);
  });

  it('draws from the bank and its own questions, not from those of another assessment', async () => {
    const first = await makeQuiz(app, app.admin, { questions: [] });
    await change({ ids: idsOf(pool), quizId: first.id });
    expect((await setStructure(first.id, sections(draws(5)))).status).toBe(200);
    const { body: copy } = await app.call('duplicateQuiz', {
      as: app.admin,
      params: { id: first.id },
    });
    await add(plain('Of the bank'), { tags: ['t'] });
    for (const id of [first.id, copy.id]) {
      expect((await check(id, sections(draws(5)))).body.qualified).toEqual([[7]]);
    }
    const other = await makeQuiz(app, app.admin, { questions: [] });
    expect((await check(other.id, sections(draws(5)))).body).toMatchObject({
      qualified: [[1]],
      problems: [{ message: 'Only 1 of 5 questions qualify' }],
    });
    const preview = await app.call('previewQuiz', { as: app.admin, params: { id: copy.id } });
    const texts = preview.body.map(({ question }: { question: string }) => question);
    expect(new Set(texts).size).toBe(5);
  });

  it('counts and draws questions with the same content as one', async () => {
    const again = await add(plain('Which? 0'), { tags: ['t', 'other'] });
    await add(plainDefinition('Which? 1', ['a', 'b', 'd'], 'b'), { tags: ['t'] });
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    expect((await check(quiz.id, sections(draws(7), draws(1, 'other')))).body).toMatchObject({
      qualified: [[7, 1]],
      problems: [{ path: 'structure.sections.0.items.1' }],
    });
    const twice = sections(...[pool[0], again].map((q) => ({ questionId: q?.id })), draws(6));
    expect((await check(quiz.id, twice)).body).toMatchObject({
      qualified: [[1, 1, 6]],
      problems: [{ path: 'structure.sections.0.items.1', message: 'This question is there twice' }],
    });
    await setStructure(quiz.id, sections(draws(7)));
    const params = { id: pool[2]?.id ?? '' };
    const body = { definition: plain('Which? 3') };
    const equal = await app.call('changeBankQuestion', { as: app.admin, params, body });
    expect(equal).toMatchObject({ status: 409, body: { code: 'RULES_UNMET' } });
  });

  it('reads its pool once for many papers, and again after any change of it', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    await setStructure(quiz.id, sections(draws(5)));
    const queries = vi.spyOn(app.pool, 'query');
    const poolReads = async () => {
      const before = readsOfPool();
      const params = { id: quiz.id };
      const { body } = await app.call('previewQuiz', { as: app.admin, params });
      const texts = body.map(({ question }: { question: string }) => question);
      return { texts, reads: readsOfPool() - before };
    };
    const readsOfPool = () =>
      queries.mock.calls.filter((call) => JSON.stringify(call).includes('textHash')).length;
    expect((await poolReads()).reads).toBe(1);
    expect((await poolReads()).reads).toBe(0);
    const [first = '', second = ''] = idsOf(pool);
    await change({ ids: [first], isArchived: true });
    await app.call('changeBankQuestion', {
      as: app.admin,
      params: { id: second },
      body: { definition: plain('Changed') },
    });
    const { texts, reads } = await poolReads();
    expect(reads).toBe(1);
    expect(texts.toSorted()).toEqual(['Changed', ...[2, 3, 4, 5].map((n) => `Which? ${n}`)]);
    await setStructure(quiz.id, sections(draws(4), { questionId: second }));
    expect(await poolReads()).toMatchObject({ reads: 1 });
  });

  it('refuses the deletion of an assessment that has a question it names', async () => {
    const owner = await makeQuiz(app, app.admin, { questions: [] });
    await change({ ids: idsOf(pool.slice(0, 1)), quizId: owner.id });
    const quiz = await makeQuiz(app, app.admin, { questions: [], title: 'Final' });
    const structure = sections({ questionId: pool[0]?.id }, draws(4));
    expect((await setStructure(quiz.id, structure)).status).toBe(200);
    const remove = (id: string) => app.call('deleteQuiz', { as: app.admin, params: { id } });
    expect(await remove(owner.id)).toMatchObject({
      status: 409,
      body: {
        message:
          '“Final” could no longer draw its papers: This question is deleted, or has no key yet',
      },
    });
    await setStructure(quiz.id, sections(draws(5)));
    expect((await remove(owner.id)).status).toBe(204);
    expect((await check(quiz.id, structure)).body.qualified).toEqual([[0, 5]]);
  });

  it('keeps enough questions when two changes take some at the same time', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    await setStructure(quiz.id, sections(draws(5)));
    // Each needs the rules to see whether they are met.
    const window = await HeldWindow.open(
      app.pool,
      'lock table quizzes in access exclusive mode',
      [],
    );
    const changes = idsOf(pool.slice(0, 2)).map((id) => change({ ids: [id], isArchived: true }));
    await window.untilStuck(app.pool, 2);
    await window.release();
    const replies = await Promise.all(changes);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('lets a bank that has too few questions be repaired step by step', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [], title: 'Midterm' });
    await setStructure(quiz.id, sections(draws(6)));
    const ids = idsOf(pool);
    await app.pool.query('update questions set archived_at = now() where id = any ($1)', [
      ids.slice(0, 2),
    ]);
    const unrelated = await add(plain('Unrelated'));
    expect((await change({ ids: [unrelated.id], addTags: ['x'] })).status).toBe(200);
    for (const id of ids.slice(0, 2)) {
      expect((await change({ ids: [id], isArchived: false })).status).toBe(200);
    }
    expect(await change({ ids: ids.slice(0, 1), isArchived: true })).toMatchObject({
      status: 409,
      body: {
        message: '“Midterm” could no longer draw its papers: Only 5 of 6 questions qualify',
      },
    });
  });
});
