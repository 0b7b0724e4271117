import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { refusal } from '../../testing/fixtures.ts';
import { showWithToasts } from '../../testing/shown.tsx';
import { CategoriesScreen } from './categories-screen.tsx';

const STAIRS = {
  id: 'c',
  name: 'Stairs',
  description: 'Up' as string | null,
  createdAt: '2026-05-04T09:00:00.000Z',
};

/** A server that refuses these methods, all but DELETE without a sentence, as a proxy may. */
const refused = new Set<string>();
let stored: (typeof STAIRS)[] = [];

beforeEach(async () => {
  refused.clear();
  stored = [STAIRS];
  vi.stubGlobal('fetch', async (_: string, { method = 'GET', body }: RequestInit) => {
    if (refused.has(method)) {
      const message = 'This category has 2 assessments and cannot be deleted';
      return method === 'DELETE'
        ? refusal(409, 'CATEGORY_IN_USE', { message })
        : new Response('', { status: 500 });
    }
    if (method === 'GET') return Response.json(stored);
    if (method === 'DELETE') {
      stored = [];
      return new Response(null, { status: 204 });
    }
    const saved = {
      ...STAIRS,
      ...(method === 'POST' ? { id: 'n' } : {}),
      ...JSON.parse(`${body}`),
    };
    stored = [...stored.filter(({ id }) => id !== saved.id), saved];
    return Response.json(saved, { status: method === 'POST' ? 201 : 200 });
  });
});

const screen = () => showWithToasts(<CategoriesScreen />);
const toast = (words: string) => page.getByText(words, { exact: true });
const card = (name: string) => page.getByRole('article', { name });

test('adds a category, requires a name, and keeps the input after a failure', async () => {
  await screen();
  await page.getByRole('button', { name: 'Add Category' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Category' });
  const create = dialog.getByRole('button', { name: 'Create category' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await create.click();
  await expect.element(dialog.getByText('Enter a name')).toBeVisible();
  await expect.element(name).toHaveFocus();
  await name.fill('Kitchen');
  refused.add('POST');
  await create.click();
  await expect.element(toast('Failed to create category')).toBeVisible();
  await expect.element(name).toHaveValue('Kitchen');
  await name.click();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  refused.clear();
  await create.click();
  await expect.element(toast('Category created')).toBeVisible();
  await expect.element(card('Kitchen').getByText('No description provided')).toBeVisible();
});

test('shows name, description and created date', async () => {
  await screen();
  await expect.element(card('Stairs').getByText('Up')).toBeVisible();
  await expect.element(card('Stairs').getByText('Created 4 May 2026')).toBeVisible();
});

test('edits and deletes a category and shows refusals as toasts', async () => {
  await screen();
  await page.getByRole('button', { name: 'Edit Stairs' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Category' });
  await dialog.getByRole('textbox', { name: /^Description/ }).fill('Up and down');
  const save = dialog.getByRole('button', { name: 'Save category' });
  refused.add('PUT');
  await save.click();
  await expect.element(toast('Failed to update category')).toBeVisible();
  refused.clear();
  await save.click();
  await expect.element(toast('Category updated')).toBeVisible();
  await expect.element(card('Stairs').getByText('Up and down')).toBeVisible();

  const question = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete Stairs' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
  };
  refused.add('DELETE');
  await remove();
  await expect.element(toast('Failed to delete category')).toBeVisible();
  await expect
    .element(toast('This category has 2 assessments and cannot be deleted'))
    .toBeVisible();
  await expect.element(card('Stairs')).toBeVisible();
  refused.clear();
  await remove();
  await expect.element(toast('Category deleted')).toBeVisible();
  await expect.element(card('Stairs')).not.toBeInTheDocument();
});
