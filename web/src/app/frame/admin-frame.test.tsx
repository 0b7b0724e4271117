import { expect, test, vi } from 'vitest';
import { draw, wordsOf } from '../../testing/drawn.tsx';
import { ADMIN } from '../../testing/fixtures.ts';
import { AdminAccount } from './admin-account.tsx';
import { AdminNav } from './admin-nav.tsx';

test('the sidebar leads to five sections', () => {
  const markup = draw(<AdminNav />, ADMIN);
  expect(wordsOf(markup)).toBe('Dashboard Assessments Participants Categories Settings');
  const links = [...markup.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(links).toEqual([
    '/admin/dashboard',
    '/admin/quizzes',
    '/admin/participants',
    '/admin/categories',
    '/admin/settings',
  ]);
});

test('below them the address, the word Administrator and the way out', () => {
  vi.stubGlobal('document', { documentElement: { dataset: { theme: 'light' } } });
  const words = wordsOf(draw(<AdminAccount />, ADMIN));
  expect(words).toContain('admin@example.org Administrator');
  expect(words).toMatch(/Sign out$/);
});
