import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { QUIZ, refusal } from '../../../testing/fixtures.ts';
import { bankQuestion } from '../../../testing/question-server.ts';
import { show, showWithToasts, wordsIn } from '../../../testing/shown.tsx';
import { BankScreen } from './bank-screen.tsx';
import { withTyped } from './tag-picker.tsx';

const question = (id: string, change: Partial<BankQuestion> = {}) =>
  bankQuestion(plainDefinition(`Question ${id}?`, ['x', 'y'], 'x'), { id, ...change });

const markdown = { ...plainDefinition('', ['x', 'y'], 'x'), format: 'markdown' as const };
const ROWS = [
  question('a', { tags: ['week 1'], difficulty: 'hard', quizId: QUIZ.id, quizTitle: QUIZ.title }),
  question('b', { definition: { ...markdown, question: 'What is **2 + 2**?' }, isDraft: true }),
];

/** A server with these questions; returns what is written and the queries of the list. */
function served(
  rows: readonly BankQuestion[],
  write = () => Response.json({ changed: 2, undo: [] }),
) {
  const written: unknown[] = [];
  const queries: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    if (method === 'POST') {
      written.push(JSON.parse(String(body)));
      return write();
    }
    const { pathname, search } = new URL(url, 'http://localhost');
    if (pathname === '/api/questions/tags') {
      return Response.json(['week 1', 'Chapter 3, Cells'].map((tag) => ({ tag, count: 1 })));
    }
    if (pathname === '/api/questions/duplicates') return Response.json([rows]);
    if (pathname !== '/api/questions') return Response.json([]);
    queries.push(search);
    return Response.json(rows, { headers: { 'x-total-count': String(rows.length) } });
  });
  return { written, queries };
}

const select = (name: RegExp) => page.getByRole('checkbox', { name }).click();

test('lists questions with their labels, and texts without the marks of Markdown', async () => {
  served(ROWS);
  const { container } = await show(<BankScreen />);
  await expect.element(page.getByRole('link', { name: 'What is 2 + 2?' })).toBeVisible();
  const words = wordsIn(container);
  expect(words).toContain('Question a? week 1');
  expect(words).toContain('Network Fundamentals');
  expect(words).toContain('Draft');
  const link = page.getByRole('link', { name: 'Question a?' }).element();
  expect(link.getAttribute('href')).toBe('/admin/questions/a');
});

test('changes the labels of all selected questions in one request, and takes it back', async () => {
  const undo = [{ ids: ['b'], removeTags: ['exam'] }];
  const { written } = served(ROWS, () => Response.json({ changed: 2, undo }));
  await showWithToasts(<BankScreen />);
  await select(/Select all on this page/);
  await page.getByRole('button', { name: 'Labels' }).click();
  await page.getByLabelText('Add tags').fill('exam');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => written).toEqual([{ ids: ['a', 'b'], addTags: ['exam'] }]);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => written.slice(1)).toEqual(undo);
  await expect.element(page.getByText('Change undone')).toBeVisible();
});

test('deletes a few without asking, and puts them back', async () => {
  const { written } = served(ROWS);
  await showWithToasts(<BankScreen />);
  await select(/Select: What is 2/);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => written).toEqual([{ ids: ['b'], isDeleted: true }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => written.slice(1)).toEqual([{ ids: ['b'], isDeleted: false }]);
});

test('adds a selected tag as it is, also with a comma', async () => {
  const { written } = served(ROWS);
  await show(<BankScreen />);
  await select(/Select: Question a/);
  await page.getByRole('button', { name: 'Labels' }).click();
  await expect
    .poll(() => document.querySelectorAll('datalist option[value="Chapter 3, Cells"]').length)
    .toBeGreaterThan(0);
  await page.getByLabelText('Add tags').fill('Chapter 3, Cells');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => written).toEqual([{ ids: ['a'], addTags: ['Chapter 3, Cells'] }]);
});

test('moves the selected questions to the bank only', async () => {
  const { written } = served(ROWS);
  await show(<BankScreen />);
  await select(/Select: Question a/);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await expect.poll(() => written).toEqual([{ ids: ['a'], quizId: null }]);
});

test('offers to archive questions that cannot be deleted', async () => {
  const { written } = served(ROWS, () =>
    refusal(409, 'QUESTION_IN_USE', { message: 'It can only be archived' }),
  );
  await show(<BankScreen />);
  await select(/Select: Question a/);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect
    .element(page.getByText('It can only be archived. Nothing was deleted.'))
    .toBeVisible();
  await page.getByRole('button', { name: 'Archive instead' }).click();
  await expect.poll(() => written.at(-1)).toEqual({ ids: ['a'], isArchived: true });
});

test('searches with the filter of the URL, and clears it when nothing matches', async () => {
  const { queries } = served([]);
  await show(<BankScreen />);
  await expect.element(page.getByText('No questions yet.', { exact: false })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search questions' }).fill('Bayes');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  expect(queries.some((query) => query.includes('search=Bayes'))).toBe(true);
  await expect.element(page.getByText('No questions yet.', { exact: false })).toBeVisible();
});

test('archives all but the first of each group of duplicates, and takes it back', async () => {
  const undo = [{ ids: ['c'], isArchived: false }];
  const { written } = served([question('a'), question('c')], () =>
    Response.json({ changed: 1, undo }),
  );
  await showWithToasts(<BankScreen />);
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await select(/all but the first/);
  await page.getByRole('button', { name: 'Archive' }).click();
  await expect.poll(() => written).toEqual([{ ids: ['c'], isArchived: true }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => written.at(-1)).toEqual({ ids: ['c'], isArchived: false });
  await expect.element(page.getByText('Change undone')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
});

test('takes typed tags apart at commas, each once', () => {
  expect(withTyped(['a'], ' b, a,, c ')).toEqual(['a', 'b', 'c']);
});

test('says that a file is being written, and downloads it when its dialog was closed', async () => {
  let reply = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    reply = resolve;
  });
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.includes('/export/check')) {
      return Response.json({ questions: 2, affected: 0, reasons: [], losses: [] });
    }
    if (url.includes('/export')) {
      await late;
      return new Response('file', { headers: { 'content-disposition': 'filename="all.zip"' } });
    }
    return Response.json([], { headers: { 'x-total-count': '0' } });
  });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  await show(<BankScreen />);
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export questions' });
  await dialog.getByRole('button', { name: 'Download 2 questions' }).click();
  await expect.element(dialog.getByText(/^Writing the file\..*also when you close/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(saved).toEqual([]);
  reply();
  await expect.poll(() => saved).toEqual(['all.zip']);
});
