import { expect, test } from 'vitest';
import { draw, wordsOf } from '../../testing/drawn.tsx';
import { CategoryCard } from './category-card.tsx';

const category = {
  id: 'c',
  name: 'Operations',
  description: 'Everybody who works in the hall',
  createdAt: new Date(2026, 4, 4, 11).toISOString(),
};
const words = (change: Partial<typeof category> | { description: null } = {}) =>
  wordsOf(
    draw(
      <CategoryCard
        category={{ ...category, ...change }}
        onEdit={() => undefined}
        onDelete={() => undefined}
      />,
    ),
  );

test('name, description and created date', () => {
  expect(words()).toBe('Operations Everybody who works in the hall Created 4 May 2026');
});

test('a category without a description says so', () => {
  expect(words({ description: null })).toContain('No description provided');
});
