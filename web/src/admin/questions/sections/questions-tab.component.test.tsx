import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createQueryClient } from '../../../net/query-client.ts';
import { QUIZ } from '../../../testing/fixtures.ts';
import { bankQuestion } from '../../../testing/question-server.ts';
import { show, wordsIn } from '../../../testing/shown.tsx';
import { questionsKey } from '../../data/questions.ts';
import { QuestionsTab } from './questions-tab.tsx';

const ID = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

const OWN = ['First', 'Second', 'Third'].map((text, i) =>
  bankQuestion(plainDefinition(`${text}?`, ['yes', 'no'], 'yes'), {
    id: ID(i),
    quizId: QUIZ.id,
    orderNumber: i + 1,
    tags: ['week 1'],
    timesSeen: i,
  }),
);
const FREE = bankQuestion(plainDefinition('Free?', ['yes', 'no'], 'no'), { id: ID(9) });

/** Reads of the questions wait for this. */
let slowReads: Promise<void> | undefined;

/** The tab with a server that has these questions; returns what it was sent. */
async function opened(own: readonly BankQuestion[], started = 0, client = createQueryClient()) {
  const sent: { path: string; body: unknown }[] = [];
  let order = own.map(({ id }) => id);
  const questions = () =>
    order.flatMap((id) =>
      own
        .filter((one) => one.id === id)
        .map(({ definition: { question, options } }) => ({
          ...{ id, quizId: QUIZ.id, type: 'multiple_choice', orderNumber: 1, version: 1 },
          ...{ question, options: options.map(({ text }) => text), correctAnswer: 'yes' },
        })),
    );
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    const { pathname: path, searchParams } = new URL(url, window.location.origin);
    const check = { qualified: [[1, 1, 1]], problems: [] };
    if (path === '/api/stats/quizzes') {
      const figures = { invited: 5, started, finished: 0, toReview: 0 };
      return Response.json([{ quizId: QUIZ.id, ...figures }]);
    }
    if (path.endsWith('/check')) return Response.json(check);
    if (method !== 'GET') {
      const parsed = JSON.parse(String(body));
      sent.push({ path, body: parsed });
      if (path.endsWith('/order')) {
        order = parsed.ids;
        return Response.json(questions());
      }
      return Response.json(
        path.endsWith('/structure') ? { ...parsed, check } : { changed: 1, undo: [] },
      );
    }
    if (path.endsWith('/structure')) {
      return Response.json({ structure: null, negativeMarks: null, check });
    }
    if (path.endsWith('/questions') && path.startsWith('/api/quizzes')) {
      const read = questions();
      await slowReads;
      return Response.json(read);
    }
    if (path === '/api/questions') {
      return Response.json(searchParams.get('use') === 'bank' ? [FREE] : own);
    }
    return Response.json([]);
  });
  await show(<QuestionsTab quiz={QUIZ} />, { client });
  return sent;
}

const rows = () => page.getByRole('list', { name: 'Questions', exact: true }).getByRole('listitem');

test('shows type, points, key and labels of each question, and all of it when asked', async () => {
  await opened(OWN);
  await expect.element(page.getByText('week 1').nth(2)).toBeVisible();
  expect(wordsIn(rows().nth(2))).toContain('Single choice 1 point A yes On 2 papers week 1');
  expect(rows().nth(2).element().getBoundingClientRect().height).toBeLessThanOrEqual(64);
  await page.getByRole('button', { name: 'Show question 3' }).click();
  await expect.element(rows().nth(2).getByText('no', { exact: true })).toBeVisible();
  const link = page.getByRole('link', { name: 'Third?' }).element();
  expect(link.getAttribute('href')).toBe(`/admin/questions/${ID(2)}?quiz=${QUIZ.id}`);
});

test('moves a question by keyboard', async () => {
  const sent = await opened(OWN);
  const handle = page.getByRole('button', { name: 'Move question 1', exact: true });
  await expect.element(handle).toBeVisible();
  handle.element().focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('button', { name: 'Move question 2' })).toHaveFocus();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.body).toEqual({ ids: [ID(1), ID(0), ID(2)] });
});

test('keeps the new order when a list that was read before it arrives', async () => {
  const client = createQueryClient();
  await opened(OWN, 0, client);
  const handle = page.getByRole('button', { name: 'Move question 1', exact: true });
  await expect.element(handle).toBeVisible();
  const read = Promise.withResolvers<void>();
  slowReads = read.promise;
  const reading = client.invalidateQueries({ queryKey: questionsKey(QUIZ.id) });
  handle.element().focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('button', { name: 'Move question 2' })).toHaveFocus();
  read.resolve();
  slowReads = undefined;
  await reading;
  await expect.element(rows().nth(1).getByText('First?')).toBeVisible();
});

test('takes questions from the bank that belong to no assessment', async () => {
  const sent = await opened([]);
  await page.getByRole('button', { name: 'From the bank' }).click();
  await page.getByRole('checkbox', { name: 'Free?' }).click();
  await page.getByRole('button', { name: 'Add 1 question' }).click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent).toEqual([
    { path: '/api/questions/change', body: { ids: [FREE.id], quizId: QUIZ.id } },
  ]);
});

test('begins the first section with its own questions, and says how long a paper is then', async () => {
  const sent = await opened(OWN);
  await expect.element(page.getByText('week 1').first()).toBeVisible();
  await page.getByRole('checkbox', { name: 'Use sections' }).click();
  await expect
    .element(page.getByText('Saving changes Total Questions from 25 to 3.'))
    .toBeVisible();
  await page.getByRole('button', { name: 'Remove entry 2 of Section 1' }).click();
  await expect
    .element(page.getByRole('region', { name: 'In no section' }).getByText('Second?'))
    .toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => sent).toHaveLength(1);
  const items = [{ questionId: ID(0) }, { questionId: ID(2) }];
  expect(sent[0]?.body).toMatchObject({ structure: { sections: [{ items }] } });
});

test('archives instead of deleting once a candidate has started', async () => {
  const sent = await opened(OWN, 1);
  await page.getByRole('button', { name: 'Archive question 1' }).click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.body).toEqual({ ids: [ID(0)], isArchived: true });
  expect(page.getByRole('button', { name: /Delete question/ }).elements()).toEqual([]);
});

test('archives a question that a paper has had, also where no one has started', async () => {
  const sent = await opened(OWN);
  await page.getByRole('button', { name: 'Archive question 2' }).click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.body).toEqual({ ids: [ID(1)], isArchived: true });
  await expect.element(page.getByRole('button', { name: 'Delete question 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select question 1' }).click();
  await expect.element(page.getByRole('button', { name: 'Delete selected' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select question 2' }).click();
  await expect.element(page.getByRole('button', { name: 'Archive selected' })).toBeVisible();
});
