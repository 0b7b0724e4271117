import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const plain = (text: string, ...options: string[]) =>
  plainDefinition(text, options.length > 0 ? options : ['a', 'b', 'c'], 'b');

describe('duplicates', () => {
  const app = setUpAppWithAdmin();
  beforeEach(() => app.pool.query('update questions set deleted_at = now()'));

  const add = async (definition: QuestionDefinition): Promise<string> =>
    (await app.call('addToBank', { as: app.admin, body: { definition } })).body.id;
  const change = (body: object) => app.call('changeBankQuestions', { as: app.admin, body });
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
