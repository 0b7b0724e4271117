import type { Question } from '@invigil/core/contract/assessments/question-list';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../../net/query-client.ts';
import { QUIZ } from '../../testing/fixtures.ts';
import { hookIn } from '../../testing/shown.tsx';
import { QUIZZES } from '../assessments/api.ts';
import {
  questionsKey,
  questionsQuery,
  useCreateQuestion,
  useDeleteQuestion,
  useImportQuestions,
  useUpdateQuestion,
} from './questions-api.ts';

const DRAFT = { question: 'New?', options: ['x', 'y'], correctAnswer: 'x' };
const question = (id: string, orderNumber: number): Question => ({
  id,
  quizId: QUIZ.id,
  type: 'multiple_choice',
  ...DRAFT,
  orderNumber,
  version: 1,
});
/** Five questions, of which the second was deleted. */
const LEFT = [question('a', 1), question('c', 3), question('d', 4), question('e', 5)];

/** An open list of questions, and a server with these responses to writes and refetches. */
function opened(write: () => Response | Promise<Response>, stored: readonly Question[] = LEFT) {
  const written: { method: string | undefined; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    if (method === 'GET') return Response.json(url.endsWith('/questions') ? stored : [QUIZ]);
    written.push({ method, body: JSON.parse(String(body ?? 'null')) });
    return write();
  });
  const client = createQueryClient();
  client.setQueryData(questionsKey(QUIZ.id), LEFT);
  client.setQueryData(QUIZZES.queryKey, [{ ...QUIZ, questionCount: LEFT.length }]);
  const query = { ...questionsQuery(QUIZ.id), refetchOnMount: false };
  new QueryObserver(client, query).subscribe(() => undefined);
  const list = () =>
    (client.getQueryData<Question[]>(questionsKey(QUIZ.id)) ?? []).map(({ id }) => id);
  return { client, written, list };
}
const gone = () => Promise.reject(new TypeError('Failed to fetch'));

test('adds a question after the last one, with its position as number', async () => {
  const { client, written, list } = opened(() => Response.json(question('f', 6), { status: 201 }));
  const added = await (await hookIn(client, () => useCreateQuestion(QUIZ.id))).mutateAsync(DRAFT);
  expect(written).toEqual([
    { method: 'POST', body: { quizId: QUIZ.id, type: 'multiple_choice', ...DRAFT } },
  ]);
  expect(added.number).toBe(5);
  expect(list()).toEqual(['a', 'c', 'd', 'e', 'f']);
});

test('refetches the list if someone else added questions, and reports the right number', async () => {
  const stored = [...LEFT, question('theirs', 6), question('f', 7)];
  const { client, list } = opened(() => Response.json(question('f', 7), { status: 201 }), stored);
  const added = await (await hookIn(client, () => useCreateQuestion(QUIZ.id))).mutateAsync(DRAFT);
  expect(added.number).toBe(6);
  expect(list()).toEqual(stored.map(({ id }) => id));
});

test('adds questions from a file after the last one', async () => {
  const { client, written, list } = opened(() =>
    Response.json({ created: 2, questions: [question('f', 6), question('g', 7)] }, { status: 201 }),
  );
  await (await hookIn(client, () => useImportQuestions(QUIZ.id))).mutateAsync([DRAFT, DRAFT]);
  const row = { type: 'multiple_choice', ...DRAFT };
  expect(written).toEqual([{ method: 'POST', body: { questions: [row, row] } }]);
  expect(list()).toEqual(['a', 'c', 'd', 'e', 'f', 'g']);
});

test('sends no position with an edit, since the question may have moved', async () => {
  const moved = { ...question('c', 4), version: 2 };
  const { client, written } = opened(() => Response.json(moved));
  const update = await hookIn(client, () => useUpdateQuestion(QUIZ.id));
  await update.mutateAsync({ draft: DRAFT, base: question('c', 3) });
  expect(written).toEqual([
    { method: 'PUT', body: { quizId: QUIZ.id, type: 'multiple_choice', ...DRAFT, version: 1 } },
  ]);
});

test.each([
  [
    'adding',
    async (client: QueryClient): Promise<unknown> =>
      (await hookIn(client, () => useCreateQuestion(QUIZ.id))).mutateAsync(DRAFT),
  ],
  [
    'importing',
    async (client: QueryClient): Promise<unknown> =>
      (await hookIn(client, () => useImportQuestions(QUIZ.id))).mutateAsync([DRAFT]),
  ],
  [
    'deleting',
    async (client: QueryClient): Promise<unknown> =>
      (await hookIn(client, () => useDeleteQuestion(QUIZ.id))).mutateAsync('a'),
  ],
] as const)('%s without an answer may have happened: the list is read again', async (_, write) => {
  const stored = [...LEFT, question('f', 6)];
  const { client, list } = opened(gone, stored);
  await expect(write(client)).rejects.toThrow('cannot be reached');
  expect(list()).toEqual(stored.map(({ id }) => id));
});

test('neither changes nor refetches the list after a refusal', async () => {
  const { client, list } = opened(() => new Response('', { status: 500 }), []);
  const create = await hookIn(client, () => useCreateQuestion(QUIZ.id));
  await expect(create.mutateAsync(DRAFT)).rejects.toThrow('500');
  expect(list()).toEqual(LEFT.map(({ id }) => id));
});
