import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsIn } from '../../testing/shown.tsx';
import { CategoryCard } from './categories-screen.tsx';

const category = {
  id: 'c',
  name: 'Operations',
  description: 'Everybody who works in the building',
  createdAt: new Date(2026, 4, 4, 11).toISOString(),
};
const nothing = () => undefined;

test('shows name, description and created date', async () => {
  const onEdit = vi.fn();
  const onDelete = vi.fn();
  const { container } = await show(
    <CategoryCard category={category} onEdit={onEdit} onDelete={onDelete} />,
  );
  expect(wordsIn(container)).toBe(
    'Operations Everybody who works in the building Created 4 May 2026',
  );
  await page.getByRole('button', { name: /^Edit\b.*Operations/ }).click();
  expect(onEdit).toHaveBeenCalledOnce();
  expect(onDelete).not.toHaveBeenCalled();
  await page.getByRole('button', { name: /^Delete\b.*Operations/ }).click();
  expect(onDelete).toHaveBeenCalledOnce();
});

test('shows a placeholder without a description', async () => {
  const bare = { ...category, description: null };
  const { container } = await show(
    <CategoryCard category={bare} onEdit={nothing} onDelete={nothing} />,
  );
  expect(wordsIn(container)).toContain('No description provided');
});
