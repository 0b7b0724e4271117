import type { Question } from '@invigil/core/contract/assessments/question-list';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../../net/query-client.ts';
import { QUIZ } from '../../testing/fixtures.ts';
import { hookIn } from '../../testing/shown.tsx';
import {
  questionsKey,
  questionsQuery,
  useCreateQuestion,
  useDeleteQuestions,
  useUpdateQuestion,
} from './questions.ts';

const DRAFT = { question: 'New?', options: ['x', 'y'], correctAnswer: 'x' };
const question = (id: string, orderNumber: number): Question => ({
  id,
  quizId: QUIZ.id,
  type: 'multiple_choice',
  ...DRAFT,
  orderNumber,
  version: 1,
});
const LEFT = [question('a', 1), question('c', 3)];
const NOW = [...LEFT, question('f', 6)];

/** An open list of questions, and a server with these responses to writes, which then has `NOW`. */
function opened(write: () => Response | Promise<Response>) {
  const written: { method: string | undefined; path: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    if (method === 'GET') return Response.json(NOW);
    const path = url.slice(url.indexOf('/questions'));
    written.push({ method, path, body: JSON.parse(String(body ?? 'null')) });
    return write();
  });
  const client = createQueryClient();
  client.setQueryData(questionsKey(QUIZ.id), LEFT);
  const query = { ...questionsQuery(QUIZ.id), refetchOnMount: false };
  new QueryObserver(client, query).subscribe(() => undefined);
  const list = () =>
    (client.getQueryData<Question[]>(questionsKey(QUIZ.id)) ?? []).map(({ id }) => id);
  return { client, written, list };
}

const create = async (client: QueryClient) =>
  (await hookIn(client, () => useCreateQuestion(QUIZ.id))).mutateAsync(DRAFT);
const update = async (client: QueryClient) =>
  (await hookIn(client, () => useUpdateQuestion(QUIZ.id))).mutateAsync({
    draft: DRAFT,
    base: question('c', 3),
  });
const remove =
  (...ids: string[]) =>
  async (client: QueryClient) =>
    (await hookIn(client, () => useDeleteQuestions(QUIZ.id))).mutateAsync(ids);
const SENT = { quizId: QUIZ.id, type: 'multiple_choice', ...DRAFT };

test.each([
  ['adds a question', create, ['POST', '/questions', SENT], question('f', 6)],
  // It may have moved since it was opened.
  [
    'edits one without its position',
    update,
    ['PUT', '/questions/c', { ...SENT, version: 1 }],
    LEFT[1],
  ],
  ['deletes one', remove('a'), ['DELETE', '/questions/a', null], null],
  [
    'deletes several',
    remove('a', 'c'),
    ['POST', '/questions/delete', { ids: ['a', 'c'] }],
    { deleted: 2 },
  ],
] as const)('%s, and then has the list as it is now', async (_, write, sent, answer) => {
  const { client, written, list } = opened(() =>
    answer === null
      ? new Response(null, { status: 204 })
      : Response.json(answer, { status: write === create ? 201 : 200 }),
  );
  await write(client);
  const [method, path, body] = sent;
  expect(written).toEqual([{ method, path, body }]);
  expect(list()).toEqual(NOW.map(({ id }) => id));
});

test.each([
  ['adding', create],
  ['deleting', remove('a')],
] as const)('%s without an answer may have happened: the list is read again', async (_, write) => {
  const { client, list } = opened(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(write(client)).rejects.toThrow('cannot be reached');
  expect(list()).toEqual(NOW.map(({ id }) => id));
});

test('neither changes nor reads the list again after a refusal', async () => {
  const { client, list } = opened(() => new Response('', { status: 500 }));
  await expect(create(client)).rejects.toThrow('500');
  expect(list()).toEqual(LEFT.map(({ id }) => id));
});
